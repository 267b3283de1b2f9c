// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("Events outlive their process", .timeLimit(.minutes(2)))
struct EventKillTests {
    /// Sends one Bayeux message with the cookie of the session.
    private func send(_ org: OrgProcess, _ body: String, _ cookie: String = "") throws -> RawClient.Response {
        let client = try RawClient(port: org.port)
        let head = [
            "POST /cometd/60.0 HTTP/1.1", "Host: 127.0.0.1:\(org.port)", "Authorization: Bearer \(org.token)",
            "Content-Type: application/json", "Cookie: \(cookie)", "Content-Length: \(body.utf8.count)",
        ]
        try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
        return try client.receive()
    }

    /// Subscribes to a channel and returns all its events.
    private func events(_ org: OrgProcess, _ channel: String) throws -> [JSONValue] {
        let hello = try send(org, #"[{"channel":"/meta/handshake","version":"1.0"}]"#)
        let id = try #require(hello.json[0]?["clientId"]?.string)
        let cookie = String(hello.field("Set-Cookie")?.prefix { $0 != ";" } ?? "")
        let subscribe = """
            [{"channel":"/meta/subscribe","clientId":"\(id)","subscription":"\(channel)",
            "ext":{"replay":{"\(channel)":-2}}}]
            """
        #expect(try send(org, subscribe, cookie).json[0]?["successful"] == true)
        var events: [JSONValue] = []
        while true {
            let connect = #"[{"channel":"/meta/connect","clientId":"\#(id)","advice":{"timeout":0}}]"#
            let found = try send(org, connect, cookie).json.array?.filter { $0["data"] != nil } ?? []
            guard !found.isEmpty else { return events }
            events += found
        }
    }

    @Test("a process killed between and during writes: records and their events agree, none lost, none doubled")
    func kill() async throws {
        let (rounds, channel) = (6, "/data/AccountChangeEvent")
        try await withTemporaryDirectory { folder in
            var org = try OrgProcess(folder + "/org.db")
            #expect(try events(org, channel).isEmpty)
            var number = 0
            func body() -> String {
                number += 1
                return #"{"Name":"killed \#(number)","ExternalId__c":"kill-\#(number)"}"#
            }
            for round in 1...rounds {
                for _ in 0..<(round * 3) {
                    #expect(try org.send("POST", "\(OrgClient.data)/sobjects/Account", body()).status == 201)
                }
                // Some writes are in progress when the process is killed.
                let open = try (0..<4).map { _ in try RawClient(port: org.port) }
                for client in open {
                    let text = body()
                    let head = [
                        "POST \(OrgClient.data)/sobjects/Account HTTP/1.1", "Host: 127.0.0.1:\(org.port)",
                        "Authorization: Bearer \(org.token)", "Content-Type: application/json",
                        "Content-Length: \(text.utf8.count)",
                    ]
                    try client.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n" + text).utf8))
                }
                org.kill()
                org = try OrgProcess(folder + "/org.db")
            }
            defer { org.kill() }
            let query = "SELECT+Id+FROM+Account+WHERE+ExternalId__c+LIKE+'kill-%25'+ORDER+BY+Id"
            let records = try org.send("GET", "\(OrgClient.data)/query?q=\(query)").json["records"]?.array
            let ids = records?.compactMap { $0["Id"]?.string } ?? []
            #expect(ids.count >= rounds * (rounds + 1) / 2 * 3)
            let events = try events(org, channel)
            #expect(events.allSatisfy { $0.change == "CREATE Account 1 []" })
            let created = events.compactMap { $0.payload["ChangeEventHeader"]?["recordIds"]?[0]?.string }
            #expect(created.sorted() == ids.sorted())
            let replays = events.compactMap(\.replayID)
            #expect(replays == replays.sorted() && Set(replays).count == replays.count)
        }
    }
}
