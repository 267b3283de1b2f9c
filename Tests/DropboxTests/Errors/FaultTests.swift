// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

@Suite("Errors in eight kinds")
struct FaultTests {
    private let stub = Stub()

    private func failure(
        _ status: Int, _ body: String, _ fields: HTTPFields = [:]
    ) async throws -> CallError<Files.GetMetadataError> {
        stub.transport.enqueue(status: status, fields: fields, body)
        do throws(CallError<Files.GetMetadataError>) {
            _ = try await stub.user.files.getMetadata(path: "/f").value
        } catch {
            return error
        }
        throw Unexpected()
    }

    private struct Unexpected: Error {}

    private static let text = #""error_summary":"x/..","user_message":{"text":"Nein","locale":"de"}"#

    @Test(
        "The status decides the kind, and the body its value",
        arguments: [
            (400, "no such field", DropboxFault.badInput("no such field")),
            (400, #"{"error":"x"}"#, .badInput(#"{"error":"x"}"#)),
            (401, #"{"error":{".tag":"user_suspended"}}"#, .auth(.userSuspended)),
            (403, #"{"error":{".tag":"team_access_denied"}}"#, .access(.teamAccessDenied)),
            (422, #"{"error":{".tag":"no_permission"}}"#, .pathRoot(.noPermission)),
            (404, "<html>nothing</html>", .http(status: 404)),
            (409, "<html>conflict</html>", .http(status: 409)),
            (500, "<html>oh</html>", .server(status: 500)),
            (503, "", .server(status: 503)),
        ])
    func kinds(status: Int, body: String, fault: DropboxFault) async throws {
        let error = try await failure(status, body)
        #expect(error.rest.dropbox == fault)
        #expect(error.rest.status == status)
        #expect(error.rest.body == Array(body.utf8))
    }

    @Test(
        "A body that is no JSON hides no status",
        arguments: [
            (401, "auth"), (403, "access"), (422, "pathRoot"), (429, "rateLimit"),
        ])
    func pages(status: Int, kind: String) async throws {
        let error = try await failure(status, "<html>busy</html>", ["Content-Type": "text/html"])
        #expect(error.rest.dropbox.kind == kind)
        #expect("\(error.rest.dropbox)".hasPrefix(kind))
    }

    @Test("A new root says where it is")
    func pathRoot() async throws {
        let body = """
            {"error":{".tag":"invalid_root","invalid_root":{".tag":"team","root_namespace_id":"7","home_namespace_id":"8",\
            "home_path":"/h"}},\(Self.text)}
            """
        let error = try await failure(422, body)
        guard case .pathRoot(.invalidRoot(let root)) = error.rest.dropbox else {
            Issue.record("\(error)")
            return
        }
        #expect(root.rootNamespaceID == "7")
    }

    @Test("A missing scope is named")
    func scope() async throws {
        let body = #"{"error":{".tag":"missing_scope","required_scope":"files.content.read"},\#(Self.text)}"#
        #expect(try await failure(401, body).rest.dropbox.missingScope == "files.content.read")
    }

    @Test("The route's own failure comes with summary, message and request id in whatever case")
    func route() async throws {
        let body = #"{"error":{".tag":"path","path":{".tag":"not_found"}},\#(Self.text)}"#
        let error = try await failure(409, body, ["x-dropbox-request-id": "r1"])
        guard case .route(.path(.notFound), let rest) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(rest.errorSummary == "x/..")
        #expect(rest.userMessage?.text == "Nein")
        #expect(rest.userMessage?.locale == "de")
        #expect(rest.requestID == "r1")
        #expect(rest.dropbox == .http(status: 409))
    }

    @Test("The wait of a rate limit stands in the header, else in the body")
    func rateLimit() async throws {
        let body = #"{"error":{"reason":{".tag":"too_many_requests"},"retry_after":7}}"#
        let inHeader = try await failure(429, body, ["Retry-After": "5"])
        let inBody = try await failure(429, body)
        let date: HTTPFields = [
            "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:50:07 GMT",
        ]
        #expect(inHeader.rest.retryAfter == .seconds(5))
        #expect(try await failure(429, "<html>busy</html>", date).rest.retryAfter == .seconds(30))
        #expect(try await failure(429, "<html>busy</html>").rest.retryAfter == nil)
        #expect(inBody.rest.retryAfter == .seconds(7))
        #expect(inBody.rest.dropbox == .rateLimit(Auth.RateLimitError(reason: .tooManyRequests, retryAfter: 7)))
    }

    @Test("A token that ended and that nobody renews is refused; other refusals of a token stand at once")
    func expired() async throws {
        let body = #"{"error":{".tag":"expired_access_token"},"error_summary":"expired_access_token/.."}"#
        let expired = try await failure(401, body, ["X-Dropbox-Request-Id": "r1"])
        #expect(expired.rest.dropbox == .auth(.expiredAccessToken))
        #expect(expired.rest.code == .unauthorized)
        #expect(expired.rest.status == 401 && expired.rest.requestID == "r1")
        #expect(expired.rest.errorSummary == "expired_access_token/..")
        #expect(expired.rest.body == Array(body.utf8))
        let suspended = try await failure(401, #"{"error":{".tag":"invalid_access_token"}}"#)
        #expect(suspended.rest.code == .unauthorized)
        let narrow = try await failure(
            401, #"{"error":{".tag":"missing_scope","required_scope":"files.content.write"}}"#)
        #expect(narrow.rest.advice == "Log in again, and ask for the scope files.content.write.")
    }

    @Test("A failure that is no refusal is the client's")
    func client() async throws {
        stub.transport.enqueue(.failure(TransportError(.notConnected, "down", mayHaveReachedServer: false)))
        do throws(CallError<Files.GetMetadataError>) {
            _ = try await stub.user.files.getMetadata(path: "/f").value
            Issue.record("the call succeeded")
        } catch {
            #expect(error.rest.dropbox == .client(.notConnected))
        }
        #expect(try await failure(200, "<html>").rest.dropbox == .client(.decoding))
    }
}
