// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport follows its configuration", .timeLimit(.minutes(1)))
struct ConfigurationTests {
    private func transport(_ change: (inout CurlConfiguration) -> Void) -> CurlTransport {
        var configuration = CurlConfiguration()
        change(&configuration)
        return CurlTransport(configuration: configuration)
    }

    private func error(of transport: CurlTransport, _ request: HTTPRequest) async -> TransportError? {
        await transport.error(for: request)
    }

    @Test("Requests above the number of connections wait in the queue")
    func connectionLimit() async throws {
        let transport = transport { $0.maximumConnectionsPerHost = 8 }
        let turns = Array(repeating: [ScriptServer.Step.readRequest, .respond("ok")], count: 1_000).flatMap { $0 }
        let server = try ScriptServer(turns)
        let url = server.url()
        let count = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 {
                group.addTask { (try? await transport.send(HTTPRequest(url: url), deadline: soon))?.head.status == 200 }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1_000)
        let journal = await server.stop()
        #expect(journal.connections.count <= 8)
        #expect(journal.requests.count == 1_000)
    }

    @Test("Loopback is never reached through a proxy")
    func loopbackWithoutProxy() async throws {
        let proxy = try ScriptServer([.readRequest, .respond("proxy")])
        let transport = transport { $0.proxy = .server(proxy.url(), except: []) }
        let server = try ScriptServer([.readRequest, .respond("direct")])
        #expect(text(try await transport.send(HTTPRequest(url: server.url()), deadline: soon)) == "direct")
        #expect(await proxy.stop().connections.isEmpty)
    }

    @Test("Other hosts are reached through the proxy, and its rejection means that nothing was sent")
    func proxyRefuses() async throws {
        let proxy = try ScriptServer([.readHeader, .send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")])
        let transport = transport { $0.proxy = .server(proxy.url(), except: ["direct.invalid"]) }
        let request = HTTPRequest(
            method: .post, url: try HTTPURL(parsing: "https://somewhere.invalid/x"),
            fields: ["Authorization": "Bearer secret"], body: .bytes([1]))
        let error = await error(of: transport, request)
        expect(error, .notConnected, mayHaveReachedServer: false)
        let seen = String(decoding: (await proxy.stop()).connections.flatMap(\.received), as: UTF8.self)
        #expect(seen.hasPrefix("CONNECT somewhere.invalid:443 HTTP/1.1\r\n"))
        #expect(!seen.contains("secret"))
        let direct = HTTPRequest(url: try HTTPURL(parsing: "https://direct.invalid/"))
        #expect(await self.error(of: transport, direct)?.code == .hostNotFound)
    }

    @Test("The limit of connections applies to all hosts together, and an idle connection is closed for another host")
    func totalLimit() async throws {
        let transport = transport { $0.maximumConnections = 3 }
        let silent = try ScriptServer([.readRequest, .readToEnd])
        let other = try ScriptServer([.readRequest, .respond("ok")])
        let url = silent.url()
        let holders = (0..<8).map { _ in Task { try? await transport.send(HTTPRequest(url: url), deadline: soon) } }
        await silent.wait { $0.requests.count == 3 }
        let late = await transport.error(for: HTTPRequest(url: other.url()), until: .now + .milliseconds(150))
        expect(late, .timedOut, mayHaveReachedServer: false)
        #expect(silent.journal.connections.count == 3)
        #expect(other.journal.connections.isEmpty)
        for holder in holders { holder.cancel() }
        for holder in holders { _ = await holder.value }
        await transport.shutdown()
        let single = self.transport { $0.maximumConnections = 1 }
        let another = try ScriptServer([.readRequest, .respond("ok")])
        for server in [other, another, other] {
            #expect(text(try await single.send(HTTPRequest(url: server.url()), deadline: soon)) == "ok")
        }
    }

    @Test("Connecting has a separate timeout, after which nothing was sent")
    func connectTimeout() async throws {
        let transport = transport { $0.connectTimeout = .milliseconds(100) }
        let port = try SilentPort()
        let error = await error(of: transport, HTTPRequest(method: .post, url: port.url, body: .bytes([1])))
        expect(error, .notConnected, mayHaveReachedServer: false)
    }

    @Test("Sockets use TCP keep-alive, and are not inherited by other processes")
    func sockets() async throws {
        let server = try ScriptServer([.readRequest, .respond("ok"), .readToEnd])
        let transport = transport { _ in }
        _ = try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        let socket = try #require(ClientSocket(peerPort: server.port))
        #expect(socket.isClosedOnExec)
        #expect(socket.isKeptAlive)
        await transport.shutdown()
    }

    @Test("Metrics contain the protocol and whether the connection was reused")
    func metrics() async throws {
        let transport = transport { $0.collectsMetrics = true }
        let server = try ScriptServer([.readRequest, .respond("hello"), .readRequest, .respond("hello")])
        let request = HTTPRequest(method: .post, url: server.url(), body: .bytes([1, 2, 3]))
        let first = try #require(try await transport.send(request, deadline: soon).metrics)
        let second = try #require(try await transport.send(request, deadline: soon).metrics)
        #expect(first.protocolName == "HTTP/1.1")
        #expect(!first.isConnectionReused)
        #expect(second.isConnectionReused)
    }

    @Test("A stream has metrics only after its body was read, and only if metrics are collected")
    func streamMetrics() async throws {
        let transport = transport { $0.collectsMetrics = true }
        // More than is buffered, so that the second transfer cannot finish before its body is read.
        let block = [UInt8](repeating: 0x61, count: 65_536)
        let server = try ScriptServer([
            .readRequest, .respond("hello"), .readRequest,
            .send("HTTP/1.1 200 OK\r\nContent-Length: \(block.count * 500)\r\n\r\n"), .flood(block, count: 500),
        ])
        let request = HTTPRequest(url: server.url())
        let first = try await transport.stream(request, deadline: soon)
        _ = try await first.stream.collect(upTo: 5)
        let second = try await transport.stream(request, deadline: soon)
        #expect(second.metrics == nil)
        _ = try await second.stream.collect(upTo: .max)
        #expect(first.metrics?.isConnectionReused == false)
        let metrics = try #require(second.metrics)
        #expect(metrics.isConnectionReused)
        #expect(metrics.protocolName == "HTTP/1.1")
        #expect(metrics.receivedBytes == Int64(block.count * 500))
        #expect(metrics.total > metrics.firstByte)
        let other = self.transport { _ in }
        let again = try ScriptServer([.readRequest, .respond("hello")])
        let unmeasured = try await other.stream(HTTPRequest(url: again.url()), deadline: soon)
        _ = try await unmeasured.stream.collect(upTo: 5)
        #expect(unmeasured.metrics == nil)
    }

    @Test("A stream that is idle for too long has metrics up to that time")
    func metricsOfFailedStreams() async throws {
        let transport = transport {
            $0.collectsMetrics = true
            $0.idleTimeout = .milliseconds(50)
        }
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel"), .readToEnd,
        ])
        let response = try await transport.stream(HTTPRequest(url: server.url()), deadline: soon)
        await #expect(throws: TransportError.self) { try await response.stream.collect(upTo: 5) }
        #expect(response.metrics?.receivedBytes == 3)
    }
}

