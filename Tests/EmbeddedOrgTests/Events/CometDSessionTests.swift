// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLStore
import Testing

@testable import EmbeddedOrg

@Suite("Sessions and messages of CometD, without a server")
struct CometDSessionTests {
    private let settings: EventSettings = {
        var settings = EventSettings()
        (settings.clients, settings.dailyDeliveries, settings.reconnectTime) = (2, 10, .seconds(40))
        return settings
    }()

    private func channel(_ name: String) -> EventChannel { EventChannel(name: name, topics: [name]) }

    @Test("a client belongs to a user and a cookie, and is forgotten when it stays away")
    func life() throws {
        var sessions = CometDSessions(settings)
        try sessions.open("a", user: "u", cookie: "c", at: 0)
        #expect(!sessions.connect("a") && sessions.connect("a"))
        try sessions.find("a", user: "u", cookies: ["x", "c"], at: 40_000)
        #expect(throws: BayeuxError.noCookie("a")) { try sessions.find("a", user: "u", cookies: [], at: 50_000) }
        #expect(throws: BayeuxError.unknownClient) { try sessions.find("a", user: "v", cookies: ["c"], at: 50_000) }
        try sessions.find("a", user: "u", cookies: ["c"], at: 80_000)
        #expect(throws: BayeuxError.unknownClient) { try sessions.find("a", user: "u", cookies: ["c"], at: 120_001) }
        #expect(sessions.count == 0)
    }

    @Test("a client that waits is not forgotten, and one that stays away makes room for another")
    func limit() throws {
        var sessions = CometDSessions(settings)
        try sessions.open("a", user: "u", cookie: "c", at: 0)
        let begins = sessions.hold("a")
        #expect(begins)
        try sessions.open("b", user: "u", cookie: "c", at: 0)
        #expect(throws: BayeuxError.clientLimit) { try sessions.open("d", user: "u", cookie: "c", at: 1_000) }
        try sessions.open("d", user: "u", cookie: "c", at: 50_000)
        try sessions.find("a", user: "u", cookies: ["c"], at: 200_000)
        sessions.release("a", at: 200_000)
        #expect(throws: BayeuxError.unknownClient) { try sessions.find("a", user: "u", cookies: ["c"], at: 240_001) }
    }

    @Test("a client whose session ended does not begin to wait")
    func late() throws {
        var sessions = CometDSessions(settings)
        try sessions.open("a", user: "u", cookie: "c", at: 0)
        sessions.closeAll()
        let begins = sessions.hold("a")
        #expect(!begins && sessions.count == 0)
    }

    @Test("a subscription has one position, and the org delivers so many events a day")
    func positions() throws {
        var sessions = CometDSessions(settings)
        try sessions.open("a", user: "u", cookie: "c", at: 0)
        try sessions.subscribe("a", to: channel("/x"), from: 5)
        try sessions.subscribe("a", to: channel("/y"), from: 5)
        try sessions.subscribe("a", to: channel("/x"), from: 1)
        let event = StoredEvent(replay: 9, topic: "X", time: 0, uuid: "", payload: [], type: "")
        let page = EventPage(events: Array(repeating: event, count: 10), end: 9)
        sessions.move("a", after: page, of: channel("/x"))
        #expect(sessions.subscriptions("a").map(\.position) == [5, 9])
        let may = [1_000, 86_400_000].map { sessions.mayDeliver(at: $0) }
        #expect(may == [false, true])
        sessions.unsubscribe("a", from: "/y")
        #expect(sessions.subscriptions("a").map(\.channel.name) == ["/x"])
        #expect(throws: BayeuxError.unknownClient) {
            try sessions.subscribe("b", to: channel("/x"), from: 1)
        }
        for number in 1..<CometDSessions.mostSubscriptions {
            try sessions.subscribe("a", to: channel("/\(number)"), from: 0)
        }
        #expect(throws: BayeuxError.tooManySubscriptions) {
            try sessions.subscribe("a", to: channel("/more"), from: 0)
        }
    }

    @Test("messages are read as a list or alone, and their replies repeat the id as it is")
    func messages() throws {
        let text = #"[{"channel":"/meta/subscribe","id":"zz","clientId":"c","subscription":["/a","/b"]}]"#
        let message = try #require(BayeuxMessage.messages(Array(text.utf8))?.first)
        #expect(message.subscriptions == ["/a", "/b"] && message.reply()["subscription"] == ["/a", "/b"])
        #expect(message.reply()["id"] == "zz" && message.reply()["clientId"] == "c")
        let unknown = message.reply(.unknownClient)
        #expect(
            unknown["clientId"] == nil && unknown["error"] == "403::Unknown client" && unknown["successful"] == false)
        let alone = try #require(BayeuxMessage.messages(Array(#"{"channel":"/x","id":7}"#.utf8))?.first)
        #expect(alone.reply()["id"]?.int == 7 && alone.subscriptions == nil)
    }

    @Test(
        "a replay ID is a number, −1 by default",
        arguments: [
            ("5", 5, "5"), ("-2", -2, "-2"), ("null", -1, "-1"), ("5.5", -3, "5.5"),
            ("99999999999999999999", -3, "99999999999999999999"), (#""x""#, -3, "x"), ("{}", -3, "{}"),
        ])
    func replay(text: String, id: Int64, shown: String) throws {
        let body = #"[{"channel":"/meta/subscribe","ext":{"replay":{"/a":\#(text)}}}]"#
        let message = try #require(BayeuxMessage.messages(Array(body.utf8))?.first)
        #expect(message.replay(of: "/a") == (id, shown) && message.replay(of: "/b") == (-1, "-1"))
    }

    @Test(
        "what is no message is no request",
        arguments: ["", "[]", "{}", "[1]", #"[{"channel":5}]"#, #"[{"channel":"/x"},{}]"#, #"["#, "null"])
    func notMessages(body: String) {
        #expect(BayeuxMessage.messages(Array(body.utf8)) == nil)
    }

    @Test("random bytes and deep nesting end in no message")
    func hostile() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let bytes = (0..<64).map { _ in UInt8.random(in: 0x20...0x7E, using: &random) }
            _ = BayeuxMessage.messages(bytes)
        }
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(BayeuxMessage.messages(Array(deep.utf8)) == nil)
    }
}
