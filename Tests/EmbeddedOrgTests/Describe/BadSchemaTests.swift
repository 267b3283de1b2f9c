// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTesting
import Testing

@Suite("Descriptions that cannot be used")
struct BadSchemaTests {
    private static func object(_ fields: String, _ name: String = "X__c") -> String {
        #"{"name":"\#(name)","fields":[\#(fields)]}"#
    }

    @Test(
        "the error names the object, the field and the place in the JSON",
        arguments: [
            ("", "line 1"), ("[", "line 1"), ("1", "(at $)"), ("[1]", "(at $[0])"), ("{}", "no 'name' (at $)"),
            (#"{"sobjects":1}"#, "'sobjects' must be a list (at $.sobjects)"),
            (#"{"name":"X__c"}"#, "X__c: it has no 'fields'"),
            (#"{"name":"X\";DROP","fields":[]}"#, "is no name"), (object("", "sqlite_x"), "is no name"),
            (object(#"{"name":"rowid","type":"int"}"#), "is no name"),
            (object(#"{"name":"A__c"}"#), "X__c.A__c: the field has no 'type' (at $.fields[0])"),
            (object(#"{"name":"A__c","type":"anyType"}"#), "type 'anyType'; leave the field out (at $.fields[0].type)"),
            (object(#"{"name":"A__c","type":"int"},{"name":"a__C","type":"int"}"#), "a__C is described twice"),
            (object(#"{"name":"A__c","type":"string","length":-1}"#), "(at $.fields[0].length)"),
            (object(#"{"name":"A__c","type":"string","unique":1}"#), "'unique' must be true or false"),
            (object(#"{"name":"A__c","type":"int","defaultValue":"x"}"#), "the default is no value of the type 'int'"),
            (object(#"{"name":"A__c","type":"picklist","picklistValues":[{}]}"#), "$.fields[0].picklistValues[0]"),
            (object(#"{"name":"A__c","type":"reference"}"#), "X__c.A__c: a reference needs"),
            (object(#"{"name":"A__c","type":"reference","referenceTo":["Y__c"]}"#), "points to Y__c"),
            (
                object(
                    #"{"name":"A__c","type":"reference","referenceTo":["User"],"relationshipName":"A__r"},"#
                        + #"{"name":"B__c","type":"reference","referenceTo":["User"],"relationshipName":"a__R"}"#),
                "two fields have the relationship"
            ),
            (object(#"{"name":"Address","type":"location"}"#), "Address must end with '__c'"),
            (object(#"{"name":"HomeAddress","type":"address"}"#), "HomeAddress has no parts"),
            (object(#"{"name":"Name","type":"int"}"#, "Account"), "the org's own Name is of the type 'string'"),
            ("[\(object("")),\(object("", "x__C"))]", "described twice"),
            (#"{"name":"X__c","keyPrefix":"0","fields":[]}"#, "X__c: the key prefix must be"),
            (#"{"name":"X__c","keyPrefix":"001","fields":[]}"#, "X__c: Account has the key prefix 001 too"),
        ])
    func errors(json: String, expected: String) throws {
        let error = try #require(throws: LocalOrgError.self) { try OrgSchema(describe: Array(json.utf8)) }
        #expect(error.code == .invalidSchema && error.message.contains(expected), "\(error.message)")
    }

    @Test("the org's own description with a byte changed is read or refused, and never traps")
    func mutations() {
        let bytes = Array(InvoiceSchema.json.utf8)
        var refused = 0
        for index in stride(from: 0, to: bytes.count, by: 7) {
            for byte in [UInt8(ascii: "\""), UInt8(ascii: "0"), UInt8(ascii: "_")] {
                var changed = bytes
                changed[index] = byte
                if (try? OrgSchema(describe: changed)) == nil { refused += 1 }
            }
        }
        #expect(refused > 0)
    }

    @Test("a file gets what is new, and is not started with a schema that lacks or changes what it has")
    func files() async throws {
        try await withTemporaryFolder { folder in
            let file = folder + "/org.db"
            let standard = LocalOrgConfiguration(storage: .file(file))
            await (try LocalOrg.start(standard)).stop()
            let first = try await OrgClient.start(try InvoiceSchema.configuration(file: file))
            let id = try first.create("Invoice__c", #"{"Total__c":5,"Place__Latitude__s":1,"Place__Longitude__s":2}"#)
            await first.org.stop()
            let more = InvoiceSchema.json.replacing(
                #"{"name":"Count__c","type":"int"}"#,
                with:
                    #"{"name":"Count__c","type":"int"},{"name":"New__c","type":"boolean"},{"name":"At__c","type":"location"}"#
            )
            let second = try await OrgClient.start(try InvoiceSchema.configuration(more, file: file))
            let record = try second.get("/sobjects/Invoice__c/\(id)").json
            #expect(record["Total__c"] == 5 && record["New__c"] == false && record["At__c"] == .null)
            await second.org.stop()
            let faults = [
                ("Account.Grade__c", standard), ("Invoice__c.At__L", try InvoiceSchema.configuration(file: file)),
                (
                    "Invoice__c.Count__c is of the type 'int'",
                    try InvoiceSchema.configuration(
                        more.replacing(#""Count__c","type":"int""#, with: #""Count__c","type":"string""#), file: file)
                ),
                (
                    "keyPrefix a0I",
                    try InvoiceSchema.configuration(more.replacing(#""a0I""#, with: #""a0J""#), file: file)
                ),
            ]
            for (text, configuration) in faults {
                let error = await #expect(throws: LocalOrgError.self) { try await LocalOrg.start(configuration) }
                #expect(
                    error?.code == .changedSchema && error?.message.contains(text) == true, "\(error?.message ?? "")")
            }
            let third = try await OrgClient.start(try InvoiceSchema.configuration(more, file: file))
            #expect(try third.get("/sobjects/Invoice__c/\(id)").json["Total__c"] == 5)
            await third.org.stop()
        }
    }
}
