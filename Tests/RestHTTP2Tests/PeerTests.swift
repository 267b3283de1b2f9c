// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import BuiltPrograms
import Foundation
import RestBase
import RestCurl
import RestHTTP2
import RestTesting
import RestTransport
import Testing

@Suite("gRPC with grpcio", .timeLimit(.minutes(3)))
struct GRPCIOTests {
    @Test("Our client calls a server of grpcio: unary, both directions, errors, metadata, deadlines")
    func client() async throws {
        let peer = try GRPCPeer()
        let connection = try await peer.connect()
        for size in [0, 1, 70_000, 3_000_000] {
            let message = [UInt8](repeating: 9, count: size)
            #expect(try await GRPCCall.unary("/test.Peer/Echo", message, on: connection) == message)
        }
        try await chat(on: connection, messages: 10_000)
        let counted = try GRPCCall("/test.Peer/Count", on: connection)
        try await counted.send(Array("300 100000".utf8), isEnd: true)
        var count = 0
        while let message = try await counted.next() {
            #expect(message.count == 100_004)
            count += 1
        }
        #expect(count == 300)
        try await fails(on: connection)
        await connection.shutdown()
    }

    /// Sends and receives messages at the same time.
    private func chat(on connection: HTTP2Connection, messages: Int) async throws {
        let call = try GRPCCall("/test.Peer/Chat", on: connection)
        let writer = Task {
            for index in 0..<messages {
                try await call.send([UInt8](repeating: UInt8(index % 256), count: index % 700))
            }
            try await call.finishSending()
        }
        var count = 0
        while let message = try await call.next() {
            #expect(message.count == count % 700 && message.allSatisfy { $0 == UInt8(count % 256) })
            count += 1
        }
        #expect(count == messages)
        try await writer.value
    }

    private func fails(on connection: HTTP2Connection) async throws {
        for (index, code) in [(1, GRPCError.Code.cancelled), (5, .notFound), (13, .internal), (16, .unauthenticated)] {
            let error = await failure { () async throws(GRPCError) in
                try await GRPCCall.unary("/test.Peer/Fail", Array(String(index).utf8), on: connection)
            }
            #expect(error?.code == code && error?.message == "naïve 100 % “text”\n with a line")
            #expect(error?.trailers["error-code"] == "sfdc.test.failed" && error?.trailers["rpc-id"] == "17")
        }
        let late = try GRPCCall("/test.Peer/FailLate", on: connection)
        try await late.send(Array("10".utf8), isEnd: true)
        #expect(try await late.next() == Array("one".utf8))
        #expect(await failure { () async throws(GRPCError) in try await late.next() }?.code == .aborted)
        let unknown = await failure { () async throws(GRPCError) in
            try await GRPCCall.unary("/test.Peer/None", [], on: connection)
        }
        #expect(unknown?.code == .unimplemented)
        let seen = try await GRPCCall.unary(
            "/test.Peer/Metadata", [], on: connection, metadata: ["accesstoken": "00D!x", "tenantid": "t"])
        #expect(String(decoding: seen, as: UTF8.self).contains("accesstoken=00D!x\ntenantid=t"))
        let slow = await failure { () async throws(GRPCError) in
            try await GRPCCall.unary("/test.Peer/Sleep", [], on: connection, deadline: .now + .milliseconds(200))
        }
        #expect(slow?.code == .deadlineExceeded)
    }

