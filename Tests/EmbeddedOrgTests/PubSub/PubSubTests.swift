// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import EventWire
import Foundation
import RestHTTP2
import RestJSON
import RestTransport
import SOQLStore
import Testing

@testable import EmbeddedOrg

@Suite("The Pub/Sub API", .timeLimit(.minutes(2)))
struct PubSubTests {
    /// The error of a call that must fail.
    private func failure<Value>(_ body: () async throws -> Value) async -> Ending {
        do {
            _ = try await body()
            Issue.record("expected an error")
            return Ending(nil)
        } catch {
            let error = error as? GRPCError
            #expect(error?.message.contains("rpcId: ") == true)
            return Ending(error)
        }
    }

    @Test("a topic names its schema, which is that of REST; requests without a valid session are rejected")
    func topics() async throws {
        var client = try await PubSubClient.start()
        let info = try await client.topic("/event/Paid__e")
        #expect(info.canPublish && info.canSubscribe && info.topicName == "/event/Paid__e" && !info.rpcID.isEmpty)
        let stored = try client.client.get("/event/eventSchema/\(info.schemaID)?payloadFormat=COMPACT")
        #expect(stored.json["uuid"]?.string == info.schemaID)
        let schema = try await client.schema(info.schemaID)
        #expect(schema.record(of: schema.root)?.fields.first?.name == "CreatedDate")
        let change = try await client.topic("/data/AccountChangeEvent")
        #expect(!change.canPublish && change.canSubscribe && change.schemaID != info.schemaID)
        #expect(try await client.topic("/data/ChangeEvents").schemaID.isEmpty)
        for name in ["/event/None__e", "/topic/Leads", "/u/News", "nothing"] {
            #expect(await failure { try await client.topic(name) } == Ending("topic.not.found", .notFound))
        }
        #expect(await failure { try await client.topic("") }.code == "topic.validation.empty")
        #expect(await failure { try await client.schema("none") }.code == "schema.validation.failed")
        let other = await failure { try await client.unary("None", PubSub.TopicRequest(), as: PubSub.TopicInfo.self) }
        #expect(other.status == .unimplemented)
        let metadata = client.metadata
        for name in ["accesstoken", "instanceurl", "tenantid"] {
            client.metadata = HTTPFields(metadata.filter { $0.name != name })
            let missing = await failure { try await client.topic("/event/Paid__e") }
            #expect(missing == Ending("service.auth.headers.invalid", .unauthenticated))
            client.metadata.append(name, "x")
            let wrong = await failure { try await client.topic("/event/Paid__e") }
            #expect(wrong.code == (name == "accesstoken" ? "service.auth.error" : "service.auth.headers.invalid"))
        }
    }

    @Test("a subscriber gets as many events as it asked for, and resumes after any of them")
    func credits() async throws {
        let client = try await PubSubClient.start()
        let stream = try await client.subscribe(count: 2)
        try client.publish(1...3)
        var (count, last): (Int, PubSub.FetchResponse?) = (0, nil)
        while count < 2 {
            last = try await stream.next()
            count += last?.events.count ?? 0
        }
        #expect(count == 2 && last?.pendingNumRequested == 0)
        let replayID = try #require(last?.events.last?.replayID)
        #expect(replayID.count == 9 && last?.latestReplayID == replayID)
        try await stream.ask(5)
        let third = try await stream.next()
        #expect(third.events.count == 1 && third.pendingNumRequested == 4)
        let resumed = try await client.subscribe("/event/Paid__e", .custom, after: replayID)
        #expect(try await resumed.sums(1) == [3])
        #expect(try await client.subscribe("/event/Paid__e", .earliest).sums(3) == [1, 2, 3])
    }

