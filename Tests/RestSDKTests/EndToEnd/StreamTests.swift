// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestSDK

@Suite("Streams of the client", .timeLimit(.minutes(2)))
struct StreamTests {
    private func client(
        of server: ScriptServer, _ configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws -> RestClient {
        try RestClient(instanceURL: "\(server.url().origin)", accessToken: "t", configuration: configuration)
    }

    private static func head(_ length: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" }

    private func rest(_ stream: ResponseStream) async throws -> String {
        var bytes: [UInt8] = []
        for try await chunk in stream { bytes += chunk }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a stream is authorized, retried until its response head arrives, and read to its end")
    func whole() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 503 No\r\nRetry-After: 0\r\nContent-Length: 2\r\n\r\nno"), .readRequest,
            .send(Self.head(11)), .send("hello "), .send("world"),
        ])
        let stream = try await client(of: server).stream(.plainLimits)
        #expect(stream.head.status == 200)
        #expect(try await rest(stream) == "hello world")
        #expect(try await rest(stream).isEmpty)
        let requests = server.journal.requests
        #expect(requests.count == 2)
        await server.stop()
    }

    @Test("an error response has the server's errors, as in any other call")
    func refused() async throws {
        let body = #"[{"errorCode":"NOT_FOUND","message":"no"}]"#
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 404 No\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"),
        ])
        let client = try client(of: server)
        let error = await expectFailure(.notFound) { try await client.stream(.plainLimits) }
        #expect(error?.faults.first?.errorCode == "NOT_FOUND")
        await server.stop()
    }

    @Test("an interrupted body is an error after the bytes that arrived")
    func brokenOff() async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let stream = try await client(of: server).stream(.plainLimits)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Array("some".utf8))
        await server.stop()
        for _ in 1...2 {
            let error = await expectFailure(.transport) { try await rest(stream) }
            #expect(error?.request?.name == "limits")
        }
    }

    enum Ending: CaseIterable { case cancelTask, cancelAll, shutdown }

    @Test(
        "a waiting reader gets the end of the call, and the connection is closed",
        arguments: Ending.allCases)
    func ended(ending: Ending) async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let client = try client(of: server)
        let stream = try await client.stream(.plainLimits)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.count == 4)
        let reading = Task {
            var iterator = stream.makeAsyncIterator()
            return await Result { () async throws(RestError) in try await iterator.next(isolation: nil) }.failure
        }
        await Task.yield()
        switch ending {
        case .cancelTask: reading.cancel()
        case .cancelAll: client.cancelAll()
        case .shutdown: client.shutdown()
        }
        #expect(await reading.value?.code == (ending == .shutdown ? .shutDown : .cancelled))
        _ = await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await server.stop()
    }

    @Test("a stream without a reader closes its connection, also when the client ends it between two chunks")
    func leftAlone() async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let client = try client(of: server)
        do { _ = try await client.stream(.plainLimits) }
        _ = await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await server.stop()

        let other = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let second = try self.client(of: other)
        let stream = try await second.stream(.plainLimits)
        second.cancelAll()
        await expectFailure(.cancelled) { try await rest(stream) }
        _ = await other.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await other.stop()
    }

    @Test("the call's timeout includes the body")
    func late() async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let client = try client(of: server)
        let stream = try await client.stream(.plainLimits.timeout(.seconds(1)))
        await expectFailure(.timedOut) { try await rest(stream) }
        await server.stop()
    }

    @Test("lines are returned without line ends, regardless of the chunks of the body")
    func lines() async throws {
        let text = "one\r\ntwo\n\nfour é\r\r\nlast"
        let server = try ScriptServer(
            [.readRequest, .send(Self.head(text.utf8.count))] + text.utf8.map { .sendBytes([$0]) })
        var lines: [String] = []
        for try await line in try await client(of: server).stream(.plainLimits).lines { lines.append(line) }
        #expect(lines == ["one", "two", "", "four é\r", "last"])
        await server.stop()
    }
}

