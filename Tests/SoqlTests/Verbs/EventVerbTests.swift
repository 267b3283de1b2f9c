// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestTesting
import Terminals
import Testing

@testable import SoqlCommand

@Suite("soql listen and publish", .timeLimit(.minutes(4)))
struct EventVerbTests {
    private static let channel = "/event/Order_Placed__e"

    private func start() async throws -> OrgSession {
        var configuration = LocalOrgConfiguration()
        let event = #"{"name": "Order_Placed__e", "fields": [{"name": "Total__c", "type": "int"}]}"#
        configuration.schema = try OrgSchema(describe: Array(event.utf8))
        configuration.events.changedObjects = ["Account"]
        return try await OrgSession(configuration)
    }

    private func rows(_ totals: Range<Int>) -> String { totals.map { #"{"Total__c":\#($0)}"# + "\n" }.joined() }

    private func publish(_ totals: Range<Int>, _ session: OrgSession) async throws -> Command.Outcome {
        try await session.run("publish", Self.channel, input: rows(totals))
    }

    /// The totals in printed events, each on one line.
    private func totals(_ output: String) throws -> [Int] {
        try output.split(separator: "\n").map { line in
            let event = try JSONValue(parsing: Array(line.utf8))
            #expect(event["channel"]?.string == Self.channel && event["replayId"]?.string != nil)
            return try #require(event["data"]?["payload"]?["Total__c"]?.int)
        }
    }

    @Test("published rows are received in order, each once, with the UUIDs that publish printed")
    func roundTrip() async throws {
        let session = try await start()
        let published = try await publish(0..<250, session)
        #expect(published.status == 0 && published.errors.contains("250 events published"), "\(published)")
        let heard = try await session.run("listen", Self.channel, "--from", "earliest", "--count", "250")
        #expect(heard.status == 0 && heard.errors.contains("listening to \(Self.channel)"), "\(heard)")
        #expect(try totals(heard.output) == Array(0..<250))
        let ids = try heard.output.split(separator: "\n").map { line in
            try JSONValue(parsing: Array(line.utf8))["data"]?["event"]?["EventUuid"]?.string ?? ""
        }
        #expect(ids == published.output.split(separator: "\n").map(String.init))
        let table = try await session.run(
            "listen", Self.channel, "--from", "earliest", "--count", "2", "--format", "csv", "--quiet")
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.first == "channel,replayId,data" && table.errors.isEmpty, "\(table)")
    }

    @Test("a listener with a position file continues after a limit, an interrupt and a kill")
    func positions() async throws {
        let session = try await start()
        _ = try await publish(0..<60, session)
        let file = session.folder.path("position.json")
        let words = ["listen", Self.channel, "--from", "earliest", "--position", file]
        let first = try await Command(words + ["--count", "20"], environment: session.environment).finish()
        #expect(try totals(first.output) == Array(0..<20))
        let second = try Command(words, environment: session.environment)
        for total in 20..<60 {
            let line = try #require(second.nextLine())
            #expect(try totals(String(decoding: line, as: UTF8.self)) == [total])
        }
        // The file is in use.
        let other = try await Command(words, environment: session.environment).finish()
        #expect(other.status == 1 && other.errors.contains("held"), "\(other)")
        second.process.interrupt()
        #expect(await second.finish().status == 130)
        _ = try await publish(60..<70, session)
        let third = try await Command(words + ["--count", "10"], environment: session.environment).finish()
        #expect(try totals(third.output) == Array(60..<70), "\(third)")
        let fourth = try Command(words, environment: session.environment)
        _ = try await publish(70..<71, session)
        #expect(try totals(String(decoding: try #require(fourth.nextLine()), as: UTF8.self)) == [70])
        kill(fourth.process.processIdentifier, SIGKILL)
        _ = await fourth.finish()
        // The process may have been killed before the position was stored, so the last event may be repeated.
        _ = try await publish(71..<73, session)
        let fifth = try await Command(words + ["--count", "2"], environment: session.environment).finish()
        #expect([[70, 71], [71, 72]].contains(try totals(fifth.output)))
    }

    @Test("--exec runs a command for each event, and an event whose command fails is not handled")
    func programs() async throws {
        let session = try await start()
        _ = try await publish(0..<5, session)
        let line = """
            "$soql" listen /event/Order_Placed__e --from earliest --position "$folder/p.json" --count 3 \
            --exec 'cat >> "$folder/got"; echo "$SOQL_CHANNEL" >> "$folder/got"'
            """
        #expect(try await session.shell(line).status == 0)
        let lines = (session.folder.text(of: "got") ?? "").split(separator: "\n").map(String.init)
        #expect(lines.count == 6 && lines.filter { $0 == Self.channel }.count == 3)
        #expect(try totals(lines.filter { $0 != Self.channel }.joined(separator: "\n")) == [0, 1, 2])
        let failing = """
            "$soql" listen /event/Order_Placed__e --position "$folder/p.json" --exec 'grep -q "Total__c\\":3" || exit 7'
            """
        let failed = try await session.shell(failing)
        #expect(failed.status == 1 && failed.errors.contains("failed (exit code 7)"), "\(failed)")
        let rest = try await session.shell(
            #""$soql" listen /event/Order_Placed__e --position "$folder/p.json" --count 1"#)
        #expect(try totals(rest.output) == [4])
    }

    @Test("both protocols deliver the same events, and a position of one is rejected with the other")
    func wires() async throws {
        let session = try await start()
        _ = try await publish(0..<30, session)
        let file = session.folder.path("p.json")
        let words = ["listen", Self.channel, "--from", "earliest", "--position", file, "--wire"]
        func listen(_ more: String...) async throws -> Command.Outcome {
            try await Command(words + more, environment: session.environment).finish()
        }
        // A server that the token is not of.
        let foreign = try await LocalOrg.start()
        let rejected = try await listen("pubsub", "--endpoint", foreign.instanceURL)
        await foreign.stop()
        #expect(rejected.status != 0 && rejected.errors.contains("unauthorized"), "\(rejected)")
        let first = try await listen("pubsub", "--endpoint", session.org.instanceURL, "--count", "20")
        #expect(try totals(first.output) == Array(0..<20), "\(first)")
        #expect(try totals(try await listen("pubsub", "--count", "10").output) == Array(20..<30))
        let other = try await listen("cometd")
        #expect(other.status == 2 && other.errors.contains("not one of --wire cometd"), "\(other)")
        let rows = rows(30..<32) + #"{"Nothing__c":1}"# + "\n" + rows(33..<34)
        let published = try await session.run("publish", Self.channel, "--wire", "pubsub", input: rows)
        #expect(published.status == 4 && published.errors.contains("3 events published"), "\(published)")
        #expect(published.errors.contains("line 3: ") && published.output.split(separator: "\n").count == 3)
        #expect(try totals(try await listen("pubsub", "--count", "3").output) == [30, 31, 33])
        let topic = try await session.run("listen", "/topic/Accounts", "--wire", "pubsub")
        #expect(topic.status == 1 && !topic.errors.contains("Events were missed"), "\(topic)")
    }

    @Test("changes of records and generic events of several channels arrive in one process")
    func channels() async throws {
        let session = try await start()
        _ = try await session.client.send(.create("StreamingChannel", ["Name": "/u/News"]))
        let published = try await session.run("publish", "/u/News", input: "\"first\"\n{\"n\":2}\n")
        #expect(published.status == 0 && published.errors.contains("2 events published"), "\(published)")
        _ = try await session.client.send(.create("Account", ["Name": "Harbour Lights"]))
        let heard = try await session.run(
            "listen", "/u/News", "/data/AccountChangeEvent", "--from", "earliest", "--count", "3")
        #expect(heard.status == 0 && heard.output.contains("Harbour Lights"), "\(heard)")
        #expect(heard.output.contains(#""payload":"first""#) && heard.output.contains(#""payload":{"n":2}"#))
    }

    @Test("invalid rows are reported by line, and the rows before them are published")
    func rows() async throws {
        let session = try await start()
        let broken = try await session.run("publish", Self.channel, input: rows(0..<2) + "\nnot JSON\n" + rows(2..<3))
        #expect(broken.status == 4 && broken.errors.contains("line 4 is not a JSON object"), "\(broken)")
        #expect(broken.errors.contains("2 events published"))
        let rejected = try await session.run("publish", Self.channel, input: #"{"Nothing__c":1}"#)
        #expect(rejected.status == 1 && rejected.errors.contains("INVALID_FIELD"), "\(rejected)")
        let dry = try await session.run("publish", Self.channel, "--dry-run", input: rows(0..<1))
        #expect(dry.status == 0 && dry.output.contains(#""Total__c":0"#) && dry.errors.contains("nothing was written"))
        let missing = try await session.run("publish", "/u/Nothing", input: "1\n")
        #expect(missing.status == 1 && missing.errors.contains("no channel '/u/Nothing'"), "\(missing)")
    }

    @Test("invalid arguments are usage errors, and the org's rejections are reported with a next step")
    func errors() async throws {
        let usage: [(words: [String], message: String)] = [
            (["listen"], "no channel"), (["listen", "/event/A__e", "--from", "erliest"], "did you mean 'earliest'?"),
            (["listen", "/event/A__e", "/event/B__e", "--from", "5"], "needs one channel"),
            (["listen", "/event/A__e", "--position", "p.txt"], "takes NAME.json"),
            (["listen", "/event/A__e", "--position", "my file.json"], "100 letters"),
            (["listen", "/event/A__e", "--from", "0x00ff"], "is not one of --wire cometd"),
            (["listen", "/event/A__e", "--from", "5", "--wire", "pubsub"], "is not one of --wire pubsub"),
            (["listen", "/event/A__e", "--wire", "pubsup"], "did you mean 'pubsub'?"),
            (["listen", "/event/A__e", "--exec", "cat", "--format", "csv"], "cannot be combined"),
            (["listen", "/event/A__e", "--endpoint", "https://example.com"], "needs --wire pubsub"),
            (["publish", "/event/A__e", "--wire", "pubsub", "--endpoint", "http://example.com"], "use https"),
            (["publish", "/u/News", "--wire", "pubsub"], "platform events only"),
            (["publish", "/event/A__e", "--wire", "pubsub", "--dry-run"], "cannot be combined"),
            (["publish"], "no channel"), (["publish", "/data/AccountChangeEvent"], "can be published to"),
        ]
        for (words, message) in usage {
            let error = #expect(throws: UsageError.self) { try Invocation.command(for: words) }
            #expect(error?.message.contains(message) == true, "\(words): \(error?.message ?? "")")
        }
        let session = try await start()
        let plain = try await session.run("listen", "Order_Placed__e")
        #expect(plain.status == 2 && plain.errors.contains("must be the path of one channel"), "\(plain)")
        let unknown = try await session.run("listen", "/event/Nothing__e")
        #expect(unknown.status == 1 && unknown.errors.contains("Check the name of the channel"), "\(unknown)")
        _ = try await publish(0..<1, session)
        let heard = try await session.run("listen", Self.channel, "--from", "earliest", "--count", "1")
        let id = try #require(try JSONValue(parsing: Array(heard.output.utf8))["replayId"]?.string)
        session.org.events.expire()
        let expired = try await session.run("listen", Self.channel, "--from", id)
        #expect(expired.status == 1 && expired.errors.contains("--missing earliest"), "\(expired)")
    }

    @Test("a model waits for events, and gets those that arrived in time")
    func tool() async throws {
        let session = try await start()
        _ = try await publish(0..<5, session)
        let server = try MCPSession(environment: session.environment)
        func call(_ more: String) throws -> JSONValue? {
            let arguments = #"{"channels":["\#(Self.channel)"]\#(more)}"#
            try server.ask("1", "tools/call", #"{"name":"listen","arguments":\#(arguments)}"#)
            return try server.next()?["result"]
        }
        let events = try #require(try call(#","from":"earliest","count":3"#)?["structuredContent"]?["events"]?.array)
        #expect(events.compactMap { $0["data"]?["payload"]?["Total__c"]?.int } == [0, 1, 2])
        let last = try #require(events.last?["replayId"]?.string)
        let rest = try call(#","from":"\#(last)","count":2"#)?["structuredContent"]?["events"]
        #expect(rest?.array?.compactMap { $0["data"]?["payload"]?["Total__c"]?.int } == [3, 4])
        #expect(try call(#","seconds":0"#)?["structuredContent"]?["total"]?.int == 0)
        #expect(try call(#","from":"x""#)?["isError"]?.bool == true)
        // Without a connection, no event is not the same as no news.
        await session.org.stop()
        let lost = try call(#","seconds":2"#)
        #expect(lost?["isError"]?.bool == true, "\(String(describing: lost))")
        #expect(try server.finish().status == 0)
    }

    @Test("an event that is too large for a model keeps its channel and its replay id")
    func largeEvent() async throws {
        let session = try await start()
        _ = try await session.client.send(.create("StreamingChannel", ["Name": "/u/News"]))
        let numbers = (0..<2_000).map(String.init).joined(separator: ",")
        let small = #"{"attributes":{"kind":"a"}}"#
        _ = try await session.run("publish", "/u/News", input: "[\(numbers)]\n\(small)\n")
        let server = try MCPSession(["--max-bytes", "2000"], environment: session.environment)
        let arguments = #"{"channels":["/u/News"],"from":"earliest","count":2}"#
        try server.ask("1", "tools/call", #"{"name":"listen","arguments":\#(arguments)}"#)
        let events = try #require(try server.next()?["result"]?["structuredContent"]?["events"]?.array)
        try #require(events.count == 2)
        #expect(events[0]["replayId"]?.string != nil && events[0]["channel"]?.string == "/u/News")
        #expect(events[0]["data"] == nil && events[0]["note"]?.string?.contains("its data is omitted") == true)
        // Such a name is a URL of the API only in records.
        #expect(events[1]["data"]?["payload"]?["attributes"]?["kind"]?.string == "a")
        #expect(try server.finish().status == 0)
    }

    @Test("a shell completes the channels of the org, also PushTopics and generic channels")
    func shellCompletion() async throws {
        let session = try await start()
        try await Self.addChannels(session.client)
        let offers = try await session.run("completion", "words", "--", "listen", "/data/AccountChangeEvent", "/")
        let lines = Set(offers.output.split(separator: "\n").map(String.init))
        #expect(lines.isSuperset(of: [Self.channel, "/data/AccountChangeEvent", "/topic/Accounts", "/u/News"]))
        #expect(!lines.contains("/topic/Paused"))
        await session.org.stop()
        let without = try await session.run("completion", "words", "--", "listen", "/")
        #expect(without.output == "\(EventChannels.allChanges)\n")
    }

    /// Creates an active PushTopic, one that is not active, and a generic channel.
    static func addChannels(_ client: RestClient) async throws {
        for (name, isActive) in [("Accounts", true), ("Paused", false)] {
            let topic: JSONObject = [
                "Name": JSONValue(name), "Query": "SELECT Id, Name FROM Account", "ApiVersion": 60,
                "IsActive": JSONValue(isActive),
            ]
            _ = try await client.send(.create("PushTopic", topic))
        }
        _ = try await client.send(.create("StreamingChannel", ["Name": "/u/News"]))
    }
}

@Suite("Events in a session", .timeLimit(.minutes(2)))
struct SessionEventTests {
    @Test("events appear above the prompt, and the typed text stays")
    func events() async throws {
        let stage = try await SessionStart()
        let client = try RestClient(
            loginURL: stage.org.instanceURL, clientID: stage.org.clientID,
            clientSecret: Secret(stage.org.clientSecret))
        let session = try stage.session()
        try session.type("\\listen /data/AccountChangeEvent\n", until: "soql: listening to /data/AccountChangeEvent")
        try session.type("SELECT Na", until: "SELECT Na")
        _ = try await client.send(.create("Account", ["Name": "Harbour Lights"]))
        try session.wait(for: "Harbour Lights")
        try session.wait { text in
            ScreenModel(text, columns: 80).lines.last?.hasSuffix("=> SELECT Na") == true
        }
        try session.type("me FROM Account WHERE Name = 'Harbour Lights';\n", until: "1 record\r")
        try session.type("\\listen /data/AccountChangeEvent\n", until: "already listening")
        try session.type("\\listen off\n\\listen\n", until: "not listening")
        // A subscription that the org ends is no longer listed.
        try session.type("\\listen /event/Nothing__e\n", until: "no longer listening to /event/Nothing__e")
        session.type("\\listen /event/Nothing__e\n")
        try session.wait { $0.components(separatedBy: "Check the name of the channel").count > 2 }
        #expect(stage.leave(session), "\(session.text)")
    }

    @Test("Tab completes the channels that are records of the org")
    func records() async throws {
        let stage = try await SessionStart()
        let client = try RestClient(
            loginURL: stage.org.instanceURL, clientID: stage.org.clientID,
            clientSecret: Secret(stage.org.clientSecret))
        try await EventVerbTests.addChannels(client)
        let session = try stage.session()
        // The first Tab requests the channels in the background.
        try session.press("\\listen /topic/\t", until: "Accounts", clearingWith: "\u{15}")
        session.type("\u{3}")
        #expect(stage.leave(session), "\(session.text)")
    }

    @Test("channels are completed from the org's objects")
    func completion() throws {
        let objects = ["Account", "Order__c", "Order_Placed__e"].map { name in
            ObjectDescription.Summary(
                name, label: name, labelPlural: name, keyPrefix: nil, isCreateable: true,
                isUpdateable: !name.hasSuffix("__e"), isDeletable: true, isUndeletable: true)
        }
        let channels = EventChannels.names(of: objects)
        #expect(
            channels == [
                "/data/AccountChangeEvent", "/data/ChangeEvents", "/data/Order__ChangeEvent", "/event/Order_Placed__e",
            ])
        let found = try SampleSchema.complete("\\listen /event/A__e /da|") { $0.schema.channels = channels }
        #expect(found.candidates.map(\.text) == Array(channels.prefix(3)) && found.typed == 3)
    }
}
