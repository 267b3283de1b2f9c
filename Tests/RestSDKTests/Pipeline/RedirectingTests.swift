// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport
import Testing

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
        "the org's data comes from the origin that was asked, and from no other scheme, host or port",
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
            { _ = try await client.send(.limits) },
            { _ = try await client.stream(.query("SELECT Id FROM Account")) },
            { _ = try await client.describe("Account") },
            { _ = try await client.records("SELECT Id FROM Account").collect(limit: 1) },
        ]
        for (number, call) in calls.enumerated() {
            redirect(location)
            let error = await #expect(throws: RestError.self) { try await call() }
            #expect(error?.code == .redirected)
            #expect((error?.underlying as? RedirectPolicy.Refusal) == .otherOriginData, "\(String(describing: error))")
            #expect(error?.advice.contains("expectation") == true)
            #expect(transport.requests.count == number + 1)
        }
    }

    @Test("another spelling of the same origin is the org")
    func sameOrigin() async throws {
        redirect("HTTPS://EXAMPLE.my.salesforce.com:443/moved")
        transport.enqueue("{}")
        _ = try await client().send(.limits)
        #expect(transport.requests.last?.fields["Authorization"] == "Bearer token")
    }

    @Test("the content of a file may come from another origin, without credentials")
    func content() async throws {
        let folder = try TemporaryFolder()
        let client = try client()
        let location = "https://files.example.com/x"
        for body in ["sent", "streamed", "downloaded", "other"] {
            redirect(location)
            transport.enqueue(body)
        }
        #expect(try await client.send(Self.file).body == Array("sent".utf8))
        var streamed: [UInt8] = []
        for try await piece in try await client.stream(Self.file) { streamed += piece }
        #expect(streamed == Array("streamed".utf8))
        try await client.download(Self.file, to: folder.path("file"))
        #expect(folder.text(of: "file") == "downloaded")
        try await client.download(.limits, to: folder.path("file"))
        #expect(folder.text(of: "file") == "other")
        for (number, request) in transport.requests.enumerated() {
            #expect((request.fields["Authorization"] == nil) == (number % 2 == 1))
        }
    }

    @Test("a chain that comes back has no token, and what it brings says nothing of the session or the limits")
    func comesBack() async throws {
        let client = try client()
        let there = "https://files.example.com/x"
        let back = "https://example.my.salesforce.com/back"
        for location in [there, back] { redirect(location) }
        transport.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"expired"}]"#)
        let error = await #expect(throws: RestError.self) { try await client.send(Self.file) }
        #expect(error?.code == .redirected)
        #expect(transport.requests.map { $0.fields["Authorization"] } == ["Bearer token", nil, nil])
        for location in [there, back] { redirect(location) }
        transport.enqueue(fields: ["Sforce-Limit-Info": "api-usage=100/100"], "content")
        #expect(try await client.send(Self.file).body == Array("content".utf8))
        #expect(client.allowance == nil)
    }

    @Test("a redirect on the same origin keeps the token, one to another origin loses it")
    func credentials() async throws {
        transport.enqueue(status: 302, fields: ["Location": "/moved"])
        transport.enqueue("{}")
        transport.enqueue(status: 302, fields: ["Location": "https://files.example.com/x"])
        transport.enqueue("{}")
        let client = try client()
        _ = try await client.send(.limits)
        _ = try await client.send(Self.file)
        #expect(
            transport.requests.map { $0.fields["Authorization"] } == [
                "Bearer token", "Bearer token", "Bearer token", nil,
            ])
        #expect(transport.requests[1].url.path == "/moved")
    }

    @Test(
        "what would leak, loop or write elsewhere is refused",
        arguments: [
            "http://example.my.salesforce.com/x", "http://127.0.0.1/x", "https://169.254.169.254/x",
            "ftp://example.com/x",
        ])
    func refused(location: String) async throws {
        transport.enqueue(status: 302, fields: ["Location": location])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .redirected)
        #expect(transport.requests.count == 1)
    }

    @Test("a write is not sent to another origin")
    func write() async throws {
        transport.enqueue(status: 307, fields: ["Location": "https://files.example.com/x"])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == .redirected)
        #expect(error?.outcome == .notApplied)
    }

    @Test("a redirect that would turn a write into a read is refused", arguments: [301, 302, 303])
    func becomesRead(status: Int) async throws {
        transport.enqueue(status: status, fields: ["Location": "/maintenance"])
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == .redirected)
        #expect(error?.message.contains("becomesRead") == true)
        #expect(transport.requests.count == 1)
    }

    @Test("a login page elsewhere does not end the org's session")
    func foreign401() async throws {
        transport.enqueue(status: 302, fields: ["Location": "https://sso.example.com/"])
        transport.enqueue(status: 401)
        transport.enqueue("{}")
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(Self.file) }
        #expect(error?.code == .redirected)
        #expect(try await client.send(.limits).payload == .dictionary([:]))
    }

    @Test("a chain of redirects ends after five")
    func loop() async throws {
        for _ in 0..<9 { transport.enqueue(status: 302, fields: ["Location": "/again"]) }
        let client = try client()
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.message.contains("tooManyHops") == true)
        #expect(transport.requests.count == 6)
    }
}
