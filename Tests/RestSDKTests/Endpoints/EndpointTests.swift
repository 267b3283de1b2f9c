// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestJSON
import RestTesting
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("Endpoints")
struct EndpointTests {
    /// Reads an account's name: an object in the response, a string for the caller.
    private struct AccountName: JSONEndpoint {
        struct Root: Decodable, Sendable { let Name: String }
        typealias Content = String
        enum RouteError: Error, Equatable { case noSuchAccount }

        let id: String

        func makeRequest() throws(RestError) -> RestRequest { .retrieve("Account", id: id, fields: ["Name"]) }
        func content(from root: Root) throws(RestError) -> String { root.Name }
        func routeError(from error: RestError) -> RouteError? { error.code == .notFound ? .noSuchAccount : nil }
    }

    /// An endpoint without errors of its own, whose root is its content.
    private struct Limits: JSONEndpoint {
        struct Root: Decodable, Sendable, Equatable { let left: Int }
        typealias Content = Root

        func makeRequest() throws(RestError) -> RestRequest { .plainLimits }
    }

    private struct Rejection: Decodable, Error, Equatable { let reason: String }

    private let transport = StubTransport()

    private func client() throws -> RestClient { try .of(transport, retryPolicy: .never) }

    @Test("an endpoint is a value that can be tested without a network")
    func pure() throws {
        let endpoint = AccountName(id: "001000000000001AAA")
        #expect(try endpoint.makeRequest() == .retrieve("Account", id: "001000000000001AAA", fields: ["Name"]))
        #expect(try endpoint.content(from: AccountName.Root(Name: "A")) == "A")
    }

