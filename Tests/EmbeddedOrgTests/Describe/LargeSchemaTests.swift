// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import EmbeddedOrg

@Suite("The description of a whole org")
struct LargeSchemaTests {
    /// So many objects of a hundred fields, as a real org describes them: with histories and shares that have one
    /// prefix together, types that only the platform makes, and fields that the standard objects have already.
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

    @Test("300 objects of 100 fields can be loaded, described, written and queried")
    func large() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.schema = try OrgSchema(describe: Self.dump(300))
        let client = try await OrgClient.start(configuration)
        #expect(try client.get("/sobjects").json["sobjects"]?.array?.count == 333)
        let fields = try client.query("SELECT COUNT() FROM FieldDefinition").json["totalSize"]?.int ?? 0
        #expect(fields > 300 * 100)
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
        let prefixes = Set(try #require(configuration.schema).schema.objects.map(\.keyPrefix))
        #expect(prefixes.count == 333)
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(account)").status == 204)
        let cleared = try client.query("SELECT COUNT() FROM Thing11__c WHERE Parent__c = null").json["totalSize"]
        #expect(cleared == 1)
        await client.org.stop()
    }

    @Test("reading a description and making the tables costs no more for each object when there are many")
    func cost() throws {
        let factor = try Growth.factor(from: 20) { count in
            var configuration = LocalOrgConfiguration()
            let schema = try OrgSchema(describe: Self.dump(count))
            configuration.schema = schema
            try OrgDatabase.open(schema.schema, configuration).close()
        }
        #expect(factor < 9)
    }
}
