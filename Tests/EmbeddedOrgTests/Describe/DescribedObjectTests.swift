// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

/// A description with a custom object that has fields of every type, its lines, and fields of an account.
enum InvoiceSchema {
    static let json = """
        {"sobjects":[
        {"name":"Invoice__c","label":"Invoice","labelPlural":"Invoices","keyPrefix":"a0I","fields":[
         {"name":"Id","type":"id"},
         {"name":"Name","type":"string","length":80,"nameField":true,"autoNumber":true,"nillable":false,"createable":false},
         {"name":"OwnerId","type":"reference","referenceTo":["Group","User"],"relationshipName":"Owner","nillable":false,
          "defaultedOnCreate":true},
         {"name":"Customer__c","type":"reference","referenceTo":["Account"],"relationshipName":"Customer__r"},
         {"name":"About__c","type":"reference","referenceTo":["Contact","Lead"],"relationshipName":"About__r"},
         {"name":"Text__c","type":"string","length":5,"unique":true,"externalId":true},
         {"name":"Notes__c","type":"textarea","length":1000},
         {"name":"Paid__c","type":"boolean","defaultValue":true},
         {"name":"Count__c","type":"int"},
         {"name":"Rate__c","type":"double","precision":5,"scale":2},
         {"name":"Total__c","type":"currency","precision":18,"scale":2,"nillable":false},
         {"name":"Share__c","type":"percent"},
         {"name":"Due__c","type":"date"},
         {"name":"Sent__c","type":"datetime"},
         {"name":"Opens__c","type":"time"},
         {"name":"Call__c","type":"phone"},
         {"name":"Mail__c","type":"email"},
         {"name":"Site__c","type":"url"},
         {"name":"State__c","type":"picklist","restrictedPicklist":true,"picklistValues":[
          {"value":"open","label":"Open","active":true,"defaultValue":true},{"value":"closed","label":"Closed"},
          {"value":"old","label":"Old","active":false}]},
         {"name":"Tags__c","type":"multipicklist","picklistValues":[{"value":"a"},{"value":"b"},{"value":"c"}]},
         {"name":"Scan__c","type":"base64"},
         {"name":"Place__c","type":"location"},
         {"name":"Secret__c","type":"encryptedstring"},
         {"name":"Kind__c","type":"combobox"}],
         "childRelationships":[{"childSObject":"Line__c","field":"Invoice__c","relationshipName":"Lines__r"},
          {"childSObject":"Unknown__c","field":"Invoice__c","relationshipName":"Unknowns__r"}]},
        {"name":"Line__c","fields":[
         {"name":"Name","type":"string","length":80,"nameField":true},
         {"name":"Amount__c","type":"currency"},
         {"name":"Invoice__c","type":"reference","referenceTo":["Invoice__c"],"relationshipName":"Invoice__r",
          "nillable":false,"updateable":false}]},
        {"name":"Account","fields":[{"name":"Name","type":"string","length":255,"label":"Company"},
         {"name":"Grade__c","type":"picklist","picklistValues":[{"value":"A"},{"value":"B"}]},
         {"name":"BillingAddress","type":"address"}],
         "childRelationships":[{"childSObject":"Invoice__c","field":"Customer__c","relationshipName":"Invoices__r"}]}
        ]}
        """

    static func configuration(
        _ json: String = InvoiceSchema.json, file: String? = nil
    ) throws(StartError) -> LocalOrgConfiguration {
        var configuration = LocalOrgConfiguration(storage: file.map { .file($0) } ?? .memory)
        configuration.schema = try OrgSchema(describe: Array(json.utf8))
        return configuration
    }
}

@Suite("Objects and fields of a description")
struct DescribedObjectTests {
    private static let shared = Task { try await OrgClient.start(try InvoiceSchema.configuration()) }

