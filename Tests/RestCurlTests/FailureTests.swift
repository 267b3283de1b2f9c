// SPDX-License-Identifier: Apache-2.0

import CCurl
import RestTesting
import RestTransport
import Testing

@testable import RestCurl

/// Tests the errors that `TransportConformance` leaves open because other transports do not report them.
@Suite("Errors of CurlTransport", .timeLimit(.minutes(1)))
struct FailureTests {
    let transport = CurlTransport()

    private func failing(_ request: HTTPRequest, within limit: Duration = .seconds(8)) async -> TransportError? {
        await transport.error(for: request, until: .now + limit)
    }

    @Test("A folded header line is rejected (RFC 9112 §5.2)")
    func foldedHeader() async throws {
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 200 OK\r\nX-A: 1\r\n 2\r\nContent-Length: 0\r\n\r\n"),
        ])
        let error = await failing(HTTPRequest(url: server.url()))
        expect(error, .invalidResponse, mayHaveReachedServer: true)
    }

    @Test("A call that ends while it connects has sent nothing")
    func connecting() async throws {
        let port = try SilentPort()
        let late = await failing(HTTPRequest(method: .post, url: port.url), within: .milliseconds(150))
        expect(late, .timedOut, mayHaveReachedServer: false)
        let task = Task { await failing(HTTPRequest(method: .post, url: port.url)) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value?.mayHaveReachedServer == false)
    }
}

@Suite("Error codes for libcurl's results")
struct CurlCodeTests {
    /// Every result with a specific error code, by its number (libcurl-errors(3)).
    private static let table: [TransportError.Code: [UInt32]] = [
        .hostNotFound: [5, 6],
        .notConnected: [7, 45, 89, 97],
        .timedOut: [28],
        .connectionLost: [18, 42, 52, 55, 56, 65, 92, 95, 96, 99],
        .tls: [35, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98, 101],
        // After the request, libcurl's errors for malformed URLs and bad arguments (3 and 43) refer to the response.
        .invalidResponse: [1, 3, 8, 16, 23, 43, 61],
        .tooLarge: [63, 100],
        .file: [26, 37],
    ]

    @Test("Every result after the request was sent has its error code, and other results have the code other")
    func codes() {
        let known = Dictionary(
            uniqueKeysWithValues: Self.table.flatMap { code, numbers in numbers.map { ($0, code) } })
        for number in UInt32(1)...120 {
            let error = TransportError(curlCode: CURLcode(rawValue: number), detail: "", hasLeft: true)
            #expect(error.code == known[number] ?? .other, "\(number)")
            #expect(error.mayHaveReachedServer)
            #expect(error.systemErrors == [TransportError.SystemError(.curl, Int(number))])
            #expect(!error.message.isEmpty)
        }
    }

    @Test("A request that libcurl rejects was not sent")
    func invalidRequest() {
        for number in UInt32(1)...120 {
            let error = TransportError(curlCode: CURLcode(rawValue: number), detail: "", hasLeft: false)
            #expect((error.code == .invalidRequest) == [3, 43].contains(number), "\(number)")
        }
    }

    @Test("A connection that was lost before the request was sent counts as not connected")
    func notLeft() {
        for number in Self.table[.connectionLost] ?? [] {
            let error = TransportError(curlCode: CURLcode(rawValue: number), detail: "Proxy said no", hasLeft: false)
            #expect(error.code == .notConnected, "\(number)")
            #expect(!error.mayHaveReachedServer)
            #expect(error.message == "Proxy said no (libcurl \(number))")
        }
    }
}

@Suite("Cancellation in RestCurl", .timeLimit(.minutes(1)))
struct CurlCancellationTests {
    @Test("A send that is cancelled before it starts sends nothing")
    func early() async throws {
        let server = try ScriptServer([.readRequest, .respond("late")])
        let transport = CurlTransport()
        let send = Task {
            while !Task.isCancelled { await Task.yield() }
            return await transport.outcome(of: HTTPRequest(url: server.url()))
        }
        send.cancel()
        let error = await #expect(throws: TransportError.self) { try await send.value.get() }
        expect(error, .cancelled, mayHaveReachedServer: false)
        await transport.shutdown()
        #expect(await server.stop().connections.isEmpty)
    }

    @Test("A send that is cancelled while the server is silent ends immediately, and the connection is closed")
    func silent() async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let transport = CurlTransport()
        let send = Task { await transport.outcome(of: HTTPRequest(url: server.url())) }
        await server.wait { $0.requests.count == 1 }
        send.cancel()
        let error = await #expect(throws: TransportError.self) { try await send.value.get() }
        expect(error, .cancelled, mayHaveReachedServer: true)
        await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        await transport.shutdown()
        await server.stop()
    }

    @Test("A late cancellation does not affect a completed send, and its connection is reused")
    func late() async throws {
        let server = try ScriptServer([.readRequest, .respond("one"), .readRequest, .respond("two")])
        let transport = CurlTransport()
        for expected in ["one", "two"] {
            let send = Task { await transport.outcome(of: HTTPRequest(url: server.url())) }
            let outcome = await send.value
            send.cancel()
            #expect(try String(decoding: outcome.get().body, as: UTF8.self) == expected)
        }
        await transport.shutdown()
        #expect(await server.stop().connections.count == 1)
    }
}

extension CurlTransport {
    fileprivate func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await send(request, deadline: .now + .seconds(30)))
        } catch {
            return .failure(error)
        }
    }
}

#if canImport(Glibc) || canImport(Musl)
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Uses TLS connections on which the test itself plays the server.
@Suite("CurlTransport on a TLS connection", .timeLimit(.minutes(1)))
struct ConversationTests {
    private let server: TLSServer
    private let transport: CurlTransport
    // Keeps the CA's files until the end of the test.
    private let authority: TestAuthority

    init() async throws {
        authority = try await TestAuthority.make()
        server = try await TLSServer.start(authority.identity(), isScripted: true)
        transport = CurlTransport(trusting: authority) { $0.collectsMetrics = true }
    }

    /// Sends a request for a path, and lets the server send a response.
    private func exchange(_ path: String, body: String) async throws -> HTTPResponse {
        let url = HTTPURL(origin: server.url.origin, path: path)
        async let response = transport.send(HTTPRequest(url: url), deadline: soon)
        try await server.request("GET \(path) HTTP/1.1")
        try await server.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try await response
    }

    @Test("Metrics include connecting and TLS once, and not on a reused connection")
    func metrics() async throws {
        let first = try #require(try await exchange("/1", body: "first").metrics)
        #expect(first.connect > .zero)
        #expect(first.tls > first.connect)
        #expect(first.firstByte > first.tls)
        #expect(first.total >= first.firstByte)
        #expect(!first.isConnectionReused)
        let second = try #require(try await exchange("/2", body: "second").metrics)
        #expect(second.isConnectionReused)
        #expect(second.connect == .zero)
        #expect(second.tls == .zero)
        #expect(second.firstByte > .zero)
        #expect(second.protocolName == "HTTP/1.1")
        await transport.shutdown()
        await server.stop()
    }

    @Test("Unread bytes on an idle connection are never used as the next response")
    func leftovers() async throws {
        #expect(text(try await exchange("/1", body: "first")) == "first")
        let socket = try #require(ClientSocket(peerPort: server.url.origin.port))
        try await server.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
        #expect(socket.waitForInput())
        let second = try await exchange("/2", body: "second")
        #expect(text(second) == "second")
        #expect(second.metrics?.isConnectionReused == false)
        await transport.shutdown()
        await server.stop()
    }
}
#endif
