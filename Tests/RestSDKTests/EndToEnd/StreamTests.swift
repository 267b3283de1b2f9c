// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

@Suite("Streams through the client", .timeLimit(.minutes(2)))
struct StreamTests {
    private func client(
        of server: ScriptServer, _ configuration: RestClient.Configuration = RestClient.Configuration()
    ) throws -> RestClient {
        try RestClient(instanceURL: "\(server.url().origin)", accessToken: "t", configuration: configuration)
    }

    private static func head(_ length: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n" }

    /// What is left of a body, in one piece.
    private func rest(_ stream: ResponseStream) async throws -> String {
        var bytes: [UInt8] = []
        for try await piece in stream { bytes += piece }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("a stream is signed, retried until its head is there, and read to its end")
    func whole() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 503 No\r\nRetry-After: 0\r\nContent-Length: 2\r\n\r\nno"), .readRequest,
            .send(Self.head(11)), .send("hello "), .send("world"),
        ])
        let stream = try await client(of: server).stream(.limits)
        #expect(stream.head.status == 200)
        #expect(try await rest(stream) == "hello world")
        #expect(try await rest(stream).isEmpty)
        let requests = server.journal.requests
        #expect(requests.count == 2)
        await server.stop()
    }

    @Test("a refusal is an error with the server's faults, like that of any call")
    func refused() async throws {
        let body = #"[{"errorCode":"NOT_FOUND","message":"no"}]"#
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 404 No\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"),
        ])
        let client = try client(of: server)
        let error = await #expect(throws: RestError.self) { try await client.stream(.limits) }
        #expect(error?.code == .notFound)
        #expect(error?.faults.first?.errorCode == "NOT_FOUND")
        await server.stop()
    }

    @Test("a body that breaks off is an error; what came before was given")
    func brokenOff() async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let stream = try await client(of: server).stream(.limits)
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next() == Array("some".utf8))
        await server.stop()
        for _ in 1...2 {
            let error = await #expect(throws: RestError.self) { try await rest(stream) }
            #expect(error?.code == .transport)
            #expect(error?.request?.name == "limits")
        }
    }

    enum Ending: CaseIterable { case cancelTask, cancelAll, shutdown }

    @Test(
        "a reader who waits for a piece is told the end of the call, and the connection is closed",
        arguments: Ending.allCases)
    func ended(ending: Ending) async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let client = try client(of: server)
        let stream = try await client.stream(.limits)
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

    @Test("a stream that nobody reads any more closes its connection, also when the client ends it between two pieces")
    func leftAlone() async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let client = try client(of: server)
        do { _ = try await client.stream(.limits) }
        _ = await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await server.stop()

        let other = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let second = try self.client(of: other)
        let stream = try await second.stream(.limits)
        second.cancelAll()
        let error = await #expect(throws: RestError.self) { try await rest(stream) }
        #expect(error?.code == .cancelled)
        _ = await other.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await other.stop()
    }

    @Test("the call's time covers the body")
    func late() async throws {
        let server = try ScriptServer([.readRequest, .send(Self.head(100)), .send("some"), .readToEnd])
        let client = try client(of: server)
        let stream = try await client.stream(.limits.timeout(.seconds(1)))
        let error = await #expect(throws: RestError.self) { try await rest(stream) }
        #expect(error?.code == .timedOut)
        await server.stop()
    }

    @Test("lines come without their ends, however the body is cut")
    func lines() async throws {
        let text = "one\r\ntwo\n\nfour é\r\r\nlast"
        let server = try ScriptServer(
            [.readRequest, .send(Self.head(text.utf8.count))] + text.utf8.map { .sendBytes([$0]) })
        var lines: [String] = []
        for try await line in try await client(of: server).stream(.limits).lines { lines.append(line) }
        #expect(lines == ["one", "two", "", "four é\r", "last"])
        await server.stop()
    }
}