    @Test("A client of grpcio calls our server")
    func server() async throws {
        let server = try LoopbackServer { call async throws(GRPCError) in
            switch call.path {
            case "/test.Ours/Echo", "/test.Ours/Chat":
                while let message = try await call.next() { try await call.send(message) }
            case "/test.Ours/Fail", "/test.Ours/FailLate":
                let isLate = call.path.hasSuffix("Late")
                if isLate { try await call.send(Array("one".utf8)) }
                throw GRPCError(
                    isLate ? .aborted : .failedPrecondition, "naïve 100 % “text”\n with a line",
                    trailers: ["error-code": "sfdc.test.failed"])
            case "/test.Ours/Sleep": try? await Task.sleep(for: .seconds(30))
            case "/test.Ours/Metadata":
                try call.respond(with: ["x-first": "yes"])
                let lines = call.metadata.map { "\($0.name)=\($0.value)" }.joined(separator: "\n")
                try await call.send(Array(lines.utf8))
            default: throw GRPCError(.unimplemented, "no method \(call.path)")
            }
        }
        let program = try RunningProgram(Python.interpreter, [GRPCPeer.script, "call", String(server.port), "10000"])
        let outcome = await program.finish()
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output == "echoed\nfailed\nfailed late\ntimed out\ndone\n")
        await server.stop()
    }

    @Test("TLS negotiates HTTP/2 with grpcio, and libcurl's trust and pins apply")
    func tls() async throws {
        ignoreProxies()
        let authority = try await TestAuthority.make()
        let identity = try await authority.identity()
        let peer = try GRPCPeer([identity.keyFile, identity.certificateFile])
        let origin = Origin(scheme: .https, host: "127.0.0.1", port: peer.port)
        var configuration = CurlConfiguration()
        let untrusted = await failure { [configuration] () async throws(HTTP2Error) in
            try await HTTP2Connection.connect(to: origin, configuration: configuration, deadline: soon)
        }
        #expect(untrusted?.transport?.code == .tls)
        configuration.tls.authoritiesFile = authority.certificateFile
        configuration.tls.pinnedKeyDigests = ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="]
        let pinned = await failure { [configuration] () async throws(HTTP2Error) in
            try await HTTP2Connection.connect(to: origin, configuration: configuration, deadline: soon)
        }
        #expect(pinned?.transport?.code == .tls)
        configuration.tls.pinnedKeyDigests = [try await authority.keyDigest(of: identity)]
        let connection = try await HTTP2Connection.connect(to: origin, configuration: configuration, deadline: soon)
        let large = [UInt8](repeating: 4, count: 3_000_000)
        #expect(try await GRPCCall.unary("/test.Peer/Echo", large, on: connection) == large)
        try await chat(on: connection, messages: 2_000)
        await connection.shutdown()
    }

    @Test("A proxy's tunnel and a client certificate are those of the configuration")
    func tunnel() async throws {
        let authority = try await TestAuthority.make()
        var wishes = TestAuthority.Wishes()
        wishes.host = "DNS:peer.test"
        let identity = try await authority.identity(wishes)
        wishes.purpose = "clientAuth"
        let client = try await authority.identity(wishes)
        let peer = try GRPCPeer([identity.keyFile, identity.certificateFile, authority.certificateFile])
        let proxy = try BytesProxy(to: peer.port, isTunnel: true)
        let origin = Origin(scheme: .https, host: "peer.test", port: 7_443)
        var configuration = CurlConfiguration()
        configuration.proxy = .server(HTTPURL(origin: proxy.origin, path: "/"))
        configuration.tls.authoritiesFile = authority.certificateFile
        configuration.tls.clientCertificateFile = client.certificateFile
        configuration.tls.clientKeyFile = client.keyFile
        let connection = try await HTTP2Connection.connect(to: origin, configuration: configuration, deadline: soon)
        #expect(try await GRPCCall.unary("/test.Peer/Echo", [1, 2], on: connection) == [1, 2])
        #expect(proxy.tunnels.value == ["CONNECT peer.test:7443 HTTP/1.1"])
        await connection.shutdown()
        configuration.tls.clientCertificateFile = nil
        configuration.tls.clientKeyFile = nil
        // With TLS 1.3 a server rejects the client after the handshake.
        let error = await failure { [configuration] () async throws(GRPCError) in
            do throws(HTTP2Error) {
                let connection = try await HTTP2Connection.connect(
                    to: origin, configuration: configuration, deadline: soon)
                _ = try await connection.open("/test.Peer/Echo").response()
            } catch {
                throw GRPCError(error)
            }
        }
        #expect(error?.code == .unavailable)
        proxy.stop()
    }

    @Test("A TLS server without HTTP/2 is an error that says so, whether it ignores the offer or rejects it")
    func notNegotiated() async throws {
        ignoreProxies()
        let authority = try await TestAuthority.make()
        for options in [[], ["-alpn", "http/1.1"]] {
            let server = try await TLSServer.start(authority.identity(), options: options)
            var configuration = CurlConfiguration()
            configuration.tls.authoritiesFile = authority.certificateFile
            let error = await failure { [configuration] () async throws(HTTP2Error) in
                try await HTTP2Connection.connect(to: server.url.origin, configuration: configuration, deadline: soon)
            }
            #expect(error?.code == .notNegotiated, "\(String(describing: error))")
            #expect(error?.message.contains("does not offer HTTP/2") == true)
            await server.stop()
        }
    }

    @Test("A server of grpcio that is killed fails the calls as unavailable")
    func killed() async throws {
        var peer: GRPCPeer? = try GRPCPeer()
        let connection = try #require(try await peer?.connect())
        let call = try GRPCCall("/test.Peer/Chat", on: connection)
        try await call.send([1])
        #expect(try await call.next() == [1])
        peer = nil
        let error = await failure { () async throws(GRPCError) in try await call.next() }
        #expect(error?.code == .unavailable && error?.cause?.code == .connectionLost)
        #expect(!connection.isUsable)
    }
}

@Suite("HTTP/2 with the programs of nghttp2", .timeLimit(.minutes(2)))
struct NGHTTP2Tests {
    @Test("Our client reads files of nghttpd, many at a time")
    func nghttpd() async throws {
        let folder = try ProgramDirectory()
        let content = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try folder.write(content, to: "file")
        let port = try Socket.portForLater()
        let server = try RunningProgram(
            URL(filePath: "/usr/bin/env"), ["nghttpd", "--no-tls", "-d", folder.url(".").path, String(port)],
            input: nil)
        defer { server.kill() }
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: port)
        var connection: HTTP2Connection?
        while connection == nil {
            connection = try? await HTTP2Connection.connect(to: origin, deadline: soon)
        }
        let client = try #require(connection)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let stream = try client.open(index % 8 == 7 ? "/none" : "/file", method: "GET", isEnd: true)
                    let status = try await stream.response().status
                    let body = try await stream.body()
                    #expect(index % 8 == 7 ? status == 404 : status == 200 && body == content)
                }
            }
            try await group.waitForAll()
        }
        await client.shutdown()
    }

    @Test("h2load makes ten thousand requests of our server without an error")
    func h2load() async throws {
        let server = try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket) { _, stream in
                try? stream.respond()
                try? await stream.send([UInt8](repeating: 0x61, count: 1_000), isEnd: true)
            }
        }
        let program = try RunningProgram(
            URL(filePath: "/usr/bin/env"),
            ["h2load", "-n", "10000", "-c", "4", "-m", "20", "http://127.0.0.1:\(server.port)/"])
        let outcome = await program.finish()
        #expect(outcome.output.contains("10000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(outcome.output)")
        await server.stop()
    }
}
#endif
