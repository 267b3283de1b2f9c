// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// The bad inputs that are made of several requests, or of none.
@Suite("Bad input: connections", .timeLimit(.minutes(2)))
struct ConnectionTests {
    private func start(_ change: (inout ServerLimits) -> Void) async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        change(&configuration.limits)
        return try await OrgClient.start(configuration)
    }

    private func head(_ client: OrgClient, _ line: String, _ fields: String = "") -> [UInt8] {
        Array(
            "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(client.org.port)\r\nAuthorization: Bearer \(client.token)\r\n\(fields)\r\n"
                .utf8)
    }

    @Test("another address of this machine reaches nobody (B13)")
    func otherAddress() async throws {
        let client = try await SharedOrg.client
        #expect(throws: RawClient.Failure.notConnected) { try RawClient(port: client.org.port, address: 0x7F00_0002) }
        #expect(try client.get("/limits").status == 200)
    }

    @Test("a thousand requests in one piece are answered in their order (B37)")
    func pipelined() async throws {
        let client = try await OrgClient.start()
        let raw = try RawClient(port: client.org.port)
        let paths = (0..<1_000).map { $0 % 100 == 0 ? "/services/data" : "/services/data/v66.0/sobjects/None\($0)" }
        // More than the two sides' buffers hold would need a reader beside the writer.
        try raw.send(paths.flatMap { head(client, "GET \($0)") })
        for (index, path) in paths.enumerated() {
            let answer = try raw.receive()
            let isRight = index % 100 == 0 ? answer.status == 200 : answer.text.contains("'None\(index)'")
            #expect(isRight, "\(path)")
        }
        await client.org.stop()
    }

    @Test("a body longer than its announced length is read as the next request (B38)")
    func hidden() async throws {
        let client = try await OrgClient.start()
        let raw = try RawClient(port: client.org.port)
        let hidden = head(client, "GET /services/data")
        let first = head(client, "POST /services/oauth2/token", "Content-Length: 4\r\n") + Array("a=b&".utf8)
        try raw.send(first + Array(repeating: hidden, count: 100).flatMap(\.self))
        #expect(try raw.receive().status == 400)
        for _ in 0..<100 { #expect(try raw.receive().status == 200) }
        #expect(client.org.journal.count == 101)
        await client.org.stop()
    }

    @Test("who asks whether to go on and does not is answered with 408 (B39)")
    func expectation() async throws {
        let client = try await start { $0.bodyTime = .milliseconds(200) }
        let raw = try RawClient(port: client.org.port)
        let fields = "Content-Type: application/json\r\nContent-Length: 19\r\nExpect: 100-continue\r\n"
        try raw.send(head(client, "POST \(OrgClient.data)/sobjects/Account", fields))
        #expect(try raw.receive().status == 100)
        #expect(try raw.receive().status == 408)
        #expect(raw.isClosed())
        await client.org.stop()
    }

    @Test("who never reads its answers loses the connection, and holds up nobody (B43)")
    func deaf() async throws {
        let client = try await start {
            $0.bodyTime = .milliseconds(200)
            $0.leastRate = 64 << 20
        }
        let deaf = try RawClient(port: client.org.port)
        try? deaf.send(
            Array(repeating: head(client, "GET \(OrgClient.data)/sobjects/Account/describe"), count: 2_000).flatMap(
                \.self))
        #expect(try client.get("/limits").status == 200)
        #expect(deaf.isReset())
        #expect(try client.get("/limits").status == 200)
        await client.org.stop()
    }

    @Test("who has said all and listens on gets the whole answer (B46)")
    func halfClosed() async throws {
        let client = try await SharedOrg.client
        let raw = try RawClient(port: client.org.port)
        try raw.send(head(client, "GET \(OrgClient.data)/sobjects"))
        raw.endSending()
        let answer = try raw.receive()
        #expect(answer.status == 200 && answer.json["sobjects"]?.array?.isEmpty == false)
        #expect(raw.isClosed())
    }

    @Test("more connections than are allowed at once come and go, in all states, and none is kept (B44, B47)")
    func abandoned() async throws {
        let client = try await start { $0.connections = 64 }
        for round in 0..<1_000 {
            let raw = try RawClient(port: client.org.port)
            let request = head(client, "GET \(OrgClient.data)/sobjects")
            if round % 3 > 0 { try raw.send(round % 3 == 1 ? Array(request.dropLast(2)) : request) }
            if round % 2 == 0 { raw.reset() }
        }
        #expect(try client.get("/limits").status == 200)
        await client.org.stop()
    }

    @Test("a body over the limit is refused at its head, at the limit, or when it is unpacked (B48, B49, B50)")
    func large() async throws {
        let client = try await start { $0.body = 1 << 20 }
        let line = "POST \(OrgClient.data)/sobjects/Account"
        func send(_ fields: String, _ body: [UInt8]) throws -> (RawClient.Answer, Bool) {
            let raw = try RawClient(port: client.org.port)
            try raw.send(head(client, line, "Content-Type: application/json\r\n\(fields)\r\n"))
            try? raw.send(body)
            return (try raw.receive(), raw.isClosed())
        }
        let (announced, isEnded) = try send("Content-Length: 1048577", [])
        #expect(announced.status == 413 && announced.errorCode == "REQUEST_TOO_LARGE" && isEnded)
        let chunk = Array("20000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x20000) + Array("\r\n".utf8)
        let (chunked, isOver) = try send(
            "Transfer-Encoding: chunked", Array(repeating: chunk, count: 9).flatMap(\.self))
        #expect(chunked.status == 413 && chunked.errorCode == "REQUEST_TOO_LARGE" && isOver)
        let bomb = try deflated([UInt8](repeating: 0x20, count: 64 << 20))
        #expect(bomb.count < 100_000)
        let raw = try RawClient(port: client.org.port)
        let fields = "Content-Type: application/json\r\nContent-Encoding: deflate\r\nContent-Length: \(bomb.count)\r\n"
        try raw.send(head(client, line, fields) + bomb)
        let unpacked = try raw.receive()
        #expect(unpacked.status == 400 && unpacked.text.contains("too long"))
        await client.org.stop()
    }
}
