// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTransport
import Testing

@testable import RestTesting

@Suite("Fault proxy", .timeLimit(.minutes(5)))
struct FaultProxyTests {
    private static let get = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let post = "POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nbody"
    private static let response = "HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nhello"
    private static let turn: ScriptServer.Script = [.readRequest, .respond("hello")]

    /// Starts a server with eight responses per connection, and a proxy with one fault for the first exchange.
    private func pair(_ fault: NetworkFault?) throws -> (ScriptServer, FaultProxy) {
        let server = try ScriptServer((0..<8).flatMap { _ in Self.turn })
        return (server, try FaultProxy(to: server.port, plan: FaultPlan(script: [[fault]])))
    }

    /// Returns the first exchange and its connection after everything has finished.
    private func first(_ proxy: FaultProxy) async throws -> (FaultProxy.Exchange, FaultProxy.Connection) {
        let connection = try #require(await proxy.stop().connections.first)
        return (try #require(connection.exchanges.first), connection)
    }

    @Test("Without faults, several exchanges on a connection pass unchanged, and the Host header names the server")
    func passes() async throws {
        let (server, proxy) = try pair(nil)
        let client = try RawClient(port: proxy.port)
        for _ in 0..<3 {
            await client.send(Self.post)
            #expect(await client.read(Self.response.utf8.count) == Self.response)
        }
        let transport = CurlTransport()
        let response = try await transport.send(HTTPRequest(url: proxy.url("/y?z=1")), deadline: soon)
        #expect(response.body == Array("hello".utf8))
        let requests = await server.stop().requests
        #expect(requests.prefix(3) == [Self.post, Self.post, Self.post])
        #expect(requests.last?.hasPrefix("GET /y?z=1 HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n") == true)
        let journal = await proxy.stop()
        #expect(journal.connections.map(\.exchanges.count) == [3, 1])
        let exchange = try #require(journal.exchanges.first)
        #expect(exchange.requestLine == "POST /x HTTP/1.1")
        #expect(exchange.requestBytes == Self.post.utf8.count && exchange.isRequestDelivered)
        #expect(exchange.responseBytes == Self.response.utf8.count && exchange.isResponseDelivered)
        #expect(exchange.status == 200 && exchange.fault == nil)
    }

    @Test("Each pipelined request is a separate exchange")
    func pipelined() async throws {
        let (server, proxy) = try pair(nil)
        let client = try RawClient(port: proxy.port)
        await client.send(Self.post + Self.get + Self.post)
        #expect(await client.read(3 * Self.response.utf8.count) == Self.response + Self.response + Self.response)
        #expect(await server.stop().requests == [Self.post, Self.get, Self.post])
        #expect(await proxy.stop().exchanges.count == 3)
    }

    @Test(
        "Faults that only delay change nothing else",
        arguments: [
            NetworkFault.latency(.milliseconds(20), jitter: .milliseconds(5)), .bandwidth(bytesPerSecond: 2_000),
            .slices(bytes: 1, pause: .microseconds(300)),
        ])
    func delays(fault: NetworkFault) async throws {
        let (server, proxy) = try pair(fault)
        let client = try RawClient(port: proxy.port)
        let start = ContinuousClock.now
        await client.send(Self.post)
        #expect(await client.read(Self.response.utf8.count) == Self.response)
        #expect(ContinuousClock.now - start >= .milliseconds(20))
        #expect(await server.stop().requests == [Self.post])
        let (exchange, _) = try await first(proxy)
        #expect(exchange.isRequestDelivered && exchange.isResponseDelivered)
    }

    @Test("A reset happens before the server receives anything")
    func reset() async throws {
        let (server, proxy) = try pair(.reset)
        let reply = try await RawClient(port: proxy.port).exchange(Self.post)
        #expect(reply.text.isEmpty && !reply.isOrderly)
        #expect(await server.stop().connections.isEmpty)
        let (exchange, connection) = try await first(proxy)
        #expect(!exchange.isRequestDelivered && exchange.requestBytes == 0)
        #expect(connection.end == .reset)
    }

    @Test("With a dropped response, the server handles the request and the client sees a reset")
    func droppedResponse() async throws {
        let (server, proxy) = try pair(.droppedResponse)
        let reply = try await RawClient(port: proxy.port).exchange(Self.post)
        #expect(reply.text.isEmpty && !reply.isOrderly)
        let journal = await server.stop()
        #expect(journal.requests == [Self.post])
        #expect(journal.connections.first?.sentBytes == Self.response.utf8.count)
        let (exchange, connection) = try await first(proxy)
        #expect(exchange.isRequestDelivered && !exchange.isResponseDelivered && exchange.responseBytes == 0)
        #expect(exchange.status == 200)
        #expect(connection.end == .reset)
    }

    @Test("A duplicated response arrives twice, and the connection remains usable")
    func duplicatedResponse() async throws {
        let (server, proxy) = try pair(.duplicatedResponse)
        let client = try RawClient(port: proxy.port)
        await client.send(Self.post)
        #expect(await client.read(2 * Self.response.utf8.count) == Self.response + Self.response)
        await client.send(Self.get)
        #expect(await client.read(Self.response.utf8.count) == Self.response)
        #expect(await server.stop().requests == [Self.post, Self.get])
        #expect(await proxy.stop().exchanges.first?.responseBytes == 2 * Self.response.utf8.count)
    }

    @Test("A byte limit cuts the response", arguments: [0, 10, 42])
    func cutResponse(limit: Int) async throws {
        let (server, proxy) = try pair(.byteLimit(limit, .response))
        let reply = try await RawClient(port: proxy.port).exchange(Self.post)
        #expect(reply.text == Self.response.prefix(limit) && reply.isOrderly)
        #expect(await server.stop().requests == [Self.post])
        let (exchange, connection) = try await first(proxy)
        #expect(exchange.responseBytes == min(limit, Self.response.utf8.count) && connection.end == .closed)
    }

    @Test("A byte limit cuts the request, and the server receives only that part", arguments: [0, 10, 40])
    func cutRequest(limit: Int) async throws {
        let (server, proxy) = try pair(.byteLimit(limit, .request))
        let reply = try await RawClient(port: proxy.port).exchange(Self.post)
        #expect(reply.text.isEmpty)
        let (exchange, _) = try await first(proxy)
        #expect(exchange.requestBytes == limit && !exchange.isRequestDelivered)
        let journal = await server.wait { limit == 0 || $0.connections.first?.isClosedByPeer == true }
        #expect(journal.connections.flatMap(\.received) == Array(Self.post.utf8.prefix(limit)))
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("One byte of the request or the response is changed", arguments: NetworkFault.Direction.allCases)
    func corruptByte(direction: NetworkFault.Direction) async throws {
        let (server, proxy) = try pair(.corruptByte(5, direction))
        let client = try RawClient(port: proxy.port)
        await client.send(Self.post)
        let reply = await client.read(Self.response.utf8.count)
        let sent = (await server.stop()).connections[0].received
        #expect((reply == Self.response) == (direction == .request))
        #expect((sent == Array(Self.post.utf8)) == (direction == .response))
        #expect(sent.count == Self.post.utf8.count)
        await proxy.stop()
    }

    @Test(
        "A black hole swallows the request or the response until the client gives up",
        arguments: NetworkFault.Direction.allCases)
    func blackhole(direction: NetworkFault.Direction) async throws {
        let (server, proxy) = try pair(.blackhole(direction))
        let transport = CurlTransport()
        let request = HTTPRequest(method: .post, url: proxy.url(), body: .bytes([1]))
        let isResponse = direction == .response
        let deadline = isResponse ? soon : .now + .seconds(1)
        let call = Task { () async throws(TransportError) in try await transport.send(request, deadline: deadline) }
        // The client gives up after the server has sent its response, or without the server receiving anything.
        if isResponse {
            await server.wait { !$0.requests.isEmpty }
            call.cancel()
        }
        let error = await #expect(throws: TransportError.self) { try await call.value }
        #expect(error?.code == (isResponse ? .cancelled : .timedOut))
        await proxy.wait { $0.connections.first?.end != nil }
        #expect(await server.stop().requests.count == (direction == .response ? 1 : 0))
        let (exchange, connection) = try await first(proxy)
        #expect(exchange.isRequestDelivered == (direction == .response) && exchange.responseBytes == 0)
        #expect(connection.end == .clientClosed)
    }

    @Test("With a slow close, the response arrives and later requests are lost before the connection closes")
    func slowClose() async throws {
        let (server, proxy) = try pair(.slowClose(.milliseconds(100)))
        let client = try RawClient(port: proxy.port)
        await client.send(Self.post)
        #expect(await client.read(Self.response.utf8.count) == Self.response)
        let reply = await client.exchange(Self.post)
        #expect(reply.text.isEmpty)
        #expect(await server.stop().requests == [Self.post])
        #expect(try await first(proxy).1.end == .closed)
    }

    @Test("With a half close, one side sees the end of the connection and the other side continues")
    func halfClose() async throws {
        let (server, proxy) = try pair(.halfClose(.response))
        let reply = try await RawClient(port: proxy.port).exchange(Self.post)
        #expect(reply.text == Self.response && reply.isOrderly)
        #expect(await server.stop().requests == [Self.post])
        await proxy.stop()
        let late = try ScriptServer([.readRequest, .readToEnd, .respond("hello")])
        let other = try FaultProxy(to: late.port, plan: FaultPlan(script: [[.halfClose(.request)]]))
        let answered = try await RawClient(port: other.port).exchange(Self.post)
        #expect(answered.text == Self.response, "the server saw the end and still answered")
        #expect(try await first(other).1.end == .serverClosed)
    }

    @Test("The proxy passes on that a server is stopped, closes or resets")
    func serverEnds() async throws {
        let server = try ScriptServer(connections: [
            [.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nto the end")],
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")], [.readRequest, .reset],
        ])
        let proxy = try FaultProxy(to: server.port, plan: FaultPlan(script: []))
        #expect(try await RawClient(port: proxy.port).exchange(Self.get) == ("HTTP/1.1 200 OK\r\n\r\nto the end", true))
        #expect(try await RawClient(port: proxy.port).exchange(Self.get).text.hasSuffix("abc"))
        #expect(try await RawClient(port: proxy.port).exchange(Self.get) == ("", false))
        await server.stop()
        #expect(try await RawClient(port: proxy.port).exchange(Self.get) == ("", false))
        let journal = await proxy.stop()
        #expect(journal.connections.map(\.end) == [.serverClosed, .serverClosed, .serverLost, .serverLost])
        #expect(journal.exchanges.map(\.isResponseDelivered) == [true, false, false, false])
    }

    @Test("A large body passes in both directions, and an interim response arrives before the request body")
    func large() async throws {
        let body = Array(repeating: UInt8(ascii: "x"), count: 3_000_000)
        let server = try ScriptServer([
            .readHeader, .send("HTTP/1.1 100 Continue\r\n\r\n"), .pause(.milliseconds(10)),
            .send("HTTP/1.1 200 OK\r\nContent-Length: 3000000\r\n\r\n"), .sendBytes(body), .readToEnd,
        ])
        let proxy = try FaultProxy(to: server.port, plan: FaultPlan(script: []))
        let transport = CurlTransport()
        let request = HTTPRequest(
            method: .post, url: proxy.url(), body: .bytes(Array(repeating: UInt8(ascii: "y"), count: 200_000)))
        #expect(try await transport.send(request, deadline: soon).body == body)
        await transport.shutdown()
        #expect(await proxy.stop().exchanges.first?.status == 200)
    }

    @Test("Stopping the proxy ends the exchanges in flight and closes all connections")
    func stopping() async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let proxy = try FaultProxy(
            to: server.port, plan: FaultPlan(script: [[.latency(.seconds(60), jitter: .zero)], [.blackhole(.request)]]))
        let clients = try (0..<4).map { _ in try RawClient(port: proxy.port) }
        for client in clients {
            await client.send(Self.get)
            await proxy.wait { $0.exchanges.count > 0 }
        }
        await proxy.wait { $0.exchanges.count == 4 }
        let journal = await proxy.stop()
        #expect(journal.connections.map(\.end) == [.stopped, .stopped, .stopped, .stopped])
        for client in clients { #expect(await client.readToEnd().text.isEmpty) }
        #expect(throws: (any Error).self) { try RawClient(port: proxy.port) }
    }
}