    @Test("content is extracted from its envelope")
    func content() async throws {
        transport.enqueue(#"{"Name":"Harbour"}"#)
        transport.enqueue(#"{"left":5}"#)
        #expect(try await client().send(AccountName(id: "001000000000001AAA")) == "Harbour")
        #expect(try await client().send(Limits()) == Limits.Root(left: 5))
    }

    @Test("an endpoint without its own errors may throw RestError")
    func throwsRestError() async throws {
        struct Remaining: JSONEndpoint {
            typealias Content = Limits.Root
            typealias Root = Limits.Root
            typealias CallFailure = RestError
            func makeRequest() -> RestRequest { .plainLimits }
        }
        transport.enqueue(#"{"left":5}"#)
        transport.enqueue(status: 404)
        let client = try client()
        do throws(RestError) {
            #expect(try await client.send(Remaining()).left == 5)
            _ = try await client.send(Remaining())
            Issue.record("found")
        } catch {
            #expect(error.code == .notFound)
        }
    }

    @Test("a request with a reading function can be changed like any request, and sent in every calling style")
    func typed() async throws {
        transport.enqueue(#"{"left":5}"#)
        transport.enqueue("[]")
        let left = RestRequest.Typed(.plainLimits) { (response) throws(RestError) in
            guard let left = response.payload["left"]?.int else { throw RestError(.decoding, "no number is left") }
            return left
        }.timeout(.seconds(5)).field("X-Own", "1")
        #expect(left.request.timeout == .seconds(5))
        let client = try client()
        #expect(try await client.send(left) == 5)
        #expect(transport.requests.last?.fields["X-Own"] == "1")
        let failed = Mutex<RestError.Code?>(nil)
        _ = try? await client.send(
            left, on: .global(), success: { _ in }, failure: { error in failed.withLock { $0 = error.code } }
        ).value
        #expect(failed.withLock { $0 } == .decoding)
    }

    @Test("an endpoint's own error is typed, and has the server's request id")
    func routeError() async throws {
        transport.enqueue(
            status: 404, fields: ["X-Request-Id": "r-1"], #"[{"errorCode":"NOT_FOUND","message":"no"}]"#)
        let client = try client()
        let error = await #expect(throws: CallError<AccountName.RouteError>.self) {
            try await client.send(AccountName(id: "001000000000001AAA"))
        }
        guard case .route(.noSuchAccount, let rest)? = error else { throw Unexpected("\(String(describing: error))") }
        #expect(rest.requestID == "r-1")
        #expect(rest.status == 404)
        #expect(rest.body == Array(#"[{"errorCode":"NOT_FOUND","message":"no"}]"#.utf8))
        #expect(rest.faults.map(\.errorCode.rawValue) == ["NOT_FOUND"])
    }

    /// Reads the first account of a name, with a custom error for an empty list, different from a 404.
    private struct First: JSONEndpoint {
        struct Root: Decodable, Sendable { let records: [JSONValue] }
        typealias Content = String
        enum RouteError: Error, Equatable { case nobody, noSuchResource }

        func makeRequest() -> RestRequest { .query("SELECT Name FROM Account LIMIT 1") }
        func content(from root: Root) throws -> String {
            guard let first = root.records.first else { throw RouteError.nobody }
            guard let name = first["Name"]?.string else { throw Odd() }
            return name
        }
        func routeError(from error: RestError) -> RouteError? { error.code == .notFound ? .noSuchResource : nil }
    }

    private struct Odd: Error {}

    @Test("an endpoint can throw its own error for a content, distinct from an error response and from other errors")
    func ownFailure() async throws {
        transport.enqueue(#"{"records":[{"Name":"Harbour"}]}"#)
        transport.enqueue(fields: ["X-Request-Id": "r-2"], #"{"records":[]}"#)
        transport.enqueue(status: 404)
        transport.enqueue(#"{"records":[{}]}"#)
        let client = try client()
        let told = Mutex<[First.RouteError]>([])
        client.onError(of: First.RouteError.self) { error, call in
            told.withLock { $0.append(error) }
            #expect(call.error.status == (error == .nobody ? 200 : 404))
            return .propagate
        }
        #expect(try await client.send(First()) == "Harbour")
        for (own, id) in [(First.RouteError.nobody, "r-2"), (.noSuchResource, nil)] {
            do throws(CallError<First.RouteError>) {
                _ = try await client.send(First())
                Issue.record("no error")
            } catch {
                guard case .route(own, let rest) = error else { throw Unexpected("\(error)") }
                #expect(rest.requestID == id)
            }
        }
        let error = await #expect(throws: CallError<First.RouteError>.self) { try await client.send(First()) }
        guard case .rest(let odd)? = error else {
            throw Unexpected("an error of another type is not the endpoint's own")
        }
        #expect(odd.code == .decoding && odd.underlying is Odd)
        #expect(told.withLock { $0 } == [.nobody, .noSuchResource])
    }

    @Test("every other error is the RestError that all calls share")
    func restError() async throws {
        transport.enqueue(status: 500)
        transport.enqueue(#"{"Title":"x"}"#)
        let client = try client()
        for code in [RestError.Code.server, .decoding] {
            let error = await #expect(throws: CallError<AccountName.RouteError>.self) {
                try await client.send(AccountName(id: "001000000000001AAA"))
            }
            guard case .rest(let shared)? = error else { throw Unexpected("\(String(describing: error))") }
            #expect(shared.code == code)
        }
    }

    @Test("errors in a response with status 200 are rejected before decoding")
    func faultIn200() async throws {
        transport.enqueue(#"[{"errorCode":"PROCESSING_HALTED","message":"rolled back"}]"#)
        let client = try client()
        let error = await #expect(throws: CallError<Never>.self) { try await client.send(Limits()) }
        guard case .rest(let shared)? = error else { return }
        #expect(shared.code == .api)
        #expect(shared.faults.first?.errorCode == "PROCESSING_HALTED")
    }

    /// An update, whose response has no content.
    private struct Rename: JSONEndpoint {
        typealias Root = RestResponse.Empty
        typealias Content = RestResponse.Empty

        func makeRequest() throws(RestError) -> RestRequest { .update("Account", id: "001000000000001AAA", [:]) }
    }

    @Test("a response without content is empty content, or nil for an optional type", arguments: [204, 200])
    func noContent(status: Int) async throws {
        for _ in 0..<4 { transport.enqueue(status: status) }
        let client = try client()
        _ = try await client.send(Rename())
        let update = RestRequest.update("Account", id: "001000000000001AAA", [:])
        #expect(
            try await client.send(update.as(RestResponse.Empty.self, errors: Rejection.self)) == RestResponse.Empty())
        #expect(try await client.send(update.as(Limits.Root?.self, errors: Rejection.self)) == nil)
        let missing = await #expect(throws: CallError<Rejection>.self) {
            try await client.send(update.as(Limits.Root.self, errors: Rejection.self))
        }
        guard case .rest(let error)? = missing else { throw Unexpected("\(String(describing: missing))") }
        #expect(error.code == .decoding && error.outcome == .applied)
        #expect(error.message.hasPrefix("the response is empty"))
    }

    @Test("a response with content is not nil, and a call that wants no content ignores it")
    func content204() async throws {
        for _ in 0..<2 { transport.enqueue(#"{"left":5}"#) }
        let client = try client()
        let left = try await client.send(.plainLimits.as(Limits.Root?.self, errors: Rejection.self))
        #expect(left == Limits.Root(left: 5))
        #expect(
            try await client.send(.plainLimits.as(RestResponse.Empty.self, errors: Rejection.self))
                == RestResponse.Empty())
    }

    @Test("a typed error is decoded from a body of any length, and only then is the body truncated")
    func longFailure() async throws {
        let reason = String(repeating: "x", count: 3 * RestError.maximumBodySize)
        for _ in 0..<3 {
            transport.enqueue(status: 409, fields: ["X-Dropbox-Request-Id": "r"], #"{"reason":"\#(reason)"}"#)
        }
        let client = try client()
        let modelled = await #expect(throws: CallError<Rejection>.self) {
            try await client.send(.plainLimits.as(RestResponse.Empty.self, errors: Rejection.self))
        }
        guard case .route(Rejection(reason: reason), let rest)? = modelled else { throw Unexpected("not modelled") }
        #expect(rest.requestID == "r")
        #expect(rest.body.count == RestError.maximumBodySize)
        let other = await #expect(throws: CallError<WireFailure>.self) {
            try await client.send(.plainLimits.as(RestResponse.Empty.self, errors: WireFailure.self))
        }
        guard case .rest(let error)? = other else { throw Unexpected("modelled") }
        #expect(error.body.count == RestError.maximumBodySize && error.requestID == "r")
        let plain = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(plain?.body.count == RestError.maximumBodySize)
    }

    private struct WireFailure: Decodable, Error { let missing: String }

    private final class Seen: Sendable {
        let errors = Mutex<[RestError]>([])
    }

    /// Records the errors that are passed to the endpoint.
    private struct Noting: JSONEndpoint {
        typealias Root = RestResponse.Empty
        typealias Content = RestResponse.Empty
        let seen: Seen

        func makeRequest() -> RestRequest { .plainLimits }
        func routeError(from error: RestError) -> Never? {
            seen.errors.withLock { $0.append(error) }
            return nil
        }
    }

    @Test("an error body is parsed once for all readers, and the endpoint is asked once for its own error")
    func parsedOnce() async throws {
        transport.enqueue(status: 409, #"{"reason":"locked"}"#)
        let seen = Seen()
        let error = await #expect(throws: CallError<Never>.self) { try await client().send(Noting(seen: seen)) }
        #expect(seen.errors.withLock { $0.map(\.hasParsedBody) } == [true])
        guard case .rest(let trimmed)? = error else { return }
        #expect(!trimmed.hasParsedBody)
        #expect(trimmed.bodyRoot?["reason"] == "locked")
    }

    @Test("typed results depend on the status, and a body that does not decode is a decoding error")
    func typedResults() async throws {
        transport.enqueue(#"{"left":5}"#)
        transport.enqueue(status: 409, #"{"reason":"locked"}"#)
        transport.enqueue(status: 409, "<html>")
        transport.enqueue(#"{"reason":"not a success"}"#)
        let client = try client()
        func send() async throws(CallError<Rejection>) -> Limits.Root {
            try await client.send(.plainLimits.as(Limits.Root.self, errors: Rejection.self))
        }
        func failure() async -> CallError<Rejection>? {
            await #expect(throws: CallError<Rejection>.self) { try await send() }
        }
        #expect(try await send() == Limits.Root(left: 5))
        guard case .route(Rejection(reason: "locked"), _)? = await failure(), case .rest(let page)? = await failure(),
            case .rest(let shape)? = await failure()
        else {
            Issue.record("another kind of failure")
            return
        }
        #expect(page.status == 409)
        #expect(shape.code == .decoding)
    }
}

@Suite("Paged endpoints and response validators")
struct PagedEndpointTests {
    /// A list of files with the server's pages and with validators.
    private struct Files: JSONEndpoint, PagedEndpoint {
        struct Root: Decodable, Sendable {
            let files: [String]
            let nextPageUrl: String?
        }
        typealias Content = Root
        enum RouteError: Error { case gone }

        var path = "/services/data/v66.0/connect/files"

        func makeRequest() throws(RestError) -> RestRequest { RestRequest(resource: .serverPath(path)) }
        func next(after content: Root) throws(RestError) -> Files? { content.nextPageUrl.map { Files(path: $0) } }
        func routeError(from error: RestError) -> RouteError? { error.status == 410 ? .gone : nil }
        var validators: [RestResponse.Validator] { [.status(200, 203), .content, .everyPart] }
    }

    private let transport = StubTransport()

    private func client() throws -> RestClient { try .of(transport, retryPolicy: .never) }

    private func files(_ client: RestClient) async throws(CallError<Files.RouteError>) -> [String] {
        var names: [String] = []
        for try await page in client.pages(of: Files()) { names += page.files }
        return names
    }

    @Test("all pages are read in order")
    func pages() async throws {
        transport.enqueue(#"{"files":["a","b"],"nextPageUrl":"/next?page=1"}"#)
        transport.enqueue(#"{"files":["c"],"nextPageUrl":null}"#)
        #expect(try await files(client()) == ["a", "b", "c"])
        #expect(transport.requests.last?.url.target == "/next?page=1")
    }

    @Test("a page that was already read is rejected before it is requested again")
    func cycle() async throws {
        transport.enqueue(#"{"files":["a"],"nextPageUrl":"/next"}"#)
        transport.enqueue(#"{"files":["b"],"nextPageUrl":"/services/data/v66.0/connect/files"}"#)
        let client = try client()
        let error = await #expect(throws: CallError<Files.RouteError>.self) { try await files(client) }
        guard case .rest(let shared)? = error else { throw Unexpected("\(String(describing: error))") }
        #expect(shared.code == .invalidRequest)
        #expect(shared.message.hasPrefix("next: "))
        #expect(transport.requests.count == 2)
    }

    @Test("a page's own error is typed")
    func routeError() async throws {
        transport.enqueue(#"{"files":["a"],"nextPageUrl":"/next"}"#)
        transport.enqueue(status: 410)
        let client = try client()
        let error = await #expect(throws: CallError<Files.RouteError>.self) { try await files(client) }
        guard case .route(.gone, _)? = error else { throw Unexpected("\(String(describing: error))") }
    }

    @Test(
        "validators run in order, before the body is decoded",
        arguments: [
            (202, "", RestError.Code.decoding, "202"), (200, "", .decoding, "empty"),
            (200, #"{"results":[{"errors":[{"statusCode":"A","message":"m"}]}]}"#, .api, "A: m"),
            (200, #"[{"errorCode":"B","message":"m"}]"#, .api, "B: m"),
        ])
    func validators(status: Int, body: String, code: RestError.Code, words: String) async throws {
        transport.enqueue(status: status, body)
        let client = try client()
        let error = await #expect(throws: CallError<Files.RouteError>.self) { try await client.send(Files()) }
        guard case .rest(let shared)? = error else { throw Unexpected("\(String(describing: error))") }
        #expect(shared.code == code)
        #expect(shared.message.contains(words))
    }
}
