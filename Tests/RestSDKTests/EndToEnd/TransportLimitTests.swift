// SPDX-License-Identifier: Apache-2.0

import RestTesting
import Testing

@testable import RestSDK

@Suite("Limits of the platform's transport, over real sockets", .timeLimit(.minutes(1)))
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
        return await #expect(throws: RestError.self) { try await client.send(.limits) }
    }

    @Test("a connection that does not come about ends the call long before its own time is up")
    func connecting() async throws {
        let port = try SilentPort()
        let client = try client(of: port.url.origin) { $0.connectTimeout = .milliseconds(200) }
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .notConnected)
        #expect(error?.systemErrors.first == TransportError.SystemError(.curl, 28))
    }

    @Test("an answer that does not begin ends the call")
    func firstByte() async throws {
        let error = try await failure([.readRequest, .pause(.seconds(8))]) { $0.firstByteTimeout = .milliseconds(200) }
        #expect(error?.code == .timedOut)
    }

    @Test("a body that falls silent ends the call")
    func idle() async throws {
        let script: ScriptServer.Script = [
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"), .pause(.seconds(8)),
        ]
        #expect(try await failure(script) { $0.idleTimeout = .milliseconds(200) }?.code == .timedOut)
    }

    @Test("an answer that is too large is not kept")
    func size() async throws {
        let body = "\"\(String(repeating: "x", count: 2_000))\""
        let script: ScriptServer.Script = [.readRequest, .respond(body)]
        #expect(try await failure(script) { $0.maximumResponseSize = 1_999 }?.code == .tooLarge)
    }

    @Test(
        "with one connection, calls wait for it in line, and none is forgotten there",
        arguments: [
            { @Sendable in $0.maximumConnectionsPerHost = 1 }, { $0.maximumConnections = 1 },
        ] as [@Sendable (inout RestClient.TransportLimits) -> Void])
    func connections(limit: @Sendable (inout RestClient.TransportLimits) -> Void) async throws {
        // Whether libcurl forgets one depends on the clock's steps: many rounds, so that it shows.
        for _ in 0..<20 {
            let server = try ScriptServer((0..<8).flatMap { _ in [.readRequest, .respond("{}")] })
            let client = try client(of: server.url().origin, limit)
            try await withThrowingTaskGroup { group in
                for _ in 0..<8 { group.addTask { _ = try await client.send(.limits) } }
                try await group.waitForAll()
            }
            #expect(server.journal.connections.count == 1)
        }
    }

    @Test("the default limits are those of the process's own connections, others and transports of your own are not")
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

    @Test("limits beyond all measure are as good as none")
    func immeasurable() async throws {
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let client = try client(of: server.url().origin) { [longest] limits in
            (limits.connectTimeout, limits.firstByteTimeout, limits.idleTimeout) = (longest, longest, longest)
            (limits.maximumResponseSize, limits.maximumConnections) = (.max, .max)
            limits.maximumConnectionsPerHost = .max
        }
        #expect(try await client.send(.limits.timeout(longest)).payload == .dictionary([:]))
    }

    private let longest = Duration(secondsComponent: .max, attosecondsComponent: 0)

    @Test(
        "a limit that nobody can keep is refused before anything is sent, naming it",
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
        let error = await #expect(throws: RestError.self) { try await client.send(.limits) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasPrefix("transportLimits.\(name): ") == true, "\(error?.message ?? "")")
    }
}