@Suite("CurlTransport conforms", .timeLimit(.minutes(3)))
struct ConformanceTests {
    init() { ignoreProxies() }

    @Test(arguments: TransportConformance.cases)
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = CurlTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }

    @Test("Every case of the limits passes", arguments: TransportConformance.limitCases)
    func keepsLimits(testCase: TransportConformance.LimitCase) async throws {
        try await testCase.run { limits in CurlTransport(configuration: CurlConfiguration().keeping(limits)) }
    }

    @Test("All cases leave no open descriptor and no thread")
    func leavesNothing() async {
        let path = Self.reportPath()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await Self.report(to: path) { try await TransportConformance.audit { CurlTransport() } }
        }
        #expect(Self.violation(in: path) == nil)
    }

    @Test("Rejecting a decompression bomb uses little memory")
    func memory() async {
        let path = Self.reportPath()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await Self.report(to: path) { try await TransportConformance.auditMemory(on: CurlTransport()) }
        }
        #expect(Self.violation(in: path) == nil)
    }

    /// Returns the path of the file in which a separate process reports its result.
    private static func reportPath() -> String { NSTemporaryDirectory() + "rest-audit-\(UUID().uuidString)" }

    private static func report(to path: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try "\(error)".write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    private static func violation(in path: String) -> String? {
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try? String(contentsOfFile: path, encoding: .utf8)
    }

    #if canImport(Glibc) || canImport(Musl)
    @Test("A60: certificates, CAs and protocols are verified", arguments: TransportConformance.trustCases)
    func trusts(testCase: TransportConformance.TrustCase) async throws {
        try await testCase.run { file in
            var configuration = CurlConfiguration()
            configuration.tls.authoritiesFile = file
            return CurlTransport(configuration: configuration)
        }
    }

    @Test(
        "Bytes after a response over TLS are not read as the next response",
        arguments: TransportConformance.leftoverCases)
    func leavesBytes(testCase: TransportConformance.LeftoverCase) async throws {
        try await testCase.run { setting in
            var configuration = CurlConfiguration()
            configuration.tls.authoritiesFile = setting.authoritiesFile
            configuration.tls.clientCertificateFile = setting.clientCertificateFile
            configuration.tls.clientKeyFile = setting.clientKeyFile
            if let proxy = setting.proxy { configuration.proxy = .server(proxy) }
            return CurlTransport(configuration: configuration)
        }
    }
    #endif
}