@Suite("Sequences with the embedded org")
struct SequenceTests {
    @Test("truncated child lists are completed with the same children as a separate query returns")
    func children() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.childPageSize = 1
        try await withClient(configuration) { client, _ in
            var expected: [String: [String]] = [:]
            for try await contact in client.records("SELECT Id, AccountId FROM Contact ORDER BY Id") {
                expected[contact["AccountId"]?.string ?? "", default: []].append(contact.id ?? "")
            }
            var found: [String: [String]] = [:]
            for try await account in client.records("SELECT Id, (SELECT Id FROM Contacts ORDER BY Id) FROM Account") {
                let children = account["Contacts"]?["records"]?.array?.compactMap { $0["Id"]?.string } ?? []
                #expect(children.count == account["Contacts"]?["totalSize"]?.int ?? 0)
                found[account.id ?? ""] = children.isEmpty ? nil : children
            }
            #expect(found.values.contains { $0.count > 1 })
            #expect(found == expected.filter { !$0.key.isEmpty })
        }
    }

    @Test("a list of a hundred times one id and an empty string, a query of two kilobytes, finds the record once")
    func repeatedIdentifier() async throws {
        try await withClient { client, org in
            let id = try #require(
                try await client.records("SELECT Id FROM Account LIMIT 1").collect(limit: 1).first?.id)
            let query: SOQL = "SELECT Id, Name FROM Account WHERE Id IN \(Array(repeating: id, count: 100) + [""])"
            #expect((2_000...2_500).contains(query.text.utf8.count) && query.text.hasSuffix(",'')"))
            let payload = try await client.send(.query(query)).payload
            #expect(payload["totalSize"] == 1)
            #expect(payload["records"]?[0]?["Id"]?.string == id)
            #expect(org.journal.entries.last?.target.contains("/query?q=") == true)
        }
    }

    @Test("a query too long for a URL returns the same records as its short form, on all pages")
    func longQuery() async throws {
        try await withClient(LocalOrgConfiguration(records: 500)) { client, org in
            let ids = try await client.records("SELECT Id FROM Account ORDER BY Id").collect(limit: 2_000).compactMap(
                \.id)
            let query: SOQL = "SELECT Id FROM Account WHERE Id IN \(ids + ids) ORDER BY Id"
            #expect(query.text.utf8.count > 16_384)
            let found = try await client.records(query, batchSize: 200).collect(limit: 2_000).compactMap(\.id)
            #expect(found == ids)
            #expect(org.journal.entries.filter { $0.pathHasSuffix("/composite") }.count == 1)
            let wrong: SOQL = "SELECT Nmae FROM Account WHERE Id IN \(ids + ids)"
            let error = await #expect(throws: RestError.self) { try await client.send(.query(wrong)) }
            #expect(error?.faults.first?.errorCode == .invalidField)
        }
    }
}

@Suite("Transport limits, over real sockets", .timeLimit(.minutes(1)))
struct TransportLimitTests {
    private func client(
        of origin: Origin, _ limit: (inout RestClient.TransportLimits) -> Void
    ) throws -> RestClient {
        var configuration = RestClient.Configuration(timeout: .seconds(30), retryPolicy: .never)
        limit(&configuration.transportLimits)
        return try RestClient(instanceURL: "\(origin)", accessToken: "t", configuration: configuration)
    }

    private func failure(
        _ script: ScriptServer.Script, _ limit: (inout RestClient.TransportLimits) -> Void
    ) async throws -> RestError? {
        let server = try ScriptServer(script)
        let client = try client(of: server.url().origin, limit)
        return await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
    }

    @Test("a connection that is not established ends the call long before its timeout")
    func connecting() async throws {
        let port = try SilentPort()
        let client = try client(of: port.url.origin) { $0.connectTimeout = .milliseconds(200) }
        let error = await expectFailure(.notConnected) { try await client.send(.plainLimits) }
        #expect(error?.systemErrors.first == TransportError.SystemError(.curl, 28))
    }

    @Test("a response that does not begin ends the call")
    func firstByte() async throws {
        let error = try await failure([.readRequest, .pause(.seconds(8))]) { $0.firstByteTimeout = .milliseconds(200) }
        #expect(error?.code == .timedOut)
    }

