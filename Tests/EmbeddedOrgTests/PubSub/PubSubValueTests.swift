// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import Foundation
import RestBase
import Testing

@testable import EmbeddedOrg

@Suite("Values of the Pub/Sub API")
struct PubSubValueTests {
    @Test("a replay ID has nine bytes, and a changed one is not an ID")
    func replayIDs() {
        for number in [0, 1, 1_003, Int64.max] {
            let bytes = ReplayID.bytes(number)
            #expect(bytes.count == 9 && ReplayID.number(bytes) == number)
            for index in bytes.indices {
                var changed = bytes
                changed[index] ^= 1
                #expect(ReplayID.number(changed) == nil)
            }
        }
        #expect(ReplayID.number([]) == nil && ReplayID.number(Array(repeating: 0, count: 8)) == nil)
    }

    @Test("credit is limited, and its deadline follows the last response")
    func credit() {
        var settings = EventSettings()
        (settings.keepAliveTime, settings.fetchTime) = (.seconds(10), .seconds(5))
        let start = ContinuousClock.now
        var credit = FetchCredit(settings, at: start)
        #expect(credit.pending == 0 && credit.deadline == start + .seconds(5))
        credit.add(.max, at: start + .seconds(4))
        credit.add(7, at: start + .seconds(5))
        #expect(credit.pending == 100 && credit.deadline == start + .seconds(14))
        credit.sent(100, at: start + .seconds(20))
        #expect(credit.pending == 0 && credit.deadline == start + .seconds(25))
    }

    @Test("requests of HTTP/1.1 and calls of HTTP/2 share the port, also if their first bytes come slowly")
    func port() async throws {
        let client = try await PubSubClient.start()
        let slow = try RawClient(port: client.org.port)
        try slow.send(Array("P".utf8))
        let preface = try Socket.connected(port: client.org.port)
        #expect(preface.send("PR".utf8))
        _ = try await client.topic("/event/Paid__e")
        // The preface ends with an empty frame of settings, and the response begins with one.
        #expect(preface.send(Array("I * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + [0, 0, 0, 4, 0, 0, 0, 0, 0]))
        #expect(preface.receive()?.dropFirst(3).first == 4)
        try slow.send(Array("OST /services/nothing HTTP/1.1\r\nHost: 127.0.0.1:\(client.org.port)\r\n\r\n".utf8))
        #expect(try slow.receive().status == 404)
        #expect(try client.client.get("/limits").status == 200)
        await client.org.stop()
        #expect(throws: (any Error).self) { try client.client.get("/limits") }
    }
}
#endif
