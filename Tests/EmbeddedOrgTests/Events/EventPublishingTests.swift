// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("Publishing events", .timeLimit(.minutes(2)))
struct EventPublishingTests {
    private static let describe = """
        {"sobjects":[{"name":"Paid__e","label":"Paid","fields":[{"name":"Sum__c","type":"double","nillable":false},
        {"name":"Note__c","type":"string","length":20},{"name":"At__c","type":"datetime"}]},
        {"name":"Seen__e","publishBehavior":"PublishImmediately","fields":[{"name":"Note__c","type":"string"}]}]}
        """

    private func start(_ change: (inout LocalOrgConfiguration) throws -> Void = { _ in }) async throws -> OrgClient {
        try await OrgClient.start {
            $0.schema = try OrgSchema(describe: Array(Self.describe.utf8))
            try change(&$0)
        }
    }

    @Test("a published event gets a receipt, its own time, user and UUID, and a replay ID")
    func publish() async throws {
        let client = try await start()
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e")
        let path = "\(OrgClient.data)/sobjects/Paid__e"
        let made = try client.send("POST", path, body: #"{"Sum__c":2.5,"At__c":"2026-01-29T10:00:00Z"}"#)
        #expect(made.status == 201 && made.json["success"] == true)
        #expect(made.json["id"]?.string?.hasPrefix("e") == true && made.json["id"]?.string?.count == 18)
        let entry = made.json["errors"]?[0]
        #expect(entry?["statusCode"] == "OPERATION_ENQUEUED" && entry?["fields"] == [])
        let event = try #require(try bayeux.events().first)
        #expect(event["channel"] == "/event/Paid__e")
        #expect(event["data"]?["event"]?["EventUuid"] == entry?["message"])
        #expect(event.payload["Sum__c"]?.double == 2.5 && event.payload["At__c"] == "2026-01-29T10:00:00.000Z")
        #expect(event.payload["CreatedById"]?.string == client.org.userID && event.payload["Note__c"] == nil)
        #expect(event.payload["CreatedDate"]?.string?.hasSuffix("Z") == true)
        #expect(event.replayID != nil && event["data"]?["schema"]?.string?.count == 22)
        for body in [
            #"{"Note__c":"no sum"}"#, #"{"Sum__c":"x"}"#, #"{"Sum__c":1,"Other__c":1}"#,
            #"{"Sum__c":1,"EventUuid":"1"}"#,
        ] {
            #expect(try client.send("POST", path, body: body).status == 400)
        }
        #expect(try bayeux.events().isEmpty)
        #expect(try client.query("SELECT COUNT() FROM Paid__e").json["totalSize"]?.int ?? 0 == 0)
    }

    @Test("collections, composite requests and bulk jobs publish; a rollback leaves what is published immediately")
    func manyCalls() async throws {
        let client = try await start()
        let bayeux = try BayeuxClient.connected(client, "/event/Paid__e", "/event/Seen__e")
        func notes() throws -> [String] { try bayeux.events().map { $0.payload["Note__c"]?.string ?? "?" } }
        let collection = """
            {"records":[{"attributes":{"type":"Paid__e"},"Sum__c":1,"Note__c":"c1"},
            {"attributes":{"type":"Paid__e"},"Note__c":"bad"}]}
            """
        let saved = try client.send("POST", "\(OrgClient.data)/composite/sobjects", body: collection).json
        #expect(saved[0]?["errors"]?[0]?["statusCode"] == "OPERATION_ENQUEUED")
        #expect(saved[1]?["errors"]?[0]?["statusCode"] == "REQUIRED_FIELD_MISSING")
        #expect(try notes() == ["c1"])
        func composite(_ sum: String) throws {
            let body = """
                {"allOrNone":true,"compositeRequest":[
                {"method":"POST","url":"\(OrgClient.data)/sobjects/Seen__e","referenceId":"a","body":{"Note__c":"seen"}},
                {"method":"POST","url":"\(OrgClient.data)/sobjects/Paid__e","referenceId":"b",
                "body":{"Sum__c":1,"Note__c":"paid"}},
                {"method":"POST","url":"\(OrgClient.data)/sobjects/Paid__e","referenceId":"d",
                "body":{"Sum__c":\(sum),"Note__c":"last"}}]}
                """
            _ = try client.send("POST", "\(OrgClient.data)/composite", body: body)
        }
        try composite("2")
        #expect(try notes().sorted() == ["last", "paid", "seen"])
        try composite(#""no number""#)
        #expect(try notes() == ["seen"])
        let job = try client.load(#"{"object":"Paid__e","operation":"insert"}"#, "Sum__c,Note__c\n1,b1\n2,b2\nx,b3\n")
        #expect(try await client.ended(job)["numberRecordsFailed"]?.int == 1)
        #expect(try notes() == ["b1", "b2"])
    }

    @Test("event objects and their schemas are described")
    func described() async throws {
        let client = try await start()
        let event = try client.get("/sobjects/Paid__e/describe").json
        let names = event["fields"]?.array?.compactMap { $0["name"]?.string } ?? []
        #expect(Set(names) == ["ReplayId", "EventUuid", "CreatedDate", "CreatedById", "Sum__c", "Note__c", "At__c"])
        #expect(event["createable"] == true && event["queryable"] == false && event["updateable"] == false)
        let change = try client.get("/sobjects/ContactChangeEvent/describe").json
        #expect(change["name"] == "ContactChangeEvent")
        #expect(change["fields"]?.array?.contains { $0["name"] == "LastName" } == true)
        let compact = try client.get("/sobjects/Paid__e/eventSchema?payloadFormat=COMPACT").json
        #expect(compact["name"] == "Paid__e" && compact["type"] == "record")
        #expect(compact["fields"]?[0]?["name"] == "CreatedDate" && compact["fields"]?[2]?["type"] == "double")
        #expect(compact["fields"]?[3]?["type"] == ["null", "string"])
        let id = try #require(compact["uuid"]?.string)
        #expect(try client.get("/event/eventSchema/\(id)?payloadFormat=COMPACT").json == compact)
        let expanded = try client.get("/event/eventSchema/\(id)").json
        #expect(expanded["type"] == "expanded-record" && expanded["fields"]?[1]?["name"] == "channel")
        let account = try client.get("/sobjects/AccountChangeEvent/eventSchema?payloadFormat=COMPACT").json
        #expect(account["fields"]?[0]?["type"]?["name"] == "ChangeEventHeader")
        let address = account["fields"]?.array?.first { $0["name"] == "BillingAddress" }
        #expect(address?["type"]?[1]?["fields"]?.array?.contains { $0["name"] == "City" } == true)
        #expect(try client.get("/event/eventSchema/unknown").status == 404)
        #expect(try client.get("/sobjects/Nothing/eventSchema").status == 404)
        let behavior = #"{"name":"Odd__e","publishBehavior":"Sometimes","fields":[]}"#
        #expect(throws: (any Error).self) { try OrgSchema(describe: Array(behavior.utf8)) }
    }

    @Test("a generic channel delivers what is pushed")
    func generic() async throws {
        let client = try await start()
        #expect(
            try client.send("POST", "\(OrgClient.data)/sobjects/StreamingChannel", body: #"{"Name":"News"}"#).status
                == 400)
        let id = try client.create("StreamingChannel", #"{"Name":"/u/News"}"#)
        let bayeux = try BayeuxClient.connected(client, "/u/News")
        let path = "\(OrgClient.data)/sobjects/StreamingChannel/\(id)/push"
        let body = #"{"pushEvents":[{"payload":"one","userIds":[]},{"payload":{"two":2}}]}"#
        #expect(try client.send("POST", path, body: body).json[1]?["fanoutCount"]?.int == -1)
        #expect(try client.send("POST", path, body: #"{"pushEvents":[]}"#).status == 400)
        let events = try bayeux.events()
        #expect(events.map(\.payload) == ["one", ["two": 2]])
        #expect(events.first?["data"]?["event"]?["createdDate"]?.string?.hasSuffix("Z") == true)
        #expect(try bayeux.subscribe("/u/Other")["successful"] == false)
    }
}

@Suite("PushTopics", .timeLimit(.minutes(2)))
struct PushTopicTests {
    private func topic(_ client: OrgClient, _ name: String, _ query: String, _ more: String = "") throws -> Int {
        let body = #"{"Name":"\#(name)","Query":"\#(query)","ApiVersion":60.0\#(more)}"#
        return try client.send("POST", "\(OrgClient.data)/sobjects/PushTopic", body: body).status
    }

    @Test("a topic notifies of records that fulfil its query, when its fields change")
    func notifications() async throws {
        let client = try await OrgClient.start()
        let query = "SELECT Id, Name, Phone FROM Account WHERE Industry = 'Energy'"
        #expect(try topic(client, "Power", query) == 201)
        #expect(
            try topic(client, "Selected", query, #","NotifyForFields":"Select","NotifyForOperationCreate":false"#)
                == 201)
        let bayeux = try BayeuxClient.connected(client, "/topic/Power", "/topic/Selected")
        func events() throws -> [String] {
            try bayeux.events().map { event in
                let name = event["data"]?["sobject"]?["Name"]?.string ?? "–"
                return "\(event["channel"]?.string ?? "") \(event["data"]?["event"]?["type"]?.string ?? "") \(name)"
            }
        }
        let id = try client.create("Account", #"{"Name":"Sun","Industry":"Energy"}"#)
        _ = try client.create("Account", #"{"Name":"Shoe","Industry":"Retail"}"#)
        #expect(try events() == ["/topic/Power created Sun"])
        let path = "\(OrgClient.data)/sobjects/Account/\(id)"
        try client.send("PATCH", path, body: #"{"Fax":"1"}"#)
        #expect(try events().isEmpty)
        try client.send("PATCH", path, body: #"{"Phone":"2"}"#)
        #expect(try events() == ["/topic/Power updated Sun", "/topic/Selected updated Sun"])
        try client.send("DELETE", path)
        #expect(try events() == ["/topic/Power deleted –", "/topic/Selected deleted –"])
    }

    @Test("a subscription may filter by a field, and a topic that is switched off is silent")
    func filters() async throws {
        let client = try await OrgClient.start()
        #expect(try topic(client, "All", "SELECT Id, Name FROM Lead") == 201)
        let bayeux = try BayeuxClient.connected(client, "/topic/All?Name=Eva Eder")
        _ = try client.create("Lead", #"{"FirstName":"Ada","LastName":"Adler","Company":"C"}"#)
        _ = try client.create("Lead", #"{"FirstName":"Eva","LastName":"Eder","Company":"C"}"#)
        let events = try bayeux.events()
        #expect(events.map { $0["data"]?["sobject"]?["Name"] } == ["Eva Eder"])
        #expect(events.first?["channel"] == "/topic/All?Name=Eva Eder")
        let id = try client.query("SELECT Id FROM PushTopic").json["records"]?[0]?["Id"]?.string ?? ""
        try client.send("PATCH", "\(OrgClient.data)/sobjects/PushTopic/\(id)", body: #"{"IsActive":false}"#)
        _ = try client.create("Lead", #"{"FirstName":"Eva","LastName":"Eder","Company":"C"}"#)
        #expect(try bayeux.events().isEmpty)
        #expect(try bayeux.subscribe("/topic/All")["successful"] == false)
    }

    @Test(
        "a topic's query must be one that can be tested for one record",
        arguments: [
            "SELECT Name FROM Account", "SELECT Id FROM Account LIMIT 1", "SELECT COUNT() FROM Account",
            "SELECT Id, Owner.Name FROM Account", "SELECT Id FROM Nothing", "SELECT Id FROM",
            "SELECT Id FROM PushTopic",
            "SELECT Id FROM Account WHERE Id IN (SELECT AccountId FROM Contact)",
        ])
    func invalid(query: String) async throws {
        #expect(try topic(try await SharedOrg.client, "Wrong", query) == 400)
    }
}
