// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTesting
import SOQLStore
import Testing

@testable import EmbeddedOrg

@Suite("Records for a new org")
struct TreeLoadingTests {
    private static let invoices = """
        {"records":[{"attributes":{"type":"Invoice__c","referenceId":"i1"},"Total__c":1,"Text__c":"Blue",
        "Customer__c":"@a1","About__c":"@c1","Lines__r":{"records":[
        {"attributes":{"type":"Line__c","referenceId":"l1"},"Name":"One","Amount__c":2},
        {"attributes":{"type":"Line__c"},"Name":"@no reference"}]}}]}
        """
    private static let accounts = """
        {"records":[{"attributes":{"type":"Account","referenceId":"a1"},"Name":"Child","ParentId":"@a2","Contacts":
        {"records":[{"attributes":{"type":"Contact","referenceId":"c1"},"LastName":"Berg"}]}},
        {"attributes":{"type":"Account","referenceId":"a2"},"Name":"Parent"}]}
        """

    private func configuration(
        _ trees: [String], file: String? = nil
    ) throws(StartError) -> LocalOrgConfiguration {
        var configuration = try InvoiceSchema.configuration(file: file)
        for (number, tree) in trees.enumerated() {
            configuration.initialRecords.append(try InitialRecords(json: Array(tree.utf8), name: "tree \(number)"))
        }
        return configuration
    }

    @Test("children and references are written, also references to later records and to another tree")
    func trees() async throws {
        let client = try await OrgClient.start(try configuration([Self.invoices, Self.accounts]))
        let soql = """
            SELECT Customer__r.Name, Customer__r.Parent.Name, About__r.Name, OwnerId, (SELECT Name FROM Lines__r ORDER BY Name)
            FROM Invoice__c
            """
        let record = try client.query(soql).json["records"]?[0]
        #expect(record?["Customer__r"]?["Name"] == "Child" && record?["Customer__r"]?["Parent"]?["Name"] == "Parent")
        #expect(record?["About__r"]?["Name"] == "Berg" && record?["OwnerId"]?.string == client.org.userID)
        let lines = record?["Lines__r"]?["records"]?.array?.compactMap { $0["Name"]?.string }
        #expect(lines == ["@no reference", "One"])
        let contact = try client.query("SELECT Account.Name FROM Contact WHERE LastName = 'Berg'").json["records"]?[0]
        #expect(contact?["Account"]?["Name"] == "Child")
    }