    @Test("requests that make no sense end the stream")
    func invalidRequests() async throws {
        let client = try await PubSubClient.start()
        let none = try await client.subscribe(count: 0)
        #expect(await none.ending() == Ending("subscription.fetch.requested.events.invalid", .invalidArgument))
        let unknown = try await client.subscribe("/event/None__e")
        #expect(await unknown.ending() == Ending("topic.not.found", .notFound))
        let corrupted = try await client.subscribe("/event/Paid__e", .custom, after: [1, 2, 3])
        #expect(await corrupted.ending().code == "subscription.fetch.replayid.corrupted")
        let later = try await client.subscribe("/event/Paid__e", .custom, after: ReplayID.bytes(1 << 40))
        #expect(await later.ending().code == "subscription.fetch.replayid.validation.failed")
        let moved = try await client.subscribe()
        var request = PubSub.FetchRequest()
        (request.topicName, request.numRequested) = ("/data/AccountChangeEvent", 1)
        try await moved.call.send(request.encoded)
        #expect(await moved.ending().code == "subscription.fetch.topic.mismatch")
    }

    @Test("after the org lost its events, a replay ID is invalid, and the subscriber begins again")
    func lostEvents() async throws {
        let client = try await PubSubClient.start()
        try client.publish(1...1)
        let first = try await client.subscribe("/event/Paid__e", .earliest).next()
        client.org.events.expire()
        let stream = try await client.subscribe("/event/Paid__e", .custom, after: first.latestReplayID)
        #expect(await stream.ending().code == "subscription.fetch.replayid.validation.failed")
        try client.publish(2...2)
        #expect(try await client.subscribe("/event/Paid__e", .earliest).sums(1) == [2])
    }

