// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import RestTransport
import RestXML
import Testing

@testable import RestSDK

@Suite("Merging records with SOAP")
struct MergeTests {
    private static let ids = ["001000000000001AAA", "001000000000002AAA", "001000000000003AAA"]

    private static func respond(_ result: String) -> String {
        SOAPEnvelope.partner.text("<mergeResponse>\(result)</mergeResponse>")
    }

    private func create(_ client: RestClient, _ type: String, _ fields: JSONObject) async throws -> String {
        let created = try await client.send(.create(type, fields))
        return try #require(created.payload["id"]?.string)
    }

    private func ids(_ client: RestClient, _ query: SOQL) async throws -> Set<String> {
        var ids: Set<String> = []
        for try await record in client.records(query) { ids.insert(try #require(record["Id"]?.string)) }
        return ids
    }

    @Test("the request has the record with its fields, the fields to clear, and the other records")
    func body() async throws {
        let stub = StubTransport()
        stub.enqueue(
            Self.respond(
                """
                <result><id>\(Self.ids[0])</id><mergedRecordIds>\(Self.ids[1])</mergedRecordIds><success>true</success>\
                <updatedRelatedIds>003000000000001AAA</updatedRelatedIds></result>
                """))
        let fields: JSONObject = [
            "Name": "<A> & \"B\" ]]>", "NumberOfEmployees": 12, "Active__c": true, "Website": nil, "Phone": "",
            "AnnualRevenue": 1.50, "Type": "Customer",
        ]
        let result = try await RestClient.of(stub).send(
            .merge("Account", ids: [Self.ids[1]], into: Self.ids[0], fields))
        #expect(result.id == Self.ids[0] && result.mergedIDs == [Self.ids[1]])
        #expect(result.movedIDs == ["003000000000001AAA"])
        guard case .bytes(let bytes)? = stub.requests.first?.body else { return }
        let request = try #require(XMLElement(parsing: bytes)?.soapContent?["request"])
        #expect(request.texts("recordToMergeIds") == [Self.ids[1]])
        let record = try #require(request["masterRecord"])
        #expect(record.children.map(\.name).prefix(4) == ["type", "fieldsToNull", "fieldsToNull", "Id"])
        #expect(record["type"]?.text == "Account" && record["Id"]?.text == Self.ids[0])
        #expect(record.texts("fieldsToNull") == ["Website", "Phone"] && record["Type"]?.text == "Customer")
        #expect(record["Name"]?.text == "<A> & \"B\" ]]>" && record["NumberOfEmployees"]?.text == "12")
        #expect(record["Active__c"]?.text == "true" && record["AnnualRevenue"]?.text == "1.5")
        #expect(String(decoding: bytes, as: UTF8.self).contains("xmlns:o=\"urn:sobject.partner.soap.sforce.com\""))
    }

    @Test("invalid arguments are rejected before anything is sent")
    func refused() async throws {
        let stub = StubTransport()
        let (a, b, c) = (Self.ids[0], Self.ids[1], Self.ids[2])
        let calls: [(String, [String], String, JSONObject, String)] = [
            ("Account", [], a, [:], "ids"), ("Account", [b, c, "001000000000004AAA"], a, [:], "ids"),
            ("Account", [a], a, [:], "ids"), ("Account", [b, b], a, [:], "ids"),
            ("Account", [String(a.prefix(15))], a, [:], "ids"), ("Account", ["x"], a, [:], "ids[0]"),
            ("Account", [b], "x", [:], "master"), ("", [b], a, [:], "type"), ("A<b", [b], a, [:], "type"),
            ("Account", [b], a, ["a b": 1], "fields"), ("Account", [b], a, ["</o:Id>": "x"], "fields"),
            ("Account", [b], a, ["": 1], "fields"), ("Account", [b], a, ["Id": "x"], "fields"),
            ("Account", [b], a, ["type": "Contact"], "fields"), ("Account", [b], a, ["fieldsToNull": "Name"], "fields"),
            ("Account", [b], a, ["Parent": ["ExternalId__c": "x"]], "fields"),
            ("Account", [b], a, ["Name": ["a"]], "fields"),
        ]
        for (type, ids, master, fields, argument) in calls {
            let error = await #expect(throws: RestError.self) {
                try await RestClient.of(stub).send(.merge(type, ids: ids, into: master, fields))
            }
            #expect(error?.code == .invalidRequest && error?.message.contains(argument) == true)
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("a merge that the server rejects is an error with its API errors, was not applied, and is sent once")
    func refusedThere() async throws {
        let stub = StubTransport()
        stub.enqueue(
            Self.respond(
                """
                <result><errors><fields>Name</fields><fields>Phone</fields><message>too long</message>\
                <statusCode>STRING_TOO_LONG</statusCode></errors><success>false</success></result>
                """))
        let error = await expectFailure(.api, outcome: .notApplied) {
            try await RestClient.of(stub).send(.merge("Account", ids: [Self.ids[1]], into: Self.ids[0]))
        }
        #expect(error?.faults.map(\.errorCode) == ["STRING_TOO_LONG"] && error?.faults[0].fields == ["Name", "Phone"])
        #expect(stub.requests.count == 1)
    }

    @Test(
        "a response of another shape is not a success",
        arguments: [
            "", "<a/>", respond(""), respond("<result/>"), respond("<other/>"),
            respond("<result><success>true</success></result>"),
            respond("<result><id>x</id><success>true</success></result>"),
            respond(
                "<result><id>001000000000001AAA</id><mergedRecordIds>x</mergedRecordIds><success>true</success></result>"
            ),
            respond(String(repeating: "<result><id>001000000000001AAA</id><success>true</success></result>", count: 2)),
        ])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        await expectFailure(.decoding) {
            try await RestClient.of(stub).send(.merge("Account", ids: [Self.ids[1]], into: Self.ids[0]))
        }
    }

    @Test("in the org, fields are set, children move, and the merged records are in the recycle bin with a reference")
    func atTheOrg() async throws {
        try await withClient { client, org in
            let master = try await create(client, "Account", ["Name": "Acme", "Website": "https://a.example.com"])
            let others = [
                try await create(client, "Account", ["Name": "ACME Inc", "Phone": "1"]),
                try await create(client, "Account", ["Name": "Acme GmbH"]),
            ]
            let contact = try await create(client, "Contact", ["LastName": "A", "AccountId": .init(others[0])])
            let theCase = try await create(client, "Case", ["Subject": "A", "AccountId": .init(others[1])])
            let task = try await create(client, "Task", ["Subject": "A", "WhatId": .init(others[1])])
            let child = try await create(client, "Account", ["Name": "Below", "ParentId": .init(others[0])])
            let own = try await create(client, "Contact", ["LastName": "B", "AccountId": .init(master)])
            org.faults.expireAccessTokens()
            let result = try await client.send(
                .merge(
                    "Account", ids: others, into: master,
                    ["Phone": "2", "Website": nil, "NumberOfEmployees": 7, "Name": "Acme & Söhne"]))
            #expect(result.id == master && result.mergedIDs == others)
            #expect(Set(result.movedIDs) == [contact, theCase, task, child])
            let record = try await client.send(.retrieve("Account", id: master)).payload
            #expect(record["Phone"] == "2" && record["Website"]?.isNull == true && record["Name"] == "Acme & Söhne")
            #expect(record["NumberOfEmployees"] == 7)
            #expect(try await ids(client, "SELECT Id FROM Contact WHERE AccountId = \(master)") == [contact, own])
            #expect(try await ids(client, "SELECT Id FROM Task WHERE WhatId = \(master)") == [task])
            #expect(try await ids(client, "SELECT Id FROM Account WHERE ParentId = \(master)") == [child])
            let gone = try await client.send(
                .queryAll("SELECT Id FROM Account WHERE IsDeleted = true AND MasterRecordId = \(master)"))
            #expect(Set(gone.payload["records"]?.array?.compactMap { $0["Id"]?.string } ?? []) == Set(others))
            // A restored record comes back without its children, and its master record is cleared.
            #expect(try await client.send(.undelete(ids: [others[0]])).map(\.isSuccess) == [true])
            let back = try await client.send(.retrieve("Account", id: others[0])).payload
            #expect(back["Name"] == "ACME Inc" && back["MasterRecordId"]?.isNull == true)
            #expect(try await ids(client, "SELECT Id FROM Contact WHERE AccountId = \(others[0])").isEmpty)
        }
    }

    @Test("contacts, leads and cases can be merged, and other objects cannot", arguments: ["Contact", "Lead", "Case"])
    func objects(type: String) async throws {
        let fields: [String: JSONObject] = [
            "Contact": ["LastName": "A"], "Lead": ["LastName": "A", "Company": "B", "Status": "Working - Contacted"],
            "Case": ["Subject": "A"],
        ]
        try await withClient { client, _ in
            var ids: [String] = []
            for _ in 0..<2 { ids.append(try await create(client, type, fields[type] ?? [:])) }
            let result = try await client.send(.merge(type, ids: [ids[1]], into: ids[0], ["Description": "one"]))
            #expect(result.mergedIDs == [ids[1]])
            await expectFailure(.notFound) {
                try await client.send(.retrieve(type, id: ids[1]))
            }
            let tasks = [
                try await create(client, "Task", ["Subject": "A"]), try await create(client, "Task", ["Subject": "B"]),
            ]
            let refused = await #expect(throws: RestError.self) {
                try await client.send(.merge("Task", ids: [tasks[0]], into: tasks[1]))
            }
            #expect(refused?.faults.map(\.errorCode) == ["INVALID_TYPE_FOR_OPERATION"])
        }
    }

    @Test("an invalid merge changes nothing")
    func nothing() async throws {
        try await withClient { client, _ in
            let a = try await create(client, "Account", ["Name": "A"])
            let b = try await create(client, "Account", ["Name": "B"])
            let below = try await create(client, "Account", ["Name": "C", "ParentId": .init(b)])
            let gone = try await create(client, "Account", ["Name": "D"])
            let contact = try await create(client, "Contact", ["LastName": "E", "AccountId": .init(b)])
            _ = try await client.send(.delete("Account", id: gone))
            func code(_ ids: [String], _ master: String, _ fields: JSONObject = [:]) async -> String? {
                let error = await #expect(throws: RestError.self) {
                    try await client.send(.merge("Account", ids: ids, into: master, fields))
                }
                return error?.faults.first?.errorCode.rawValue
            }
            #expect(await code([b], gone) == "ENTITY_IS_DELETED")
            #expect(await code([b, gone], a) == "ENTITY_IS_DELETED")
            #expect(await code([b, contact], a) == "MALFORMED_ID")
            #expect(await code([b, "001000000000999AAA"], a) == "INVALID_CROSS_REFERENCE_KEY")
            #expect(await code([b], a, ["Nothing__c": "x"]) == "INVALID_FIELD")
            #expect(await code([b], a, ["Name": nil]) == "REQUIRED_FIELD_MISSING")
            #expect(await code([b], a, ["CreatedDate": "2026-01-01T00:00:00Z"]) == "INVALID_FIELD_FOR_INSERT_UPDATE")
            #expect(await code([b], below) == "CIRCULAR_DEPENDENCY")
            #expect(await code([b], a, ["ParentId": .init(b)]) == "CIRCULAR_DEPENDENCY")
            let accounts = try await ids(client, "SELECT Id FROM Account WHERE Name IN ('A', 'B', 'C')")
            #expect(accounts == [a, b, below])
            #expect(try await ids(client, "SELECT Id FROM Contact WHERE AccountId = \(b)") == [contact])
            #expect(try await ids(client, "SELECT Id FROM Account WHERE ParentId = \(b)") == [below])
        }
    }
}