    @Test(
        "an error names the rejected record, and the org is not created",
        arguments: [
            (#"{"records":[1]}"#, "needs 'attributes' with its 'type' (at $.records[0])"),
            (#"{"records":[{"attributes":{"type":"No__c"}}]}"#, "there is no object No__c"),
            (#"{"records":[{"attributes":{"type":"Account"}}]}"#, "REQUIRED_FIELD_MISSING"),
            (#"{"records":[{"attributes":{"type":"Account"},"Name":"A","ParentId":"@x"}]}"#, "the referenceId x"),
            (
                #"{"records":[{"attributes":{"type":"Account"},"Name":"A","Pets":{"records":[]}}]}"#,
                "no child relationship Pets"
            ),
            (
                #"{"records":[{"attributes":{"type":"Account","referenceId":"r"},"Name":"A","Contacts":{"records":["#
                    + #"{"attributes":{"type":"Contact","referenceId":"r"},"LastName":"B"}]}}]}"#,
                "the referenceId r is used twice (at $.records[0].Contacts.records[0])"
            ),
        ])
    func refused(tree: String, expected: String) async throws {
        try await withTemporaryDirectory { folder in
            let file = folder + "/org.db"
            let bad = try configuration([Self.accounts, tree], file: file)
            let error = await #expect(throws: StartError.self) { try await LocalOrg.start(bad) }
            #expect(
                error?.code == .invalidRecords && error?.message.contains(expected) == true, "\(error?.message ?? "")")
            #expect(error?.message.hasPrefix("tree 1") == true)
            // Nothing was partly written: the same file accepts the valid trees, once.
            let good = try configuration([Self.accounts], file: file)
            for _ in 0..<2 {
                let client = try await OrgClient.start(good)
                let found = try client.query("SELECT Id FROM Account WHERE Name IN ('Child', 'Parent')")
                #expect(found.json["totalSize"]?.int == 2)
            }
        }
    }

    @Test("JSON that is not a tree is rejected", arguments: ["", "[]", "{}", #"{"records":1}"#])
    func notATree(json: String) throws {
        let error = #expect(throws: StartError.self) { try InitialRecords(json: Array(json.utf8), name: "'x.json'") }
        #expect(error?.code == .invalidRecords && error?.message.hasPrefix("'x.json'") == true)
    }
}

@Suite("Tables for a new org")
struct TableLoadingTests {
    private func configuration(_ tables: [(object: String, csv: String)]) throws -> LocalOrgConfiguration {
        var configuration = try InvoiceSchema.configuration()
        for (object, csv) in tables {
            configuration.initialRecords.append(
                try InitialRecords(csv: Array(csv.utf8), of: object, name: "'\(object).csv'"))
        }
        return configuration
    }

    @Test("values have the types of their fields, and parents are found by external ids and by former ids")
    func tables() async throws {
        let accounts = """
            Id,Name,ExternalId__c,NumberOfEmployees,ParentId,Description\r
            001000000000001,"Small, Ltd",S-1,5,001000000000002,#N/A\r
            001000000000002AAA,Large,L-1,5000,,"two
            lines"\r

            """
        let contacts = "LastName,Account.ExternalId__c,DoNotCall,Birthdate\nBerg,S-1,true,1980-02-03\nDahl,,,\n"
        let invoices = "customer__c,Total__c,Paid__c\n001000000000001AAA,12.50,0\n"
        let client = try await OrgClient.start(
            try configuration([
                ("account", accounts), ("Contact", contacts),
                ("Invoice__c", invoices),
            ]))
        let small = try client.query(
            "SELECT Name, NumberOfEmployees, Parent.Name, Description FROM Account WHERE ExternalId__c = 'S-1'"
        ).json["records"]?[0]
        #expect(small?["Name"] == "Small, Ltd" && small?["NumberOfEmployees"] == 5 && small?["Description"] == .null)
        #expect(small?["Parent"]?["Name"] == "Large")
        let berg = try client.query(
            "SELECT Account.Name, DoNotCall, Birthdate FROM Contact WHERE LastName = 'Berg'"
        ).json["records"]?[0]
        #expect(berg?["Account"]?["Name"] == "Small, Ltd" && berg?["DoNotCall"] == true)
        #expect(berg?["Birthdate"] == "1980-02-03")
        let invoice = try client.query("SELECT Customer__r.Name, Total__c, Paid__c FROM Invoice__c").json["records"]?[0]
        #expect(invoice?["Customer__r"]?["Name"] == "Small, Ltd" && invoice?["Total__c"] == 12.5)
        #expect(invoice?["Paid__c"] == false)
    }

    @Test("a thousand rows are written in one batch")
    func many() async throws {
        let rows = (0..<1_000).map { "Row \($0),E-\($0),\($0)" }
        let csv = (["Name,ExternalId__c,NumberOfEmployees"] + rows).joined(separator: "\n")
        let client = try await OrgClient.start(try configuration([("Account", csv)]))
        let sum = try client.query("SELECT COUNT(Id) n, SUM(NumberOfEmployees) s FROM Account WHERE Name LIKE 'Row %'")
        #expect(sum.json["records"]?[0]?["n"] == 1_000 && sum.json["records"]?[0]?["s"]?.int == 499_500)
    }

    @Test(
        "an error names the rejected row, and the org is not created",
        arguments: [
            ("No__c", "Name\na\n", "there is no object No__c"),
            ("Account", "Nome\na\n", "Account has no field Nome"),
            ("Account", "Name,Site\na,b\n,c\n", "REQUIRED_FIELD_MISSING"),
            ("Account", "Name,NumberOfEmployees\na,many\n", "(at row"),
            ("Account", "Name,Parent.ExternalId__c\na,nobody\n", "Foreign key external ID: nobody not found"),
            ("Account", "Id,Name\n001000000000001,a\n001000000000001,b\n", "the Id is used twice"),
            ("Account", "Name\n\"a\n", "is not CSV"), ("Account", "Name\na,b\n", "is not CSV"),
            ("Account", "Name,Name\na,b\n", "is not CSV"),
        ])
    func refused(object: String, csv: String, expected: String) async throws {
        let error = await #expect(throws: StartError.self) {
            _ = try await LocalOrg.start(try configuration([(object, csv)]))
        }
        #expect(
            error?.code == .invalidRecords && error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }
}

@Suite("The description of a whole org")
struct LargeSchemaTests {
    /// Returns `count` objects of a hundred fields, as a real org describes them.
    ///
    /// They include history and share objects with a common prefix, types that only Salesforce creates, and fields that
    /// the standard objects already have.
    private static func dump(_ count: Int) -> [UInt8] {
        let objects = (0..<count).map { number in
            let own = number.isMultiple(of: 10) ? "Thing\(number)History" : "Thing\(number)__c"
            let prefix = number.isMultiple(of: 10) ? #""017""# : "null"
            let fields = (0..<96).map { field in
                switch field % 6 {
                case 0: #"{"name":"F\#(field)__c","type":"string","length":80,"nillable":true}"#
                case 1: #"{"name":"F\#(field)__c","type":"double","precision":18,"scale":2}"#
                case 2: #"{"name":"F\#(field)__c","type":"boolean","nillable":false,"defaultValue":false}"#
                case 3: #"{"name":"F\#(field)__c","type":"picklist","picklistValues":[{"value":"a"},{"value":"b"}]}"#
                case 4: #"{"name":"F\#(field)__c","type":"datetime"}"#
                default:
                    #"{"name":"F\#(field)__c","type":"currency","precision":18,"scale":2,"calculated":true}"#
                }
            }
            let special = [
                #"{"name":"OldValue","type":"anyType"}"#, #"{"name":"DurableId","type":"id"}"#,
                #"{"name":"RecordId","type":"reference","referenceTo":[]}"#,
                #"{"name":"Parent__c","type":"reference","referenceTo":["Account"],"relationshipName":"Parent__r"}"#,
            ]
            return
                #"{"name":"\#(own)","keyPrefix":\#(prefix),"fields":[\#((fields + special).joined(separator: ","))]}"#
        }
        let account =
            #"{"name":"Account","keyPrefix":"001","fields":[{"name":"Name","type":"string"}],"childRelationships":[]}"#
        return Array(#"{"sobjects":[\#((objects + [account]).joined(separator: ","))]}"#.utf8)
    }

    @Test("100 objects of 100 fields can be loaded, described, written and queried")
    func large() async throws {
        let schema = try OrgSchema(describe: Self.dump(100))
        let client = try await OrgClient.start { $0.schema = schema }
        #expect(try client.get("/sobjects").json["sobjects"]?.array?.count == 136)
        let fields = try client.query("SELECT COUNT() FROM FieldDefinition").json["totalSize"]?.int ?? 0
        #expect(fields > 100 * 100)
        let account = try client.create("Account", #"{"Name":"x"}"#)
        let body = #"{"F0__c":"v","F1__c":1.5,"Parent__c":"\#(account)","RecordId":"\#(account)"}"#
        for name in ["Thing11__c", "Thing10History"] {
            let id = try client.create(name, body)
            let record = try client.get("/sobjects/\(name)/\(id)").json
            #expect(
                record["F0__c"] == "v" && record["RecordId"]?.string == account && record["F5__c"] == .null, "\(name)")
            #expect(record["OldValue"] == nil)
            let up = try client.query("SELECT Parent__r.Name FROM \(name) WHERE F1__c > 1").json["records"]?[0]
            #expect(up?["Parent__r"]?["Name"] == "x")
        }
        let prefixes = Set(schema.schema.objects.map(\.keyPrefix))
        #expect(prefixes.count == 136)
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(account)").status == 204)
        let cleared = try client.query("SELECT COUNT() FROM Thing11__c WHERE Parent__c = null").json["totalSize"]
        #expect(cleared == 1)
    }

    @Test("the cost of each object in a description and in the database does not grow with their number")
    func cost() throws {
        let factor = try Growth.factor(from: 10) { count in
            var configuration = LocalOrgConfiguration()
            let schema = try OrgSchema(describe: Self.dump(count))
            configuration.schema = schema
            let bus = EventBus(schema.schema, EventSettings(), ServerClock(ContinuousClock()))
            try OrgDatabase.open(schema.schema, configuration, bus).close()
        }
        #expect(factor < 7)
    }
}