    @Test("change events have bitmaps of their fields, also of inner ones")
    func changes() async throws {
        let client = try await PubSubClient.start { $0.changedObjects = ["Account"] }
        let id = try client.client.create("Account", #"{"Name":"A","Phone":"1","BillingCity":"Bonn"}"#)
        let path = "\(OrgClient.data)/sobjects/Account/\(id)"
        try client.client.send("PATCH", path, body: #"{"Phone":null,"BillingCity":"Ulm"}"#)
        try client.client.send("DELETE", path)
        let stream = try await client.subscribe("/data/AccountChangeEvent", .earliest)
        let payloads = try await stream.payloads(3)
        let schema = try await client.schema(try await client.topic("/data/AccountChangeEvent").schemaID)
        let bitmaps = try #require(FieldBitmaps(schema))
        func names(_ list: String) throws -> Set<String> {
            let header = payloads[1]["ChangeEventHeader"]
            return Set(try bitmaps.names(header?[list]?.array?.compactMap(\.string) ?? []))
        }
        #expect(payloads.map { $0["ChangeEventHeader"]?["changeType"]?.string } == ["CREATE", "UPDATE", "DELETE"])
        #expect(try names("changedFields") == ["Phone", "BillingAddress.City", "LastModifiedDate"])
        #expect(try names("nulledFields") == ["Phone"])
        #expect(payloads[1]["BillingAddress"]?["City"]?.string == "Ulm" && payloads[1]["Phone"]?.isNull == true)
        #expect(payloads[0]["CreatedDate"]?.int != nil)
    }

    @Test("the value of a field that changed in a few lines is the difference, and a bitmap names the field")
    func differences() async throws {
        let client = try await PubSubClient.start { $0.changedObjects = ["Account"] }
        let lines = (0..<200).map { "line \($0)" }
        func description(_ lines: [String]) -> String { #""Description":"\#(lines.joined(separator: "\\n"))""# }
        let id = try client.client.create("Account", #"{"Name":"A",\#(description(lines))}"#)
        let path = "\(OrgClient.data)/sobjects/Account/\(id)"
        try client.client.send("PATCH", path, body: "{\(description(lines + ["end"]))}")
        let payload = try await client.subscribe("/data/AccountChangeEvent", .earliest).payloads(2)[1]
        let schema = try await client.schema(try await client.topic("/data/AccountChangeEvent").schemaID)
        let texts = payload["ChangeEventHeader"]?["diffFields"]?.array?.compactMap(\.string) ?? []
        #expect(try FieldBitmaps(schema)?.names(texts) == ["Description"])
        let difference = try #require(payload["Description"]?.string)
        #expect(difference.hasPrefix("--- ") && difference.hasSuffix("+end\n\\ No newline at end of file\n"))
        #expect(difference.contains("\n@@ -197,4 +197,5 @@\n line 196\n"))
    }

    @Test("a query of the subscribers has the topic, the last event and the newest event of each")
    func subscribers() async throws {
        let client = try await PubSubClient.start {
            $0.managedSubscriptions = [.init(developerName: "Payments", channel: "/event/Paid__e")]
        }
        func subscribers() throws -> [[String: JSONValue]] {
            let fields = "Topic, Type, Name, ExternalId, Status, Position, Tip, Retries, LastError, CreatedById"
            let query = "SELECT \(fields) FROM EventBusSubscriber WHERE Tip != null ORDER BY Topic, Type"
            let records = try #require(try client.client.query(query).json["records"]?.array)
            return records.map { Dictionary(($0.object ?? [:]).map { ($0.key, $0.value) }) { $1 } }
        }
        #expect(try subscribers().isEmpty)
        try client.publish(1...3)
        let bayeux = try BayeuxClient.connected(client.client, "/event/Paid__e", "/data/ChangeEvents", replay: -2)
        let replays = try bayeux.events().compactMap(\.replayID)
        let stream = try await client.subscribe("/event/Paid__e", .earliest, count: 1)
        _ = try await stream.sums(1)
        let managed = try client.call("ManagedSubscribe")
        var request = PubSub.ManagedFetchRequest()
        (request.developerName, request.numRequested) = ("Payments", 1)
        try await managed.send(request.encoded)
        _ = try await managed.metadata
        let found = try subscribers()
        #expect(found.map { $0["Topic"]?.string } == ["ChangeEvents", "Paid__e", "Paid__e", "Paid__e"])
        #expect(found.map { $0["Type"]?.string } == ["CometD", "CometD", "ManagedSubscription", "PubSub"])
        #expect(found.map { $0["Position"]?.int } == [-1, replays.last, replays.last, replays.first])
        #expect(found.map { $0["Tip"]?.int } == [-1, replays.last, replays.last, replays.last])
        #expect(found[2]["Name"] == "Payments" && found[1]["Name"]?.string == bayeux.clientID)
        for record in found {
            #expect(record["Status"] == "Running" && record["Retries"] == 0 && record["LastError"]?.isNull == true)
            #expect(record["CreatedById"]?.string == client.org.userID && record["ExternalId"]?.string != nil)
        }
        stream.call.cancel()
        while client.org.events.streamCount > 1 { await Task.yield() }
        #expect(try subscribers().count == 3)
    }

    @Test("dates and times of an event are those that CometD delivers")
    func times() async throws {
        let client = try await PubSubClient.start()
        _ = try client.client.create(
            "Paid__e", #"{"Sum__c":1,"Day__c":"2026-01-29","At__c":"2026-01-29T11:11:12.345+01:00"}"#)
        let router = client.org.service.router
        let channel = try #require(try router.bus.channel(named: "/event/Paid__e", router.records.store.database))
        let page = try router.bus.events(of: channel, after: 0, most: 1, router.records.store.database)
        let published = try #require(page.events.first)
        let stored = try #require(try JSONValue(parsing: published.payload).object)
        #expect(stored["Day__c"] == "2026-01-29" && stored["CreatedDate"] != nil)
        let response = try await client.subscribe("/event/Paid__e", .earliest).next()
        let event = try #require(response.events.first?.event)
        let reader = AvroReader(try await client.schema(event.schemaID), timesAsText: true)
        let payload = try reader.read(event.payload)
        for member in stored { #expect(payload[member.key] == member.value, "\(member.key)") }
    }

    @Test("publishing has a result for each event, and an invalid one does not affect the others")
    func publishing() async throws {
        let client = try await PubSubClient.start()
        let info = try await client.topic("/event/Paid__e")
        let writer = AvroWriter(try await client.schema(info.schemaID))
        func event(_ sum: Int) throws -> PubSub.ProducerEvent {
            var event = PubSub.ProducerEvent()
            (event.id, event.schemaID) = ("id-\(sum)", info.schemaID)
            event.payload = try writer.bytes(
                of: [
                    "CreatedDate": 1_700_000_000_000, "CreatedById": JSONValue(client.org.userID),
                    "Sum__c": JSONValue(sum), "Day__c": 1_700_006_400_000, "At__c": 1_700_000_000_000,
                ])
            return event
        }
        var (request, broken, quoted, long) = (PubSub.PublishRequest(), try event(2), try event(3), try event(9))
        broken.payload.removeLast()
        (quoted.id, long.id) = (#"","replayId":1,"a":"\"#, String(repeating: "x", count: 37))
        request.topicName = "/event/Paid__e"
        request.events = [try event(1), broken, quoted, long]
        let response = try await client.unary("Publish", request, as: PubSub.PublishResponse.self)
        #expect(response.results.map(\.correlationKey) == ["id-1", "id-2", quoted.id, long.id])
        #expect(response.results.map { $0.error?.code } == [nil, .publish, nil, .publish])
        #expect(response.results[0].replayID.count == 9 && response.schemaID == info.schemaID)
        let stream = try client.call("PublishStream")
        request.events = [try event(4)]
        try await stream.send(request.encoded)
        let more = try PubSub.PublishResponse(reading: try #require(try await stream.next()))
        #expect(more.results.map(\.correlationKey) == ["id-4"])
        let seen = try await client.subscribe("/event/Paid__e", .earliest).payloads(3)
        #expect(seen.compactMap { $0["Sum__c"]?.int } == [1, 3, 4])
        #expect(seen[0]["Day__c"]?.int == 1_700_006_400_000 && seen[0]["At__c"]?.int == 1_700_000_000_000)
        let again = try await client.subscribe("/event/Paid__e", .earliest)
        var ids: [String?] = []
        while ids.count < 3 { ids += try await again.next().events.map { $0.event?.id } }
        #expect(ids == ["id-1", quoted.id, "id-4"])
        let polled = try BayeuxClient.connected(client.client, "/event/Paid__e", replay: -2).events()
        #expect(polled.map { $0["data"]?["event"]?["EventUuid"]?.string } == ids)
        #expect(polled.compactMap(\.replayID).count == 3 && !polled.compactMap(\.replayID).contains(1))
        request.events = []
        let none = await failure { try await client.unary("Publish", request, as: PubSub.PublishResponse.self) }
        #expect(none == Ending("publish.event.count.invalid", .invalidArgument))
        request = PubSub.PublishRequest()
        (request.topicName, request.events) = ("/data/AccountChangeEvent", [try event(5)])
        let change = await failure { try await client.unary("Publish", request, as: PubSub.PublishResponse.self) }
        #expect(change == Ending("topic.meta.permission", .permissionDenied))
    }

    @Test("a stream without events gets empty responses, from which it resumes; one without requests ends")
    func keepAlive() async throws {
        let client = try await PubSubClient.start {
            ($0.keepAliveTime, $0.fetchTime) = (.milliseconds(30), .milliseconds(50))
        }
        let stream = try await client.subscribe(count: 1)
        let empty = try await stream.next()
        #expect(empty.events.isEmpty && empty.pendingNumRequested == 1 && empty.latestReplayID.count == 9)
        try client.publish(1...1)
        #expect(try await stream.sums(1) == [1])
        #expect(await stream.ending() == Ending(nil))
        #expect(try await client.subscribe("/event/Paid__e", .custom, after: empty.latestReplayID).sums(1) == [1])
    }

    @Test("an expired token ends a stream at the next event, unless the client has sent a new one")
    func tokens() async throws {
        let client = try await PubSubClient.start()
        let (old, new) = (try await client.subscribe(), try await client.subscribe(count: 1))
        let wrong = try await client.subscribe()
        try client.publish(1...1)
        for stream in [old, new, wrong] { #expect(try await stream.next().events.count == 1) }
        client.org.faults.expireAccessTokens()
        try await wrong.ask(1, token: "none")
        #expect(await wrong.ending() == Ending("service.auth.refresh.invalid", .unauthenticated))
        var publisher = client.client
        publisher.token = client.org.issueCredential().accessToken
        _ = try publisher.create("Paid__e", #"{"Sum__c":2}"#)
        #expect(await old.ending() == Ending("service.auth.error", .unauthenticated))
        try await new.ask(1, token: publisher.token)
        #expect(try await new.next().events.count == 1)
    }

    @Test("a managed subscription continues after its commit, for one client at a time")
    func managed() async throws {
        let client = try await PubSubClient.start {
            $0.managedSubscriptions = [
                .init(developerName: "Payments", channel: "/event/Paid__e", startsEarliest: true)
            ]
        }
        try client.publish(1...3)
        func open(_ name: String = "Payments") async throws -> GRPCCall {
            let call = try client.call("ManagedSubscribe")
            var request = PubSub.ManagedFetchRequest()
            (request.developerName, request.numRequested) = (name, 1)
            try await call.send(request.encoded)
            return call
        }
        func next(_ call: GRPCCall) async throws -> PubSub.ManagedFetchResponse {
            try PubSub.ManagedFetchResponse(reading: try #require(try await call.next()))
        }
        let first = try await open()
        let response = try await next(first)
        #expect(response.events.count == 1)
        let second = Subscriber(call: try await open(), client: client)
        #expect(await second.ending().code == "managed.subscription.already.active")
        let unknown = Subscriber(call: try await open("None"), client: client)
        #expect(await unknown.ending().code == "managed.subscription.developer.name.not.found")
        var request = PubSub.ManagedFetchRequest()
        for (id, replayID) in [("a", response.latestReplayID), ("b", [1])] {
            var commit = PubSub.CommitReplayRequest()
            (commit.commitRequestID, commit.replayID) = (id, replayID)
            request.commit = commit
            try await first.send(request.encoded)
            let committed = try #require(try await next(first).commit)
            #expect(committed.commitRequestID == id && committed.processTime > 0)
            #expect(committed.error?.code == (id == "a" ? nil : .commit))
        }
        try await first.finishSending()
        #expect(try await first.next() == nil)
        while client.org.events.streamCount > 0 { await Task.yield() }
        let replayID = try await next(try await open()).events.first?.replayID
        #expect(replayID != response.events.first?.replayID && replayID != nil)
    }

    @Test("faults on command: rejected calls, ended and silent streams, GOAWAY, broken connections")
    func faults() async throws {
        let client = try await PubSubClient.start()
        #expect(!client.org.events.rejectCalls(code: "none"))
        #expect(client.org.events.rejectCalls(code: "subscription.limit.exceeded"))
        let limited = try await client.subscribe()
        #expect(await limited.ending() == Ending("subscription.limit.exceeded", .resourceExhausted))
        let ended = try await client.subscribe()
        while client.org.events.streamCount == 0 { await Task.yield() }
        client.org.events.endStreams()
        #expect(await ended.ending() == Ending("service.unavailable", .unavailable))
        let silent = try await client.subscribe("/event/Paid__e", .earliest)
        client.org.events.silenceStreams()
        try client.publish(1...1)
        client.org.events.silenceStreams(false)
        #expect(try await silent.sums(1) == [1])
        client.org.events.leaveConnections()
        while client.connection.isUsable { await Task.yield() }
        try client.publish(2...2)
        #expect(try await silent.next().events.count == 1)
        client.org.events.dropConnections()
        #expect(await silent.ending().status == .unavailable)
    }
}
#endif