    @Test("every type of field keeps its value, returns it in Salesforce's format, and is found by it")
    func types() async throws {
        let client = try await Self.shared.value
        let account = try client.create("Account", #"{"Name":"Buyer","Grade__c":"A","BillingCity":"Oslo"}"#)
        let contact = try client.create("Contact", #"{"LastName":"Berg"}"#)
        let values = """
            "Customer__c":"\(account)","About__c":"\(contact)","Text__c":"T-1","Notes__c":"long","Paid__c":false,
            "Count__c":7,"Rate__c":1.25,"Total__c":99.5,"Share__c":10.0,"Due__c":"2026-02-03",
            "Sent__c":"2026-02-03T10:00:00.000+0000","Opens__c":"10:30:00.000Z","Call__c":"+47 1","Mail__c":"a@b.example",
            "Site__c":"https://b.example","State__c":"closed","Tags__c":"a;c","Secret__c":"key","Kind__c":"other"
            """
        let place = #","Place__Latitude__s":59.9,"Place__Longitude__s":10.7"#
        let id = try client.create("Invoice__c", #"{\#(values)\#(place),"Scan__c":"AAEC"}"#)
        #expect(id.hasPrefix("a0I"))
        let record = try client.get("/sobjects/Invoice__c/\(id)").json
        for (name, value) in try JSONValue(parsing: "{\(values)}").object ?? [:] {
            #expect(record[name] == value, "\(name)")
            let list = #"SELECT \#(name) FROM Invoice__c"#
            #expect(try client.query(list).json["records"]?[0]?[name] == value, "\(name)")
        }
        let found: JSONValue = ["latitude": 59.9, "longitude": 10.7]
        #expect(record["Place__c"] == found)
        #expect(record["Name"] == "00000001" && record["OwnerId"]?.string == client.org.userID)
        let path = "\(OrgClient.data)/sobjects/Invoice__c/\(id)/Scan__c"
        #expect(record["Scan__c"]?.string == path)
        #expect(try client.send("GET", path).body == [0, 1, 2])
        let conditions = [
            "Text__c = 'T-1'", "Count__c = 7", "Rate__c > 1.2", "Total__c = 99.5", "Share__c = 10",
            "Paid__c = false",
            "Due__c = 2026-02-03", "Sent__c = 2026-02-03T10:00:00Z", "Opens__c = 10:30:00Z", "Opens__c > 10:00:00Z",
            "Mail__c LIKE 'a@%'", "State__c IN ('closed')", "Tags__c INCLUDES ('a;c')", "Kind__c = 'other'",
            "Customer__r.Grade__c = 'A'", "About__r.Name = 'Berg'", "About__r.Type = 'Contact'",
            "Owner.Alias != null",
            "DISTANCE(Place__c, GEOLOCATION(59.9, 10.7), 'km') < 1",
        ]
        for condition in conditions {
            let response = try client.query("SELECT Id, Scan__c, Place__c FROM Invoice__c WHERE \(condition)").json
            #expect(response["records"]?[0]?["Id"]?.string == id, "\(condition): \(response)")
            #expect(
                response["records"]?[0]?["Scan__c"]?.string == path && response["records"]?[0]?["Place__c"] == found)
        }
        for field in ["Notes__c", "Secret__c", "Scan__c", "Place__c"] {
            #expect(try client.query("SELECT Id FROM Invoice__c WHERE \(field) = 'x'").status == 400, "\(field)")
            #expect(try client.query("SELECT Id FROM Invoice__c ORDER BY \(field)").status == 400, "\(field)")
        }
    }

    @Test("parents and children are followed in queries, trees and searches")
    func relations() async throws {
        let client = try await Self.shared.value
        let tree = """
            {"records":[{"attributes":{"type":"Invoice__c","referenceId":"i"},"Total__c":1,"Text__c":"Blue",
            "Lines__r":{"records":[{"attributes":{"type":"Line__c","referenceId":"l"},"Name":"One","Amount__c":2}]}}]}
            """
        #expect(try client.send("POST", "\(OrgClient.data)/composite/tree/Invoice__c", body: tree).status == 201)
        let up = try client.query("SELECT Invoice__r.Text__c FROM Line__c").json["records"]?[0]
        #expect(up?["Invoice__r"]?["Text__c"] == "Blue")
        let down = try client.query(
            """
            SELECT Place__c, Paid__c, toLabel(State__c), (SELECT Name, Invoice__r.Paid__c FROM Lines__r)
            FROM Invoice__c WHERE Text__c = 'Blue'
            """
        ).json["records"]?[0]
        #expect(down?["Lines__r"]?["records"]?[0]?["Name"] == "One")
        #expect(down?["Lines__r"]?["records"]?[0]?["Invoice__r"]?["Paid__c"] == true)
        #expect(down?["Place__c"] == .null && down?["Paid__c"] == true && down?["State__c"] == "Open")
        let found = try client.get("/search?q=FIND+%7Bblue%7D+RETURNING+Invoice__c(Id,Text__c)").json
        #expect(found["searchRecords"]?[0]?["Text__c"] == "Blue")
        let account = try client.query(
            "SELECT BillingAddress, (SELECT Id FROM Invoices__r) FROM Account WHERE BillingCity = 'Zürich' LIMIT 1"
        ).json["records"]?[0]
        #expect(account?["BillingAddress"]?["city"] == "Zürich" && account?["Invoices__r"] == .null)
        let upsert = "\(OrgClient.data)/sobjects/Invoice__c/Text__c/Blue"
        #expect(try client.send("PATCH", upsert, body: #"{"Total__c":3}"#).status == 200)
    }

    @Test(
        "an invalid value of a field is rejected",
        arguments: [
            (#"{"Total__c":1,"Text__c":"too long"}"#, "STRING_TOO_LONG"),
            (#"{"Text__c":"x"}"#, "REQUIRED_FIELD_MISSING"),
            (#"{"Total__c":1,"State__c":"old"}"#, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"),
            (#"{"Total__c":1,"State__c":"none"}"#, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST"),
            (#"{"Total__c":1,"Rate__c":1000}"#, "NUMBER_OUTSIDE_VALID_RANGE"),
            (#"{"Total__c":1,"Opens__c":"25:00:00Z"}"#, "JSON_PARSER_ERROR"),
            (#"{"Total__c":1,"Scan__c":"A"}"#, "JSON_PARSER_ERROR"),
            (#"{"Total__c":1,"Mail__c":"nobody"}"#, "INVALID_EMAIL_ADDRESS"),
            (#"{"Total__c":1,"Name":"n"}"#, "INVALID_FIELD_FOR_INSERT_UPDATE"),
            (#"{"Total__c":1,"Place__c":{}}"#, "INVALID_FIELD_FOR_INSERT_UPDATE"),
            (#"{"Total__c":1,"Customer__c":"005bZ0000000001"}"#, "MALFORMED_ID"),
        ])
    func refused(body: String, code: String) async throws {
        let client = try await Self.shared.value
        let response = try client.send("POST", "\(OrgClient.data)/sobjects/Invoice__c", body: body)
        #expect(response.status == 400 && response.errorCode == code, "\(response.text)")
    }

    @Test("a number keeps more decimals than its field displays, as Salesforce keeps what the API writes")
    func scale() async throws {
        let client = try await Self.shared.value
        let id = try client.create("Invoice__c", #"{"Total__c":1.239,"Rate__c":999.12345}"#)
        let record = try client.get("/sobjects/Invoice__c/\(id)").json
        #expect(record["Total__c"] == 1.239 && record["Rate__c"] == 999.12345)
    }

    @Test("the object descriptions of an org create an equal org")
    func describes() async throws {
        let client = try await OrgClient.start(try InvoiceSchema.configuration())
        let names = ["Invoice__c", "Line__c", "Account"]
        let texts = try names.map { try client.get("/sobjects/\($0)/describe").text }
        #expect(texts[0].contains(#""custom":true"#))
        let again = try await OrgClient.start(try InvoiceSchema.configuration("[\(texts.joined(separator: ","))]"))
        for (name, text) in zip(names, texts) {
            #expect(try again.get("/sobjects/\(name)/describe").text == text)
        }
    }
}
