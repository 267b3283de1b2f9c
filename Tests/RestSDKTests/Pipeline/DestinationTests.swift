// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestSDK

@Suite("Redirects")
struct RedirectingTests {
    private static let file = RestRequest.blob("ContentVersion", id: "068000000000001AAA", field: "VersionData")
    private let transport = StubTransport()

    private func client(_ instance: String = "https://example.my.salesforce.com") throws -> RestClient {
        try RestClient(
            instanceURL: instance, accessToken: "token",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
    }

    private func redirect(_ location: String) {
        transport.enqueue(status: 302, fields: ["Location": location])
    }

    @Test(
        "data of the org is accepted only from the requested origin, not from another scheme, host or port",
        arguments: [
            ("https://example.my.salesforce.com", "https://files.example.com/x"),
            ("https://example.my.salesforce.com", "https://example.my.salesforce.com:8443/x"),
            ("https://example.my.salesforce.com", "//example.my.salesforce.com.example.org/x"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8081/x"), ("http://127.0.0.1:8080", "https://127.0.0.1:8080/x"),
            ("http://localhost:8080", "http://127.0.0.1:8080/x"),
        ])
    func dataElsewhere(instance: String, location: String) async throws {
        let client = try client(instance)
        let calls: [() async throws -> Void] = [
            { _ = try await client.send(.plainLimits) },
            { _ = try await client.stream(.query("SELECT Id FROM Account")) },
            { _ = try await client.send(.describe("Account")) },
            { _ = try await client.records("SELECT Id FROM Account").collect(limit: 1) },
        ]
        for (number, call) in calls.enumerated() {
            redirect(location)
            let error = await expectFailure(.redirected) { try await call() }
            #expect(
                (error?.underlying as? RedirectPolicy.Rejection) == .otherOriginData, "\(String(describing: error))")
            #expect(error?.advice.contains("expectation") == true)
            #expect(transport.requests.count == number + 1)
        }
    }

    @Test("another spelling of the same origin is accepted")
    func sameOrigin() async throws {
        redirect("HTTPS://EXAMPLE.my.salesforce.com:443/moved")
        transport.enqueue("{}")
        _ = try await client().send(.plainLimits)
        #expect(transport.requests.last?.fields["Authorization"] == "Bearer token")
    }

    @Test("the content of a file may come from another origin, without credentials")
    func content() async throws {
        let folder = try TemporaryDirectory()
        let client = try client()
        let location = "https://files.example.com/x"
        for body in ["sent", "streamed", "downloaded", "other"] {
            redirect(location)
            transport.enqueue(body)
        }
        #expect(try await client.send(Self.file).body == Array("sent".utf8))
        var streamed: [UInt8] = []
        for try await chunk in try await client.stream(Self.file) { streamed += chunk }
        #expect(streamed == Array("streamed".utf8))
        try await client.download(Self.file, to: folder.path("file"))
        #expect(folder.text(of: "file") == "downloaded")
        try await client.download(.plainLimits, to: folder.path("file"))
        #expect(folder.text(of: "file") == "other")
        for (number, request) in transport.requests.enumerated() {
            #expect((request.fields["Authorization"] == nil) == (number % 2 == 1))
        }
    }

    @Test("an error response of a stream keeps the beginning of a long body", arguments: [404, 503])
    func longError(status: Int) async throws {
        transport.enqueue(status: status, String(repeating: "x", count: 100_000))
        let client = try client()
        let error = await expectFailure(status == 404 ? .notFound : .server) { _ = try await client.stream(Self.file) }
        #expect(error?.body.count == RestError.maximumBodySize)
    }

    @Test("a stream that a transport returns to a call in memory has the call's limits of size and time")
    func streamInMemory() async throws {
        let clock = ManualClock(alarmsBeyond: .zero)
        for (step, size, code) in [(0, 1_000, RestError.Code.tooLarge), (1, 1 << 30, .timedOut)] {
            var configuration = RestClient.Configuration(transport: transport, clock: clock)
            configuration.retryPolicy = .never
            configuration.transportLimits.maximumResponseSize = size
            let client = try RestClient.of(configuration)
            let endless = HTTPBody.Stream { () throws(TransportError) in
                if Task.isCancelled { throw TransportError(.cancelled, "ended", mayHaveReachedServer: true) }
                clock.advance(by: .seconds(step))
                return [0x20]
            }
            let response = HTTPResponse(head: HTTPResponse.Head(status: 200), content: .stream(endless))
            transport.enqueue(.response(response))
            await expectFailure(code) { try await client.send(.plainLimits) }
        }
    }

    @Test("a redirect chain back to the org has no token, and its response does not affect session or limits")
    func comesBack() async throws {
        let client = try client()
        let there = "https://files.example.com/x"
        let back = "https://example.my.salesforce.com/back"
        for location in [there, back] { redirect(location) }
        transport.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"expired"}]"#)
        await expectFailure(.redirected) { try await client.send(Self.file) }
        #expect(transport.requests.map { $0.fields["Authorization"] } == ["Bearer token", nil, nil])
        for location in [there, back] { redirect(location) }
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=100/100"], "content")
        #expect(try await client.send(Self.file).body == Array("content".utf8))
        #expect(client.allowance == nil)
    }

    @Test("a redirect to the same origin keeps the token, and one to another origin loses it")
    func credentials() async throws {
        transport.enqueue(status: 302, fields: ["Location": "/moved"])
        transport.enqueue("{}")
        transport.enqueue(status: 302, fields: ["Location": "https://files.example.com/x"])
        transport.enqueue("{}")
        let client = try client()
        _ = try await client.send(.plainLimits)
        _ = try await client.send(Self.file)
        #expect(
            transport.requests.map { $0.fields["Authorization"] } == [
                "Bearer token", "Bearer token", "Bearer token", nil,
            ])
        #expect(transport.requests[1].url.path == "/moved")
    }

    @Test(
        "redirects to internal addresses or other schemes are rejected",
        arguments: [
            "http://example.my.salesforce.com/x", "http://127.0.0.1/x", "https://169.254.169.254/x",
            "ftp://example.com/x",
        ])
    func refused(location: String) async throws {
        transport.enqueue(status: 302, fields: ["Location": location])
        let client = try client()
        await expectFailure(.redirected) { try await client.send(.plainLimits) }
        #expect(transport.requests.count == 1)
    }

    @Test("a write is not redirected to another origin")
    func write() async throws {
        transport.enqueue(status: 307, fields: ["Location": "https://files.example.com/x"])
        let client = try client()
        await expectFailure(.redirected, outcome: .notApplied) { try await client.send(.create("Account", [:])) }
    }

    @Test("a redirect that would turn a write into a read is rejected", arguments: [301, 302, 303])
    func becomesRead(status: Int) async throws {
        transport.enqueue(status: status, fields: ["Location": "/maintenance"])
        let client = try client()
        let error = await expectFailure(.redirected) { try await client.send(.create("Account", [:])) }
        #expect(error?.message.contains("becomesRead") == true)
        #expect(transport.requests.count == 1)
    }

    @Test("a 401 from another origin does not end the org's session")
    func foreign401() async throws {
        transport.enqueue(status: 302, fields: ["Location": "https://sso.example.com/"])
        transport.enqueue(status: 401)
        transport.enqueue("{}")
        let client = try client()
        await expectFailure(.redirected) { try await client.send(Self.file) }
        #expect(try await client.send(.plainLimits).payload == .dictionary([:]))
    }

    @Test("a chain of redirects ends after five")
    func loop() async throws {
        for _ in 0..<9 { transport.enqueue(status: 302, fields: ["Location": "/again"]) }
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.message.contains("tooManyHops") == true)
        #expect(transport.requests.count == 6)
    }
}