    @Test("a body that stops arriving ends the call")
    func idle() async throws {
        let script: ScriptServer.Script = [
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), .pause(.seconds(8)),
        ]
        #expect(try await failure(script) { $0.idleTimeout = .milliseconds(200) }?.code == .timedOut)
    }

    @Test("a response that is too large is rejected")
    func size() async throws {
        let body = "\"\(String(repeating: "x", count: 2_000))\""
        let script: ScriptServer.Script = [.readRequest, .respond(body)]
        #expect(try await failure(script) { $0.maximumResponseSize = 1_999 }?.code == .tooLarge)
    }

    @Test(
        "with one connection, calls wait in its queue, and none is forgotten",
        arguments: [
            { @Sendable in $0.maximumConnectionsPerHost = 1 }, { $0.maximumConnections = 1 },
        ] as [@Sendable (inout RestClient.TransportLimits) -> Void])
    func connections(limit: @Sendable (inout RestClient.TransportLimits) -> Void) async throws {
        // Whether libcurl forgets a call depends on the clock's resolution, so many rounds are needed to show it.
        for _ in 0..<20 {
            let server = try ScriptServer((0..<8).flatMap { _ in [.readRequest, .respond("{}")] })
            let client = try client(of: server.url().origin, limit)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { _ = try await client.send(.plainLimits) } }
                try await group.waitForAll()
            }
            #expect(server.journal.connections.count == 1)
        }
    }

    @Test("default limits share the connections of the process, and other limits and custom transports do not")
    func sharing() {
        func transport(of configuration: RestClient.Configuration) -> ObjectIdentifier {
            ObjectIdentifier(configuration.withTransport.transport as AnyObject)
        }
        let shared = ObjectIdentifier(PlatformTransport.shared as AnyObject)
        var configuration = RestClient.Configuration()
        #expect(transport(of: configuration) == shared)
        configuration.transportLimits.idleTimeout = nil
        #expect(transport(of: configuration) != shared)
        configuration.transportLimits = RestClient.TransportLimits()
        #expect(transport(of: configuration) == shared)
        let own = StubTransport()
        configuration.transport = own
        configuration.transportLimits.connectTimeout = .seconds(1)
        #expect(transport(of: configuration) == ObjectIdentifier(own))
    }

    @Test("huge limits behave like no limits")
    func immeasurable() async throws {
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let client = try client(of: server.url().origin) { [longest] limits in
            (limits.connectTimeout, limits.firstByteTimeout, limits.idleTimeout) = (longest, longest, longest)
            (limits.maximumResponseSize, limits.maximumConnections) = (.max, .max)
            limits.maximumConnectionsPerHost = .max
        }
        #expect(try await client.send(.plainLimits.timeout(longest)).payload == .dictionary([:]))
    }

    private let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)

    @Test(
        "an invalid limit is rejected by name before anything is sent",
        arguments: [
            (
                "connectTimeout",
                { @Sendable (limits: inout RestClient.TransportLimits) in limits.connectTimeout = .zero }
            ),
            ("firstByteTimeout", { $0.firstByteTimeout = .seconds(-1) }),
            ("idleTimeout", { $0.idleTimeout = .zero }),
            ("maximumResponseSize", { $0.maximumResponseSize = 0 }),
            ("maximumConnectionsPerHost", { $0.maximumConnectionsPerHost = 0 }),
            ("maximumConnections", { $0.maximumConnections = -1 }),
        ] as [(String, @Sendable (inout RestClient.TransportLimits) -> Void)])
    func refused(name: String, limit: @Sendable (inout RestClient.TransportLimits) -> Void) async throws {
        let client = try client(of: Origin(scheme: .https, host: "example.my.salesforce.com"), limit)
        let error = await expectFailure(.invalidRequest) { try await client.send(.plainLimits) }
        #expect(error?.message.hasPrefix("transportLimits.\(name): ") == true, "\(error?.message ?? "")")
    }
}
