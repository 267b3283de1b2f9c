// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import Testing

/// Slow, many and large requests, on real sockets with shortened limits.
@Suite("Slow and greedy clients", .timeLimit(.minutes(2)))
struct SlowClientTests {
    private func start(_ change: (inout ServerLimits) -> Void) async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        change(&configuration.limits)
        return try await OrgClient.start(configuration)
    }

    private func head(_ client: OrgClient, _ length: String, method: String = "POST", token: String? = nil) -> [UInt8] {
        Array(
            """
            \(method) \(OrgClient.data)/sobjects/Account HTTP/1.1\r\nHost: localhost:\(client.org.port)\r
            Authorization: Bearer \(token ?? client.token)\r\nContent-Type: application/json\r\n\(length)\r\n\r\n
            """.utf8)
    }

    /// Whether the org answers; on a busy machine a client of this test may itself be one of the slow ones, but not
    /// always.
    private func serves(_ client: OrgClient) -> Bool {
        (0..<50).contains { _ in (try? client.get("/limits").status) == 200 }
    }

    @Test("a header that comes byte by byte is answered with 408, and the connection ends (B41)")
    func slowHeader() async throws {
        let client = try await start { $0.headerTime = .milliseconds(200) }
        let raw = try RawClient(port: client.org.port)
        try raw.send(Array("GET /services/data HTTP/1.1\r\nX: ".utf8))
        // Each byte would begin an idle limit anew; the first one that is refused ends the loop.
        for _ in 0..<200 where (try? raw.send([0x61])) != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(try raw.receive().status == 408)
        #expect(raw.isClosed())
        #expect(serves(client))
        await client.org.stop()
    }

    @Test("a body that stops is answered with 408, which the journal knows (B42)")
    func slowBody() async throws {
        let client = try await start { $0.bodyTime = .milliseconds(200) }
        let raw = try RawClient(port: client.org.port)
        try raw.send(head(client, "Content-Length: 100") + Array("{".utf8))
        #expect(try raw.receive().status == 408)
        #expect(raw.isClosed())
        while client.org.journal.count < 1 { await Task.yield() }
        #expect(client.org.journal.entries.map(\.status) == [408])
        await client.org.stop()
    }

    @Test("a connection without a request, a new one and one with an answer behind it, is closed in silence")
    func idle() async throws {
        let client = try await start { $0.idleTime = .seconds(2) }
        let (fresh, used) = (try RawClient(port: client.org.port), try RawClient(port: client.org.port))
        try used.send(Array("GET /services/data HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n\r\n".utf8))
        #expect(try used.receive().status == 200)
        for raw in [fresh, used] {
            #expect(throws: RawClient.Failure.closed(received: 0)) { try raw.receive() }
        }
        await client.org.stop()
    }

    @Test("who has no session is refused at the header, before any of the body", arguments: ["POST", "PATCH", "PUT"])
    func refusedEarly(method: String) async throws {
        let client = try await SharedOrg.client
        for length in [
            "Content-Length: 40000000", "Transfer-Encoding: chunked", "Content-Length: 9\r\nExpect: 100-continue",
        ] {
            let raw = try RawClient(port: client.org.port)
            try raw.send(head(client, length, method: method, token: "none"))
            let answer = try raw.receive()
            #expect(answer.status == 401 && answer.errorCode == "INVALID_SESSION_ID")
            #expect(answer.field("Connection") == "close" && raw.isClosed())
        }
    }

    @Test("a client that sends on meanwhile still reads its refusal")
    func lingering() async throws {
        let client = try await SharedOrg.client
        for _ in 0..<5 {
            let raw = try RawClient(port: client.org.port)
            try raw.send(head(client, "Content-Length: 4000000", token: "none"))
            try raw.send([UInt8](repeating: 0x20, count: 4_000_000))
            #expect(try raw.receive().status == 401)
        }
    }

    @Test("a fault that waits for the request comes before the session is looked at")
    func faultFirst() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(.status(503), matching: "/sobjects")
        #expect(try client.send("POST", "\(OrgClient.data)/sobjects/Account", body: "{}", token: "none").status == 503)
        #expect(try client.send("POST", "\(OrgClient.data)/sobjects/Account", body: "{}", token: "none").status == 401)
        await client.org.stop()
    }

    @Test("a body without a session is short, announced or not")
    func openBodies() async throws {
        let client = try await SharedOrg.client
        let body = [UInt8](repeating: 0x61, count: 200_000)
        let line = "POST /services/oauth2/token HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n"
        let announced = try RawClient(port: client.org.port)
        try announced.send(Array("\(line)Content-Length: 200000\r\n\r\n".utf8))
        #expect(try announced.receive().status == 413)
        let chunked = try RawClient(port: client.org.port)
        try chunked.send(Array("\(line)Transfer-Encoding: chunked\r\n\r\n30d40\r\n".utf8) + body)
        #expect(try chunked.receive().status == 413)
    }

    @Test(
        "all bodies share one budget; who comes too much is told to try again, and can",
        arguments: ["Content-Length: 700002", "Transfer-Encoding: chunked"])
    func bodyMemory(length: String) async throws {
        let client = try await start { $0.bodyMemory = 1 << 20 }
        let blank = [UInt8](repeating: 0x20, count: 700_000)
        var statuses: [Int] = []
        // The first one's bytes must have been read before the second one comes, which nothing tells a client.
        for attempt in 0..<50 where statuses != [400, 503] {
            let (first, second) = (try RawClient(port: client.org.port), try RawClient(port: client.org.port))
            try first.send(head(client, "Content-Length: 700002") + blank)
            try await Task.sleep(for: .milliseconds(5 * attempt))
            let isChunked = length.hasPrefix("T")
            try? second.send(head(client, length) + Array((isChunked ? "aae60\r\n" : "").utf8) + blank)
            try? second.send(Array((isChunked ? "\r\n0\r\n\r\n" : "{}").utf8))
            let refused = try second.receive().status
            try? first.send(Array("{}".utf8))
            statuses = [try first.receive().status, refused]
        }
        #expect(statuses == [400, 503])
        #expect(try client.create("Account", #"{"Name":"Room again"}"#).count == 18)
        await client.org.stop()
    }

    @Test(
        "more slow connections than there may be keep nobody out (B44, B45)", arguments: ["", "GET /services/data HT"])
    func crowd(bytes: String) async throws {
        let client = try await start { $0.connections = 32 }
        var crowd: [RawClient] = []
        for round in 0..<4 {
            for _ in 0..<30 {
                let raw = try RawClient(port: client.org.port)
                try? raw.send(Array(bytes.utf8))
                crowd.append(raw)
            }
            #expect(try client.get("/limits").status == 200, "\(round)")
        }
        await client.org.stop()
    }

    @Test("a descriptor that the system gives to somebody else is neither written to nor shut down")
    func descriptorReuse() async throws {
        let client = try await start { limits in
            limits.connections = 32
            limits.headerTime = .milliseconds(20)
            limits.idleTime = .milliseconds(20)
        }
        var crowd: [RawClient] = []
        for round in 0..<300 {
            // Some end by themselves, some are late, some give way: descriptors come free all the time.
            for number in 0..<6 {
                let raw = try RawClient(port: client.org.port)
                if number % 2 == 0 { try? raw.send(Array("GET /services".utf8)) }
                if number % 3 == 0 { crowd.append(raw) }
            }
            if round % 10 == 9 { crowd.removeAll() }
            let pairs = try (0..<8).map { _ in try SocketPair() }
            try await Task.sleep(for: .milliseconds(2))
            for pair in pairs { #expect(pair.isUntouched()) }
        }
        #expect(serves(client))
        await client.org.stop()
    }
}

/// Two sockets that nobody else knows of.
private final class SocketPair {
    private var ends: [CInt] = [-1, -1]

    init() throws {
        #if canImport(Darwin)
        let kind = SOCK_STREAM
        #else
        let kind = CInt(SOCK_STREAM.rawValue)
        #endif
        let code = unsafe socketpair(AF_UNIX, kind, 0, &ends)
        try #require(code == 0)
    }

    deinit { for end in ends { close(end) } }

    /// Whether one byte of ours, and nothing else, comes through each way.
    func isUntouched() -> Bool { passes(from: ends[0], to: ends[1]) && passes(from: ends[1], to: ends[0]) }

    private func passes(from source: CInt, to sink: CInt) -> Bool {
        var piece: [UInt8] = [0x2A]
        guard unsafe send(source, piece, 1, CInt(MSG_NOSIGNAL)) == 1 else { return false }
        piece = [UInt8](repeating: 0, count: 100)
        return unsafe recv(sink, &piece, 100, CInt(MSG_DONTWAIT)) == 1 && piece[0] == 0x2A
    }
}