@Suite("The recycle bin with SOAP")
struct UndeleteTests {
    private static let id = "001000000000001AAA"

    private static func envelope(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?><soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" \
        xmlns="urn:partner.soap.sforce.com"><soapenv:Body>\(body)</soapenv:Body></soapenv:Envelope>
        """
    }

    private static func fault(_ code: String) -> String {
        envelope(
            """
            <soapenv:Fault><faultcode>sf:\(code)</faultcode><faultstring>\(code): it &amp; that</faultstring></soapenv:Fault>
            """)
    }

    @Test("the token and each id are in the body, escaped for XML")
    func body() async throws {
        let stub = StubTransport()
        stub.enqueue(
            Self.envelope(
                "<undeleteResponse><result><id>\(Self.id)</id><success>true</success></result></undeleteResponse>"))
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "a<&b",
            configuration: RestClient.Configuration(transport: stub))
        let results = try await client.send(.undelete(ids: [Self.id]))
        #expect(results.map(\.id) == [Self.id])
        let request = try #require(stub.requests.first)
        #expect(request.url.path == "/services/Soap/u/66.0" && request.fields["SOAPAction"] == "\"\"")
        guard case .bytes(let bytes) = request.body, let root = XMLElement(parsing: bytes) else {
            throw Unexpected("the body is no XML")
        }
        #expect(root["Header"]?["SessionHeader"]?["sessionId"]?.text == "a<&b")
        #expect(root["Body"]?["undelete"]?.children.map(\.text) == [Self.id])
    }

    @Test("a deleted record is restored once, a purged record is not, and an expired session is renewed")
    func atTheOrg() async throws {
        try await withClient { client, org in
            let ids = try await client.send(.create((0..<2).map { Record.Draft("Account", ["Name": "Bin \($0)"]) }))
                .get()
            _ = try await client.send(.delete(ids: ids)).get()
            org.faults.expireAccessTokens()
            let back = try await client.send(.undelete(ids: [ids[0]]))
            #expect(back.map(\.id) == [ids[0]])
            let record = try await client.send(.retrieve("Account", id: ids[0], fields: ["Name"]))
            #expect(record.payload["Name"] == "Bin 0")
            let emptied = try await client.send(.emptyBin(ids: [ids[1]]))
            #expect(emptied.map(\.isSuccess) == [true])
            let late = try await client.send(.undelete(ids: ids))
            #expect(late.map(\.isSuccess) == [false, false])
            #expect(late.allSatisfy { !$0.faults.isEmpty })
        }
    }

    @Test("each record has its own result, and a rejected record has the reason")
    func results() async throws {
        let stub = StubTransport()
        stub.enqueue(
            Self.envelope(
                """
                <emptyRecycleBinResponse><result><errors><message>not there</message><statusCode>UNDELETE_FAILED</statusCode></errors>\
                <id>\(Self.id)</id><success>false</success></result></emptyRecycleBinResponse>
                """))
        let results = try await RestClient.of(stub).send(.emptyBin(ids: [Self.id]))
        #expect(results.map(\.isSuccess) == [false])
        #expect(
            results[0].faults.map(\.errorCode) == ["UNDELETE_FAILED"] && results[0].faults[0].message == "not there")
    }

    @Test("a SOAP fault becomes the error of its code, regardless of the status")
    func faults() async throws {
        let codes: [(String, RestError.Code, RestError.WriteOutcome)] = [
            ("INVALID_SESSION_ID", .unauthorized, .notApplied), ("REQUEST_LIMIT_EXCEEDED", .rateLimited, .notApplied),
            ("INVALID_OPERATION", .api, .notApplied), ("SERVER_UNAVAILABLE", .server, .unknown),
        ]
        for (name, code, outcome) in codes {
            let stub = StubTransport()
            stub.enqueue(status: 500, fields: ["Content-Type": "text/xml"], Self.fault(name))
            let error = await #expect(throws: RestError.self) {
                try await RestClient.of(stub).send(.undelete(ids: [Self.id]))
            }
            #expect(error?.code == code && error?.outcome == outcome, "\(name): \(String(describing: error))")
            #expect(error?.faults.first?.errorCode.rawValue == name)
            #expect(stub.requests.count == 1)
        }
    }

    @Test(
        "a response of another shape is not a success",
        arguments: [
            "", "x", "<a/>", "<a><b></a></b>", "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>", "<a>&unknown;</a>",
            "<a>&#xFFFFFFFF;</a>",
            envelope("<undeleteResponse/>"),
            envelope("<undeleteResponse><result><success>yes</success></result></undeleteResponse>"),
            envelope("<undeleteResponse><result><success>true</success><id>x</id></result></undeleteResponse>"),
            String(repeating: "<a>", count: 100_000),
        ])
    func otherShapes(body: String) async throws {
        let stub = StubTransport()
        stub.enqueue(body)
        await expectFailure(.decoding) { try await RestClient.of(stub).send(.undelete(ids: [Self.id])) }
    }

    @Test("invalid ids are rejected before anything is sent")
    func refused() async throws {
        let stub = StubTransport()
        for ids in [[], ["x"], Array(repeating: Self.id, count: 201)] {
            await expectFailure(.invalidRequest) { try await RestClient.of(stub).send(.undelete(ids: ids)) }
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("well-formed XML is read, with prefixes, attributes, entities, CDATA sections and comments")
    func xml() throws {
        let text =
            "<?xml version='1.0'?><!-- a > b --><x:a b='>' c=\"/\"><d>1 &lt; 2 &#65;&#x42;</d><e/><![CDATA[<&>]]></x:a>"
        let node = try #require(XMLElement(parsing: Array(text.utf8)))
        #expect(node.name == "a" && node["d"]?.text == "1 < 2 AB" && node["e"]?.text == "" && node.text == "<&>")
    }
}
