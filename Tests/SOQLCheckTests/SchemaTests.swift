// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLCheck
import Testing

@Suite("Schema files")
struct SchemaTests {
    private func schema(_ text: String) throws -> QuerySchema { try QuerySchema(json: Array(text.utf8)) }

    private static let account = #"{"name":"Account","fields":[{"name":"Id","type":"id"}]}"#

    @Test("one description, a list, a schema file and the output of the Salesforce CLI are read")
    func shapes() throws {
        let account = Self.account
        for text in [account, "[\(account)]", #"{"sobjects":[\#(account)]}"#, #"{"status":0,"result":\#(account)}"#] {
            #expect(try schema(text).objects.map(\.name) == ["Account"])
        }
        #expect(try schema("[]").objects.isEmpty)
    }

    @Test("a written schema can be read again, and does not depend on the order of the description")
    func writing() throws {
        let fields = [
            #"{"name":"Id","type":"id","length":18,"nillable":false}"#,
            """
            {"name":"OwnerId","type":"reference","referenceTo":["Group","User"],"relationshipName":"Owner","label":"Ö"}
            """,
            """
            {"name":"Rating","type":"picklist","aggregatable":false,"picklistValues":[{"value":"Hot"},{"value":"Cold",\
            "label":"cool","active":false}],"restrictedPicklist":true,"inlineHelpText":"How \\"warm\\"?"}
            """,
        ]
        let children = [
            #"{"relationshipName":"Contacts","childSObject":"Contact","field":"AccountId"}"#,
            #"{"relationshipName":null,"childSObject":"Secret","field":"AccountId"}"#,
            #"{"relationshipName":"Cases","childSObject":"Case","field":"AccountId"}"#,
        ]
        func text(_ fields: [String], _ children: [String]) -> String {
            """
            [{"name":"Zebra","fields":[]},{"name":"Account","fields":[\(fields.joined(separator: ","))],\
            "childRelationships":[\(children.joined(separator: ","))]}]
            """
        }
        let first = try schema(text(fields, children))
        let second = try schema(text(fields.reversed(), children.reversed()))
        #expect(first.json == second.json)
        #expect(try QuerySchema(json: first.json) == first)
        let field = try #require(first.object(named: "ACCOUNT")?["rating"])
        #expect(field.picklistValues.map(\.value) == ["Hot", "Cold"])
        #expect(field.isRestrictedPicklist && !field.isAggregatable && field.help == "How \"warm\"?")
        #expect(first.object(named: "Account")?.childRelationships.map(\.name) == ["Cases", "Contacts"])
    }

    @Test("a change of one field changes only its lines")
    func differences() throws {
        func lines(_ label: String) throws -> [Substring] {
            let text = """
                {"name":"A","fields":[{"name":"Id","type":"id"},{"name":"B","type":"string","label":"\(label)"},\
                {"name":"C","type":"string"}]}
                """
            return String(decoding: try schema(text).json, as: UTF8.self).split(separator: "\n")
        }
        let (old, new) = (try lines("one"), try lines("two"))
        #expect(old.count == new.count)
        #expect(zip(old, new).count { $0 != $1 } == 1)
    }

    @Test(
        "an invalid schema is rejected with the path",
        arguments: [
            ("", "line 1, column 1"), (#"{"sobjects":[{"name":"A","fields":[{"#, "line 1, column"), ("7", "$"),
            ("[7]", "$[0]"), (#"{"name":"A"}"#, "$"), (#"{"fields":[]}"#, "$"), (#"{"name":7,"fields":[]}"#, "$"),
            (#"{"name":"A B","fields":[]}"#, "$"), (#"{"name":"A","fields":7}"#, "$"),
            (#"{"name":"A","fields":[{"name":"x"}]}"#, "$.fields[0]"),
            (#"{"name":"A","fields":[{"name":"x","type":"string","length":-1}]}"#, "$.fields[0]"),
            (#"{"name":"A","fields":[{"name":"x","type":"string","nillable":"yes"}]}"#, "$.fields[0]"),
            (#"{"name":"A","fields":[{"name":"x","type":"id"},{"name":"X","type":"id"}]}"#, "$.fields[1]"),
            (#"[{"name":"a","fields":[]},{"name":"A","fields":[]}]"#, "a"),
            (#"{"version":2,"sobjects":[]}"#, "$.version"), (#"{"sobjects":{}}"#, "$"),
            (#"{"name":"A","fields":[{"name":"x","type":"picklist","picklistValues":[{}]}]}"#, "picklistValues[0]"),
            (String(repeating: "[", count: 10_000), "line 1"),
        ])
    func rejections(text: String, place: String) {
        #expect {
            try schema(text)
        } throws: { error in
            (error as? SchemaError).map { $0.place.contains(place) && !$0.message.isEmpty } ?? false
        }
    }
}
