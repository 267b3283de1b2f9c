// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Endpoints in pages, and validators")
struct PagedEndpointTests {
    /// A list of files as the platform pages them, with validators.
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

    private func client() throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "token",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
    }

    private func files(_ client: RestClient) async throws(CallError<Files.RouteError>) -> [String] {
        var names: [String] = []
        for try await page in client.pages(of: Files()) { names += page.files }
        return names
    }

    @Test("all pages come in order")
    func pages() async throws {
        transport.enqueue(#"{"files":["a","b"],"nextPageUrl":"/next?page=1"}"#)
        transport.enqueue(#"{"files":["c"],"nextPageUrl":null}"#)
        #expect(try await files(client()) == ["a", "b", "c"])
        #expect(transport.requests.last?.url.target == "/next?page=1")
    }

    @Test("an endpoint that leads back to a page read already is refused before it is sent")
    func cycle() async throws {
        transport.enqueue(#"{"files":["a"],"nextPageUrl":"/next"}"#)
        transport.enqueue(#"{"files":["b"],"nextPageUrl":"/services/data/v66.0/connect/files"}"#)
        let client = try client()
        let error = await #expect(throws: CallError<Files.RouteError>.self) { try await files(client) }
        guard case .rest(let shared)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(shared.code == .invalidRequest)
        #expect(shared.message.hasPrefix("next: "))
        #expect(transport.requests.count == 2)
    }

    @Test("a page's own failure is typed")
    func routeError() async throws {
        transport.enqueue(#"{"files":["a"],"nextPageUrl":"/next"}"#)
        transport.enqueue(status: 410)
        let client = try client()
        let error = await #expect(throws: CallError<Files.RouteError>.self) { try await files(client) }
        guard case .route(.gone, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "validators run in their order, before the body is decoded",
        arguments: [
            (202, "", RestError.Code.decoding, "202"), (200, "", .decoding, "empty"),
            (200, #"{"results":[{"errors":[{"statusCode":"A","message":"m"}]}]}"#, .api, "A: m"),
            (200, #"[{"errorCode":"B","message":"m"}]"#, .api, "B: m"),
        ])
    func validators(status: Int, body: String, code: RestError.Code, words: String) async throws {
        transport.enqueue(status: status, body)
        let client = try client()
        let error = await #expect(throws: CallError<Files.RouteError>.self) { try await client.content(of: Files()) }
        guard case .rest(let shared)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(shared.code == code)
        #expect(shared.message.contains(words))
    }
}