@Suite("The services of an account")
struct ServiceTests {
    private static let content = RestRequest.Service.service("content")
    private let transport = StubTransport()
    private let origin = Origin(scheme: .https, host: "content.example.com")

    private func client(
        _ services: [RestRequest.Service: RestRequest.Service.Address], fields: HTTPFields = [:],
        interceptors: [any Interceptor] = []
    ) throws -> RestClient {
        try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(
                fields: fields, services: services, interceptors: interceptors, transport: transport))
    }

    private var sent: [String] { transport.requests.map { "\($0.method) \($0.url)" } }

    @Test("a request goes to the server of its service, after its base path, with the account's token")
    func addressed() async throws {
        let client = try client([Self.content: .init(origin: origin, basePath: "/2")])
        for _ in 0..<4 { transport.enqueue("{}") }
        _ = try await client.send(RestRequest(resource: .data(["files", "a b"]), service: Self.content))
        _ = try await client.send(RestRequest(resource: .serverPath("/3/x?y=1"), service: Self.content))
        _ = try await client.send(
            RestRequest(resource: .serverPath("https://content.example.com/next"), service: Self.content))
        _ = try await client.send(.plainLimits)
        #expect(
            sent == [
                "GET https://content.example.com/2/files/a%20b", "GET https://content.example.com/3/x?y=1",
                "GET https://content.example.com/next",
                "GET https://example.my.salesforce.com/services/data/v66.0/limits",
            ])
        #expect(transport.requests.allSatisfy { $0.fields["Authorization"] == "Bearer t" })
    }

    @Test("the instance can be another kind of server: any API with a base path")
    func instance() async throws {
        let client = try client([.instance: .init(origin: origin, basePath: "")])
        transport.enqueue("{}")
        transport.enqueue("{}")
        _ = try await client.send(RestRequest(resource: .data(["me"])))
        _ = try await client.send(RestRequest(resource: .data([])))
        #expect(sent == ["GET https://content.example.com/me", "GET https://content.example.com/"])
    }

    @Test("fields of the client, the service and the request are merged, and the most specific header wins")
    func fields() async throws {
        let client = try client(
            [Self.content: .init(origin: origin, basePath: "", fields: ["X-B": "service", "X-C": "service"])],
            fields: ["X-A": "client", "X-B": "client", "X-C": "client", "Accept": "text/plain"])
        transport.enqueue("{}")
        _ = try await client.send(
            RestRequest(resource: .data(["a"]), service: Self.content, fields: ["x-c": "request"]))
        let fields = try #require(transport.requests.first?.fields)
        #expect(["X-A", "X-B", "X-C", "Accept"].map { fields[$0] } == ["client", "service", "request", "text/plain"])
        #expect(fields.filter { $0.name.lowercased() == "x-c" }.count == 1)
    }

    @Test("an unknown service, and a URL of another server, are rejected before anything is sent")
    func refused() async throws {
        let client = try client([Self.content: .init(origin: origin)])
        for request in [
            RestRequest(resource: .data(["a"]), service: .service("notify")),
            RestRequest(resource: .serverPath("https://content.example.com/a")),
            RestRequest(resource: .serverPath("https://evil.example/a"), service: Self.content),
            RestRequest(resource: .serverPath("//evil.example/a"), service: Self.content),
            RestRequest(resource: .data(["a"]), service: .login),
        ] {
            await expectFailure(.invalidRequest) { try await client.send(request) }
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("an interceptor cannot send the token to a server that does not belong to the account")
    func diverted() async throws {
        let diverting = Intercepting { [origin] request, next async throws(RestError) in
            #expect(request.url.isRelative)
            #expect(request.fields["Authorization"] == nil)
            var request = request
            request.url = HTTPURL(origin: origin, path: request.url.path)
            return try await next(request)
        }
        let client = try client([:], interceptors: [diverting])
        await expectFailure(.invalidRequest) { try await client.send(.plainLimits) }
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "an invalid base path of a service is a configuration error, reported by every call",
        arguments: ["2", "/2/", "//2", "/a/../b", "/a?b", "/a#b", "/a b", "/%2e%2e"])
    func odd(basePath: String) async throws {
        let client = try client([Self.content: .init(origin: origin, basePath: basePath)])
        let error = await expectFailure(.invalidRequest) { try await client.send(.plainLimits) }
        #expect(error?.message.hasPrefix("services.content: ") == true)
        let other = try self.client([Self.content: .init()])
        let missing = await #expect(throws: RestError.self) { try await other.send(.plainLimits) }
        #expect(missing?.message.hasPrefix("services.content: ") == true)
    }

    @Test("the URL of a service is its origin and base path")
    func urls() async throws {
        let client = try client([Self.content: "https://notes.example.com/2", .service("bare"): "http://[::1]:8080/"])
        for _ in 0..<2 { transport.enqueue("{}") }
        _ = try await client.send(RestRequest(resource: .data(["a"]), service: Self.content))
        _ = try await client.send(RestRequest(resource: .data(["a"]), service: .service("bare")))
        #expect(sent == ["GET https://notes.example.com/2/a", "GET http://[::1]:8080/a"])
        let text = "https://notes.example.com/2/"
        #expect(try RestRequest.Service.Address(parsing: text) == "https://notes.example.com/2")
        #expect(throws: HTTPURL.ParsingError(.character, offset: 25)) {
            try RestRequest.Service.Address(parsing: "https://notes.example.com?a")
        }
    }

    @Test(
        "an invalid URL of a service fails every call before anything is sent",
        arguments: [
            "notes.example.com/2", "", "https://", "https://a b/", "https://a/2?x=1", "https://a/2#f", "https://a/2//",
            "ftp://a/2", "https://u:p@a/2", "https://a:99999/2", "https://a/../b", "https://😀/2",
        ] as [RestRequest.Service.Address])
    func odd(address: RestRequest.Service.Address) async throws {
        let client = try client([Self.content: address])
        let error = await expectFailure(.invalidRequest) { try await client.send(.plainLimits) }
        #expect(error?.message.hasPrefix("services.content: ") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test("plain HTTP is rejected for every service, except on this machine")
    func plain() async throws {
        let client = try client([Self.content: .init(origin: Origin(scheme: .http, host: "content.example.com"))])
        let request = RestRequest(resource: .data(["a"]), service: Self.content)
        await expectFailure(.invalidRequest) { try await client.send(request) }
        #expect(transport.requests.isEmpty)
    }

    @Test("a transport rejects a request without a server")
    func relative() async throws {
        let url = HTTPURL(path: "/a", query: "b=1")
        #expect(url.isRelative)
        #expect(url.description == "/a?b=1")
        #expect(throws: TransportError.self) { try HTTPRequest(url: url).validate() }
    }
}
