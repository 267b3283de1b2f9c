// SPDX-License-Identifier: Apache-2.0

import Dropbox
import RestTesting
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("The eight kinds of Dropbox errors")
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
        throw Unexpected("no error")
    }

    private static let text = #""error_summary":"x/..","user_message":{"text":"Nein","locale":"de"}"#

    @Test(
        "the status determines the kind of an error, and the body its value",
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
        "an error with a body that is not JSON keeps its status",
        arguments: [
            (401, "auth"), (403, "access"), (422, "pathRoot"), (429, "rateLimit"),
        ])
    func pages(status: Int, kind: String) async throws {
        let error = try await failure(status, "<html>busy</html>", ["Content-Type": "text/html"])
        #expect(error.rest.dropbox.kind == kind)
        #expect("\(error.rest.dropbox)".hasPrefix(kind))
    }

    @Test("the error for a changed root contains the new root")
    func pathRoot() async throws {
        let body = """
            {"error":{".tag":"invalid_root","invalid_root":{".tag":"team","root_namespace_id":"7","home_namespace_id":"8",\
            "home_path":"/h"}},\(Self.text)}
            """
        let error = try await failure(422, body)
        guard case .pathRoot(.invalidRoot(let root)) = error.rest.dropbox else { throw Unexpected("\(error)") }
        #expect(root.rootNamespaceID == "7")
    }

    @Test("a missing scope is named")
    func scope() async throws {
        let body = #"{"error":{".tag":"missing_scope","required_scope":"files.content.read"},\#(Self.text)}"#
        #expect(try await failure(401, body).rest.dropbox.missingScope == "files.content.read")
    }

    @Test("the route's own error has its summary, message and request id, in any case of the header")
    func route() async throws {
        let body = #"{"error":{".tag":"path","path":{".tag":"not_found"}},\#(Self.text)}"#
        let error = try await failure(409, body, ["x-dropbox-request-id": "r1"])
        guard case .route(.path(.notFound), let rest) = error else { throw Unexpected("\(error)") }
        #expect(rest.errorSummary == "x/..")
        #expect(rest.userMessage?.text == "Nein")
        #expect(rest.userMessage?.locale == "de")
        #expect(rest.requestID == "r1")
        #expect(rest.dropbox == .http(status: 409))
    }

    @Test("the delay of a rate limit is read from the header, or else from the body")
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

    @Test("an expired token that cannot be renewed is an error, and other token errors are reported immediately")
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

    @Test("an error without an error response is the client's error")
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

@Suite("Content hashes")
struct ContentHashTests {
    /// Calculated with Python's hashlib from the same bytes.
    private static let known = [
        (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (1, "1406e05881e299367766d313e26c05564ec91bf721d31726bd6e46e60689539a"),
        (4_194_303, "cd724094f123fb95db01b5bf13a139e84aa3966a6c34d23a21cb3dda0bb98415"),
        (4_194_304, "5ef6834bb4af1a12e61d6ca40f50c8d757da6e7a3526cb729e6179b4e06823a3"),
        (4_194_305, "f542ca4ee4cb793ccfcc14f0ae948226a9718aab939f717484292dcca72f2364"),
        (8_388_608, "98e5d4652593312a99fd90fe393d7018a16a6b100e28fe4943af78004abfc9a2"),
        (8_388_609, "4366835d73176aef104846b84213d5afba8b5562c3599f1f0cc36560c3cc8479"),
    ]

    private static let pattern: [UInt8] = (0..<1 << 20).map { (n: Int) in UInt8((n * 7 + (n >> 9)) % 251) }

    private func content(_ size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < size { bytes += Self.pattern.prefix(size - bytes.count) }
        return bytes
    }

    @Test("hashes equal those of Python's hashlib", arguments: known)
    func vectors(size: Int, text: String) {
        let hash = ContentHash(of: content(size))
        #expect(hash.text == text)
        #expect(hash.count == Int64(size))
    }

    @Test("the hash does not depend on the size of the chunks", arguments: [1_000_003, 4_194_304, 5_000_000])
    func chunks(size: Int) throws {
        let (total, text) = try #require(Self.known.last)
        let content = content(total)
        var hash = ContentHash()
        for start in stride(from: 0, to: total, by: size) {
            hash.update(Array(content[start..<min(start + size, total)]))
            hash.update([])
        }
        #expect(hash.text == text)
    }

    @Test("a copy continues independently, and reading the hash changes nothing")
    func copies() {
        var one = ContentHash(of: content(1))
        let first = one.text
        let other = one
        one.update([1, 2, 3])
        #expect(other.text == first)
        #expect(one.text != first)
        #expect(one.text == ContentHash(of: content(1) + [1, 2, 3]).text)
    }

    @Test("a file is hashed chunk by chunk, and a missing file is named in the error")
    func file() async throws {
        let folder = try TemporaryDirectory()
        let (size, text) = Self.known[4]
        try Data(content(size)).write(to: URL(filePath: folder.path("a")))
        #expect(try await ContentHash.ofFile(at: folder.path("a")).text == text)
        do throws(RestError) {
            _ = try await ContentHash.ofFile(at: folder.path("b"))
            Issue.record("there is no such file")
        } catch {
            #expect(error.code == .file)
            #expect(error.message.contains(folder.path("b")))
        }
    }
}
