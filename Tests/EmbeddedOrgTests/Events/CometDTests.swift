// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("CometD", .timeLimit(.minutes(2)))
struct CometDTests {
    private static let describe = #"{"name":"Paid__e","fields":[{"name":"Sum__c","type":"int"}]}"#

    private func start(_ change: (inout LocalOrgConfiguration) throws -> Void = { _ in }) async throws -> OrgClient {
        try await OrgClient.start {
            $0.schema = try OrgSchema(describe: Array(Self.describe.utf8))
            try change(&$0)
        }
    }

    private func publish(_ client: OrgClient, _ sums: ClosedRange<Int>) throws {
        for sum in sums { _ = try client.create("Paid__e", #"{"Sum__c":\#(sum)}"#) }
    }

    private func sums(_ events: [JSONValue]) -> [Int] { events.compactMap { $0.payload["Sum__c"]?.int } }

    @Test("a handshake offers long polling and replay; the first connect is answered at once with advice")
    func handshake() async throws {
        let bayeux = BayeuxClient(try await start())
        let reply = try bayeux.handshake()
        #expect(reply["successful"] == true && reply["version"] == "1.0" && reply["id"] == "1")
        #expect(reply["supportedConnectionTypes"] == ["long-polling"])
        #expect(reply["ext"] == ["replay": true, "payload.format": true])
        #expect(reply["advice"] == ["reconnect": "retry", "interval": 0, "timeout": 110_000])
        #expect(bayeux.cookie != nil && bayeux.clientID.utf8.count >= 20)
        let (events, connected) = try bayeux.connect()
        #expect(events.isEmpty && connected["successful"] == true && connected["channel"] == "/meta/connect")
        #expect(connected["advice"]?["timeout"] == 110_000)
    }

    @Test("a connect waits until an event or until its time is up", .timeLimit(.minutes(1)))
    func hold() async throws {
        let client = try await start { $0.events.holdTime = .milliseconds(200) }
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e")
        _ = try bayeux.connect()
        let start = ContinuousClock.now
        #expect(try bayeux.connect().events.isEmpty)
        #expect(ContinuousClock.now - start >= .milliseconds(200))
        let patient = try await self.start()
        let waiting = try BayeuxClient.connected(patient, "/event/Paid__e")
        _ = try waiting.connect()
        let raw = try RawClient(port: patient.org.port)
        let message = JSONValue(JSONArray([waiting.message("/meta/connect", ["connectionType": "long-polling"])]))
        try raw.send(post(message.description, waiting))
        // The org answers other requests while the connect waits.
        for _ in 0..<3 { #expect(try patient.get("/limits").status == 200) }
        try publish(patient, 7...7)
        let response = try raw.receive().json.array ?? []
        #expect(sums(Array(response)) == [7] && response.last?["channel"] == "/meta/connect")
    }

    private func post(_ body: String, _ bayeux: BayeuxClient) -> [UInt8] {
        let head = [
            "POST \(bayeux.path) HTTP/1.1", "Host: 127.0.0.1:\(bayeux.client.org.port)",
            "Authorization: OAuth \(bayeux.client.token)", "Content-Type: application/json",
            "Cookie: BAYEUX_BROWSER=\(bayeux.cookie ?? "")", "Content-Length: \(body.utf8.count)",
        ]
        return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    @Test("a later connect of the same client takes the place of the one that waits")
    func twoConnects() async throws {
        let client = try await start()
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e")
        _ = try bayeux.connect()
        let (first, second) = (try RawClient(port: client.org.port), try RawClient(port: client.org.port))
        for raw in [first, second] {
            let message = JSONValue(JSONArray([bayeux.message("/meta/connect")]))
            try raw.send(post(message.description, bayeux))
            while client.org.events.waitingCount == 0 { await Task.yield() }
        }
        #expect(try first.receive().json.array?.count == 1)
        try publish(client, 1...1)
        #expect(sums(Array(try second.receive().json.array ?? [])) == [1])
    }

    @Test("a connect that waits gets the events of a later subscription, and the error of a forgotten client")
    func subscribedWhileWaiting() async throws {
        let client = try await start()
        try publish(client, 1...2)
        let bayeux = try BayeuxClient.connected(client)
        _ = try bayeux.connect()
        func wait() async throws -> RawClient {
            let raw = try RawClient(port: client.org.port)
            try raw.send(post(JSONValue(JSONArray([bayeux.message("/meta/connect")])).description, bayeux))
            while client.org.events.waitingCount == 0 { await Task.yield() }
            return raw
        }
        let first = try await wait()
        #expect(try bayeux.subscribe("/event/Paid__e", replay: -2)["successful"] == true)
        #expect(sums(Array(try first.receive().json.array ?? [])) == [1, 2])
        let second = try await wait()
        client.org.events.forgetClients()
        #expect(try second.receive().json[0]?["error"] == "403::Unknown client")
    }

    @Test("events are replayed from the start and after an ID, in order, and an unknown ID is refused")
    func replay() async throws {
        let client = try await start()
        try publish(client, 1...4)
        let all = try BayeuxClient.connected(client, "/event/Paid__e", replay: -2).events()
        #expect(sums(all) == [1, 2, 3, 4])
        let id = try #require(all[1].replayID)
        #expect(sums(try BayeuxClient.connected(client, "/event/Paid__e", replay: id).events()) == [3, 4])
        #expect(try BayeuxClient.connected(client, "/event/Paid__e").events().isEmpty)
        let bayeux = try BayeuxClient.connected(client)
        for wrong in [0, 5, id + 1_000_000] {
            let reply = try bayeux.subscribe("/event/Paid__e", replay: wrong)
            #expect(reply["successful"] == false && reply["subscription"] == "/event/Paid__e")
            #expect(
                reply["error"]?.string == "400::The replayId {\(wrong)} you provided was invalid.  Please provide a "
                    + "valid ID, -2 to replay all events, or -1 to replay only new events.")
        }
        client.org.events.expire()
        #expect(try bayeux.subscribe("/event/Paid__e", replay: id)["successful"] == false)
        #expect(try BayeuxClient.connected(client, "/event/Paid__e", replay: -2).events().isEmpty)
    }

    @Test("events expire on the org's clock, after one or three days")
    func retention() async throws {
        let clock = ManualClock()
        let client = try await start {
            $0.clock = clock
            $0.accessTokenLifetime = .seconds(30 * 86_400)
            $0.events.reconnectTime = .seconds(30 * 86_400)
        }
        let generic = try client.create("StreamingChannel", #"{"Name":"/u/A"}"#)
        try publish(client, 1...1)
        let push = "\(OrgClient.data)/sobjects/StreamingChannel/\(generic)/push"
        _ = try client.send("POST", push, body: #"{"pushEvents":[{"payload":"x"}]}"#)
        func counts() throws -> [Int] {
            try ["/event/Paid__e", "/u/A"].map {
                try BayeuxClient.connected(client, $0, replay: -2).events().count
            }
        }
        let id = try #require(try BayeuxClient.connected(client, "/event/Paid__e", replay: -2).events().first?.replayID)
        #expect(try counts() == [1, 1])
        clock.advance(by: .seconds(24 * 3_600 + 1))
        #expect(try counts() == [1, 0])
        clock.advance(by: .seconds(48 * 3_600))
        #expect(try counts() == [0, 0])
        #expect(try BayeuxClient.connected(client).subscribe("/event/Paid__e", replay: id)["successful"] == false)
        try publish(client, 2...2)
        let next = try #require(try BayeuxClient.connected(client, "/event/Paid__e", replay: -2).events().first)
        #expect(sums([next]) == [2] && next.replayID ?? 0 > id)
    }

    @Test("a slow client gets many events in parts, and none twice")
    func parts() async throws {
        let client = try await start { $0.events.eventsPerResponse = 7 }
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e", "/data/AccountChangeEvent")
        try publish(client, 1...20)
        _ = try client.create("Account", #"{"Name":"A"}"#)
        var found: [[JSONValue]] = []
        repeat { found.append(try bayeux.events()) } while found.last?.isEmpty == false
        #expect(found.map(\.count) == [7, 7, 7, 0] && sums(found.joined().map(\.self)) == Array(1...20))
    }

    @Test("an invalid token is refused in the words of each message")
    func authentication() async throws {
        let client = try await start()
        let bayeux = BayeuxClient(client)
        let refused = try bayeux.handshake(token: "wrong")
        #expect(refused["error"] == "403::Handshake denied" && refused["advice"]?["reconnect"] == "none")
        #expect(refused["ext"]?["sfdc"]?["failureReason"] == "401::Authentication invalid")
        #expect(
            try bayeux.handshake(token: .some(nil))["ext"]?["sfdc"]?["failureReason"]
                == "401::Request requires authentication")
        let known = try BayeuxClient.connected(client, "/event/Paid__e")
        client.org.faults.expireAccessTokens()
        let (_, reply) = try known.connect()
        #expect(reply["error"] == "401::Authentication invalid" && reply["advice"]?["reconnect"] == "none")
        #expect(reply["clientId"]?.string == known.clientID)
    }

    @Test("a session that expires while a connect waits ends it with the next event")
    func expiry() async throws {
        let client = try await start()
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e")
        _ = try bayeux.connect()
        let raw = try RawClient(port: client.org.port)
        try raw.send(post(JSONValue(JSONArray([bayeux.message("/meta/connect")])).description, bayeux))
        while client.org.events.waitingCount == 0 { await Task.yield() }
        client.org.faults.expireAccessTokens()
        try publish(OrgClient(client.org), 1...1)
        #expect(try raw.receive().json[0]?["error"] == "401::Authentication invalid")
    }

    @Test("clients that the org forgot, cookies that are missing, and versions that do not exist")
    func rejections() async throws {
        let client = try await start()
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e")
        let cookie = bayeux.cookie
        bayeux.cookie = nil
        let missing = try bayeux.connect().reply
        #expect(bayeux.lastStatus == 400)
        #expect(missing["error"]?.string?.hasSuffix("no BAYEUX_BROWSER cookie present") == true)
        bayeux.cookie = cookie
        client.org.events.forgetClients()
        let forgotten = try bayeux.connect().reply
        #expect(forgotten["error"] == "403::Unknown client" && forgotten["clientId"] == nil)
        #expect(forgotten["advice"] == ["reconnect": "handshake", "interval": 0, "timeout": 110_000])
        #expect(try bayeux.subscribe("/event/Paid__e")["error"] == "403::Unknown client")
        bayeux.path = "/cometd/36.0"
        #expect(try bayeux.handshake()["error"]?.string?.hasPrefix("400::Unsupported API version.") == true)
        for path in ["/cometd/replay/36.0", "/cometd/60.0/handshake", "/cometd/60.0/"] {
            bayeux.path = path
            #expect(try bayeux.handshake()["successful"] == true, "\(path)")
        }
        #expect(try client.send("GET", "/cometd/60.0").status == 405)
        #expect(try client.send("POST", "/cometd/60.0", body: "[").status == 400)
        let long = "[" + String(repeating: " ", count: 32_768) + "]"
        #expect(try client.send("POST", "/cometd/60.0", body: long).status == 413)
    }

    @Test(
        "channels that do not exist",
        arguments: [
            ("/event/Nothing__e", "400::The channel you requested to subscribe to does not exist {/event/Nothing__e}"),
            ("/data/NothingChangeEvent", "400::The channel you requested to subscribe to does not exist"),
            ("/event/Account", "400::The channel"), ("/topic/None", "400::The channel"),
            ("/u/None", "400::The channel"),
            ("/data/PushTopicChangeEvent", "400::The channel"), ("/other", "400::The channel"),
            ("event/Paid__e", "400::Channel subscriptions must start with a leading '/'"),
            ("", "400::Channel name not specified"), ("/meta/x", "403::Restricted channel"),
            ("/event/*", "403::Restricted channel"),
        ])
    func noChannel(name: String, error: String) async throws {
        let bayeux = try BayeuxClient.connected(try await SharedOrg.client)
        let reply = try bayeux.subscribe(name)
        #expect(reply["successful"] == false && reply["error"]?.string?.hasPrefix(error) == true, "\(reply)")
    }

    @Test("one request may hold several messages, which are all answered in it")
    func batches() async throws {
        let client = try await start()
        let bayeux = try BayeuxClient.connected(client)
        try publish(client, 1...1)
        let subscribe = bayeux.message(
            "/meta/subscribe", ["subscription": "/event/Paid__e", "ext": ["replay": ["/event/Paid__e": -2]]])
        let connect = bayeux.message("/meta/connect", ["connectionType": "long-polling"])
        let publishing = bayeux.message("/event/Paid__e", ["data": ["Sum__c": 1]])
        let replies = try bayeux.send([connect, subscribe, publishing])
        #expect(replies.compactMap { $0["channel"]?.string }.prefix(2) == ["/meta/subscribe", "/event/Paid__e"])
        #expect(replies[1]["error"] == "403::Restricted channel" && sums(replies) == [1])
        #expect(replies.last?["channel"] == "/meta/connect" && replies.last?["id"] == connect["id"])
        let wrong = bayeux.message("/meta/connect", ["connectionType": "websocket"])
        #expect(try bayeux.send([wrong]).first?["error"] == "400::Invalid connection type websocket")
        #expect(try bayeux.send([bayeux.message("/meta/unsubscribe", ["subscription": "/event/Paid__e"])]).count == 1)
        try publish(client, 2...2)
        #expect(try bayeux.events().isEmpty)
        #expect(try bayeux.send([bayeux.message("/meta/disconnect")]).first?["successful"] == true)
        #expect(client.org.events.clientCount == 0)
    }

    @Test("limits of clients and deliveries, a busy server, advice to stop, and a connection that is never answered")
    func faults() async throws {
        let client = try await start { ($0.events.clients, $0.events.dailyDeliveries) = (2, 3) }
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e")
        client.org.events.rejectHandshakes()
        let other = BayeuxClient(client)
        #expect(
            try other.handshake()["ext"]?["sfdc"]?["failureReason"]
                == "503::Server is too busy. Please try your request again later.")
        #expect(try other.handshake()["successful"] == true)
        #expect(
            try BayeuxClient(client).handshake()["ext"]?["sfdc"]?["failureReason"]
                == "403::Organization concurrent user limit exceeded")
        client.org.events.adviseNone()
        #expect(try bayeux.connect().reply["advice"]?["reconnect"] == "none")
        try publish(client, 1...3)
        #expect(sums(try bayeux.events()) == [1, 2, 3])
        let over = try bayeux.connect(timeout: 0).reply
        #expect(over["error"] == "403::Organization total events daily limit exceeded")
        #expect(try other.subscribe("/event/Paid__e")["error"] == "403::Organization total events daily limit exceeded")
        client.org.faults.add(.body("busy", status: 503), matching: "/cometd")
        _ = try other.connect(timeout: 0)
        #expect(other.lastStatus == 503)
        client.org.faults.add(.hold, matching: "/cometd")
        let raw = try RawClient(port: client.org.port)
        try raw.send(post("[]", bayeux))
        #expect(try client.get("/limits").status == 200)
        await client.org.stop()
        #expect(throws: RawClient.Failure.self) { try raw.receive() }
    }
}
