// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTesting
import RestTransport
import Testing

@testable import RestEvents

@Suite("Bayeux messages without I/O", .timeLimit(.minutes(2)))
struct BayeuxSessionTests {
    private static func list(_ text: String) throws -> JSONArray { try #require(JSONValue(parsing: text).array) }

    private static func open() throws -> BayeuxSession {
        var session = BayeuxSession()
        let (id, _) = session.handshake()
        let response = try session.read(
            list(
                #"[{"channel":"/meta/handshake","id":"\#(id)","successful":true,"clientId":"c1","#
                    + #""ext":{"replay":true},"advice":{"reconnect":"retry","interval":5,"timeout":60000}}]"#))
        try session.opened(response.replies[id])
        return session
    }

    @Test("messages have the form of the guide: ids, the client's id, replay positions, one connect at once")
    func messages() throws {
        var session = try Self.open()
        #expect(session.clientID == "c1" && session.advice.timeout == .seconds(60))
        let subscribe = session.subscribe(ChannelStart("/event/A__e", .after(try #require(ReplayID("12"))))).1
        #expect(subscribe["channel"]?.string == "/meta/subscribe" && subscribe["clientId"]?.string == "c1")
        #expect(subscribe["ext"]?["replay"]?["/event/A__e"]?.int == 12)
        #expect(session.subscribe(ChannelStart("/a", .latest)).1["ext"]?["replay"]?["/a"]?.int == -1)
        #expect(session.subscribe(ChannelStart("/a", .earliest)).1["ext"]?["replay"]?["/a"]?.int == -2)
        #expect(session.connect().1["advice"]?["timeout"]?.int == 0)
        let second = session.connect()
        #expect(second.1["advice"] == nil && second.1["connectionType"]?.string == "long-polling")
        #expect(second.id == second.1["id"]?.string)
    }

    @Test("cookies are kept for the session, and a server cannot make them grow")
    func cookies() throws {
        var session = try Self.open()
        var fields: HTTPFields = [:]
        fields.append("Set-Cookie", "BAYEUX_BROWSER=1a; Path=/; Secure")
        fields.append("Set-Cookie", "sticky=x=y")
        session.keepCookies(fields)
        #expect(session.cookieHeader == "BAYEUX_BROWSER=1a; sticky=x=y")
        session.keepCookies(["Set-Cookie": "sticky=; Max-Age=0"])
        #expect(session.cookieHeader == "BAYEUX_BROWSER=1a")
        for number in 0..<1_000 { session.keepCookies(["Set-Cookie": "c\(number)=1"]) }
        session.keepCookies(["Set-Cookie": "large=" + String(repeating: "x", count: 5_000)])
        #expect(session.cookies.count == 20)
    }

    @Test(
        "the texts of the guide are understood",
        arguments: [
            ("401::Authentication invalid", WireError.Remedy.reopen, "unauthorized"),
            ("403::Unknown client", .reopen, "unavailable"), ("402:x:Unknown client", .reopen, "unavailable"),
            ("503::Server is too busy", .retry, "unavailable"), ("403::daily event limit exceeded", .none, "limit"),
        ])
    func connectErrors(_ text: String, _ remedy: WireError.Remedy, _ code: String) throws {
        var session = try Self.open()
        let (id, _) = session.connect()
        let response = try session.read(
            Self.list(#"[{"channel":"/meta/connect","id":"\#(id)","successful":false,"error":"\#(text)"}]"#))
        let error = #expect(throws: WireError.self) { try session.connected(response.replies[id], response) }
        #expect(error?.remedy == remedy && error?.error.code.description == code)
    }

    @Test("advice is followed within bounds: none ends, handshake reopens")
    func advice() throws {
        for (advice, remedy) in [("none", WireError.Remedy.none), ("handshake", .reopen)] {
            var session = try Self.open()
            let (id, _) = session.connect()
            let response = try session.read(
                Self.list(
                    #"[{"channel":"/meta/connect","id":"\#(id)","successful":true,"#
                        + #""advice":{"reconnect":"\#(advice)","interval":99999999999,"timeout":-5}}]"#))
            #expect(session.advice.interval == .seconds(300) && session.advice.timeout == .seconds(1))
            let error = #expect(throws: WireError.self) { try session.connected(response.replies[id], response) }
            #expect(error?.remedy == remedy)
        }
        var session = try Self.open()
        let response = try session.read(Self.list(#"[{"channel":"/meta/disconnect","successful":true}]"#))
        let error = #expect(throws: WireError.self) { try session.connected(nil, response) }
        #expect(error?.remedy == .reopen)
    }

    @Test("hostile messages are typed errors or are ignored")
    func hostile() throws {
        let digits = String(repeating: "9", count: 1_000_000)
        for text in [
            #"[1]"#, #"[{}]"#, #"[{"channel":7}]"#, #"[{"channel":"/a","data":null}]"#,
            #"[{"channel":"/a","data":{"event":{"replayId":\#(digits)}}}]"#,
            #"[{"channel":"/a","data":{"event":{"replayId":"\#(digits)"}}}]"#,
            #"[{"channel":"/a","data":{"event":{"replayId":-1}}}]"#,
            #"[{"channel":"/a","data":{"event":{"replayId":1.5}}}]"#, #"[{"channel":"/a","data":[]}]"#,
        ] {
            var session = try Self.open()
            let error = try #require(throws: WireError.self) { _ = try session.read(Self.list(text)) }
            #expect(error.error.code == .response && error.error.message.utf8.count < 400)
        }
        var session = try Self.open()
        let ignored = try session.read(
            Self.list(
                #"[{"channel":"/meta/connect","id":[1],"advice":7},{"channel":"/a"},"#
                    + #"{"channel":"/meta/x","id":"1","advice":{"reconnect":5,"interval":"x"}}]"#))
        #expect(ignored.events.isEmpty && session.advice.interval == .milliseconds(5))
        for reply in [#"{"successful":true}"#, #"{"successful":true,"clientId":""}"#, #"{"successful":"yes"}"#] {
            let reply = try JSONValue(parsing: reply)
            #expect(throws: WireError.self) { try session.opened(reply) }
        }
    }
}

@Suite("Damaged Bayeux messages", .timeLimit(.minutes(2)))
struct DamagedMessageTests {
    private static let text =
        #"[{"channel":"/event/A__e","data":{"schema":"s","payload":{"n":1,"x":null},"event":{"replayId":12}}},"#
        + #"{"channel":"/meta/connect","id":"2","successful":false,"error":"403::Unknown client","#
        + #""advice":{"reconnect":"handshake","interval":500,"timeout":110000},"ext":{"sfdc":{"failureReason":"x"}}}]"#

    @Test("whatever a response is, it is read within bounds, and every event has a valid id")
    func damaged() throws {
        let chunks = [
            "null", "-1", "1e400", "99999999999999999999", "[]", "{}", #""""#, "true", #""/meta/connect""#,
            #""none""#, "9223372036854775807",
        ]
        var read = 0
        for seed in 0..<3_000 {
            var random = SeededGenerator(seed: UInt64(seed))
            var bytes = Array(Self.text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...12, using: &random))
                bytes.replaceSubrange(start..<end, with: Array((chunks.randomElement(using: &random) ?? "").utf8))
            }
            // Whole values too, which leave the text valid.
            if seed % 2 == 0 {
                let value = chunks.randomElement(using: &random) ?? ""
                let names = ["12", #""2""#, "false", "500", "110000", #""handshake""#, #"{"replayId":12}"#]
                let old = names.randomElement(using: &random) ?? ""
                bytes = Array(Self.text.replacing(old, with: value).utf8)
            }
            guard let list = (try? JSONValue(parsing: bytes))?.array else { continue }
            var session = BayeuxSession()
            let (id, _) = session.connect()
            do throws(WireError) {
                let response = try session.read(list)
                read += 1
                #expect(response.events.allSatisfy { ReplayID($0.replayID.description) == $0.replayID })
                try session.connected(response.replies[id], response)
            } catch {
                #expect(error.delay >= .zero && error.delay <= .seconds(300))
            }
            #expect((.seconds(1)...Duration.seconds(600)).contains(session.advice.timeout))
        }
        #expect(read > 100)
    }
}

@Suite("Replay ids", .timeLimit(.minutes(2)))
struct ReplayIDTests {
    @Test("an id is the same after its string form, and nothing else is an id")
    func forms() throws {
        for text in ["0", "12", "9223372036854775807", "0x00ff", "0x" + String(repeating: "ab", count: 256)] {
            let id = try #require(ReplayID(text))
            #expect(id.description == text)
            #expect(try ReplayID(json: id.json()) == id)
        }
        for text in [
            "", "-1", "+1", "1 ", "9223372036854775808", "0x", "0x1", "0xgg",
            "0x" + String(repeating: "ab", count: 257),
            String(repeating: "1", count: 100_000),
        ] {
            #expect(ReplayID(text) == nil, "\(text.prefix(30))")
        }
    }
}
