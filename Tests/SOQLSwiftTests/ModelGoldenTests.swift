// SPDX-License-Identifier: Apache-2.0

import RestJSON
import SOQLCheck
import SwiftSource
import Testing

@testable import SOQLSwift

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("Generated sources of models")
struct ModelGoldenTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "OrgModels")

    private static func schema() throws -> QuerySchema {
        try QuerySchema(json: Array(try Data(contentsOf: golden.appending(path: "schema.json"))))
    }

    /// If the environment variable `WRITE_GOLDEN_FILES` is set, the checked-in sources are written again.
    @Test("The checked-in sources are what the descriptions produce now")
    func golden() throws {
        let files = ModelEmitter.files(of: try Self.schema())
        for file in files {
            let url = Self.golden.appending(path: file.path)
            if ProcessInfo.processInfo.environment["WRITE_GOLDEN_FILES"] != nil {
                try Data(file.text.utf8).write(to: url)
            }
            let text = String(decoding: try Data(contentsOf: url), as: UTF8.self)
            #expect(text == file.text, "\(file.path) is stale; run the tests once with WRITE_GOLDEN_FILES=1")
        }
        let written = try FileManager.default.contentsOfDirectory(atPath: Self.golden.path)
        #expect(Set(written.filter { $0.hasSuffix(".swift") }) == Set(files.map(\.path)))
    }

    @Test("The same objects give the same bytes, in any order, and after saving and reading the schema")
    func deterministic() throws {
        let schema = try Self.schema()
        let files = ModelEmitter.files(of: schema)
        #expect(ModelEmitter.files(of: try QuerySchema(objects: schema.objects.reversed())) == files)
        #expect(ModelEmitter.files(of: try QuerySchema(json: schema.json)) == files)
    }

    @Test("An additional field changes only its own lines and the hash")
    func diffs() throws {
        let text = """
            {"name": "Thing__c", "fields": [{"name": "Id", "type": "id"}, {"name": "B__c", "type": "string"}MORE]}
            """
        func lines(_ more: String) throws -> [String] {
            let json = Array(text.replacing("MORE", with: more).utf8)
            return ModelEmitter.files(of: try QuerySchema(json: json))[0].text.split(separator: "\n").map(String.init)
        }
        let (before, after) = (try lines(""), try lines(#", {"name": "A__c", "type": "date"}"#))
        let added = after.difference(from: before)
        #expect(added.removals.count == 1, "the line with the hash")
        #expect(
            added.insertions.compactMap { change -> String? in
                guard case .insert(_, let line, _) = change else { return nil }
                return line.trimmingPrefix { $0 == " " }.description
            }.dropFirst() == [
                "A__c date", "/// A__c (`A__c`, date).", "public var a: SOQLDate? {", "get { record[\"A__c\"] }",
                "set { record[\"A__c\"] = newValue }", "}", "public var a: ModelField<SOQLDate> { _path[\"A__c\"] }",
            ])
    }

    @Test("Every label, help text and value stays a comment or a literal")
    func hostile() throws {
        let texts = [
            "*/ }", "\nimport Evil", "\r\nimport Evil", "\u{2028}import Evil", "\u{0B}x", "\u{85}x", "\u{202E}x", "\0",
            "\\(evil)", "\"; import Evil //", "`", "```", "", " ", "\u{1B}[31m", "/*",
        ]
        for text in texts {
            let value = JSONValue(text)
            let object: JSONValue = [
                "name": "Thing__c", "label": value,
                "fields": [
                    [
                        "name": "P__c", "type": "picklist", "label": value, "inlineHelpText": value,
                        "picklistValues": [["value": value, "label": value], ["value": "b"]],
                    ],
                    [
                        "name": "R__c", "type": "reference", "referenceTo": [value], "relationshipName": value,
                    ],
                ],
                "childRelationships": [["childSObject": "x", "field": value, "relationshipName": "y"]],
            ]
            guard let schema = try? QuerySchema(json: object.bytes()) else { continue }
            for file in ModelEmitter.files(of: schema) {
                let unseen: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
                #expect(
                    file.text.unicodeScalars.allSatisfy {
                        $0 == "\n" || !unseen.contains($0.properties.generalCategory)
                    })
                #expect(!file.text.split(separator: "\n").contains { $0.hasPrefix("import") }, "\(text)")
            }
        }
    }

    @Test("The time to generate nine hundred fields grows linearly")
    func large() throws {
        func time(_ count: Int) throws -> Duration {
            let fields = (0..<count).map { #"{"name": "F\#($0)__c", "type": "string", "label": "F"}"# }
            let json = #"{"name": "Big__c", "fields": [\#(fields.joined(separator: ","))]}"#
            let schema = try QuerySchema(json: Array(json.utf8))
            return ContinuousClock().measure {
                #expect(ModelEmitter.files(of: schema)[0].text.utf8.count > count * 200)
            }
        }
        let small = try (0..<3).map { _ in try time(300) }.min() ?? .zero
        let large = try (0..<3).map { _ in try time(2_400) }.min() ?? .zero
        #expect(large < small * 40, "eight times the fields: \(small), \(large)")
    }

    @Test(
        "An invalid schema is rejected with the reason",
        arguments: [
            (#"{"sobjects": [], "version": 2}"#, "version 2"), (#"{"sobjects": [{"name": "A", "fie"#, "not JSON"),
            (#"[{"name": "A", "fields": []}, {"name": "a", "fields": []}]"#, "two objects have the name"),
            (#"{"name": "A"}"#, "no 'fields'"), (#"{"name": "A b", "fields": []}"#, "is not a valid name"),
            (
                #"{"name": "A", "fields": [{"name": "F", "type": "id"}, {"name": "f", "type": "id"}]}"#,
                "described twice"
            ),
        ])
    func rejections(json: String, message: String) {
        let error = #expect(throws: SchemaError.self) { try QuerySchema(json: Array(json.utf8)) }
        #expect(error?.description.contains(message) == true && error?.place.isEmpty == false)
    }
}

@Suite("Names in models")
struct ModelNamesTests {
    /// Returns the names for an object with these fields.
    private func names(_ object: String, _ fields: [String], children: String = "") throws -> ModelNames {
        let json = """
            [{"name": "\(object)", "fields": [\(fields.joined(separator: ","))], "childRelationships": [\(children)]}]
            """
        return ModelNames(try QuerySchema(json: Array(json.utf8)))
    }

    private func field(_ name: String, _ type: String = "string", _ more: String = "") -> String {
        "{\"name\": \"\(name)\", \"type\": \"\(type)\"\(more)}"
    }

    @Test("Fields lose the suffix of custom fields, and ids end with ID")
    func fields() throws {
        let names = try names(
            "Invoice__c",
            [
                field("Id", "id"), field("Due_Date__c", "date"), field("ns__Total__c", "currency"),
                field("OwnerId", "reference", #", "referenceTo": ["User"], "relationshipName": "Owner""#),
                field("Parent__c", "reference", #", "referenceTo": ["Invoice__c"], "relationshipName": "Parent__r""#),
                field("case__c"), field("_odd"), field("ID__c"),
            ])
        #expect(names.type(of: "INVOICE__C") == "Invoice")
        #expect(names.property("due_date__c", of: "Invoice__c") == "dueDate")
        #expect(names.property("ns__Total__c", of: "Invoice__c") == "nsTotal")
        #expect(names.property("OwnerId", of: "Invoice__c") == "ownerID")
        #expect(names.parent("OwnerId", of: "Invoice__c") == "owner")
        #expect(names.property("Parent__c", of: "Invoice__c") == "parentID")
        #expect(names.parent("Parent__c", of: "Invoice__c") == "parent")
        #expect(SwiftIdentifiers.escaped(names.property("case__c", of: "Invoice__c")) == "`case`")
        #expect(
            names.property("Id", of: "Invoice__c") == "id" && names.property("ID__c", of: "Invoice__c") == "idField")
        #expect(names.type(of: "User") == "User")
    }

    @Test("Standard fields keep their names, and similar names are made distinct regardless of order")
    func clashes() throws {
        let fields = [
            field("Amount__c"), field("Amount"), field("Record__c"), field("Foo_Bar__c"), field("FooBar__c"),
            field("Hash_Value__c"), field("Account__c", "reference", #", "relationshipName": "Amount__r""#),
        ]
        for fields in [fields, fields.reversed()] {
            let names = try names(
                "Odd__c", fields, children: #"{"childSObject":"A","field":"B","relationshipName":"Amount"}"#)
            let properties = ["Amount", "Amount__c", "Record__c", "Foo_Bar__c", "FooBar__c", "Hash_Value__c"].map {
                names.property($0, of: "Odd__c")
            }
            #expect(properties == ["amount", "amountCustom", "recordField", "fooBar", "fooBar_2", "hashValueField"])
            #expect(names.parent("Account__c", of: "Odd__c") == "amountParent")
            #expect(names.children("Amount", of: "Odd__c") == "amountList")
        }
    }

    @Test("No type hides a Swift type, and no two types differ only in case")
    func types() throws {
        let objects = ["Task", "Group", "foo_bar__c", "Foobar__c", "Result__c", "Result", "__c", "Case", "Date__c"]
        let list = objects.filter { $0 != "__c" }.map { "{\"name\": \"\($0)\", \"fields\": []}" }
        let names = ModelNames(
            try QuerySchema(json: Array("[\(list.joined(separator: ","))]".utf8)), module: "Case")
        #expect(names.type(of: "Task") == "TaskRecord")
        #expect(names.type(of: "Group") == "GroupRecord")
        #expect(names.type(of: "Case") == "CaseRecord")
        #expect(names.type(of: "Result") == "ResultRecord")
        #expect(names.type(of: "Result__c") == "ResultCustom")
        #expect(names.type(of: "Date__c") == "DateRecord")
        #expect(Set(["foo_bar__c", "Foobar__c"].map { names.type(of: $0).lowercased() }).count == 2)
    }

    @Test("Picklist values become cases, regardless of their characters")
    func cases() {
        let values = [
            "New Customer", "1-10", "110", "<5", ">5", "default", "None", "+", "-", "Other", "unlisted", "A\"\\\n",
            "Élevé",
            "New customer", "New Customer",
        ]
        let cases = PicklistCases(
            values.map { ObjectDescription.PicklistValue($0) })
        #expect(cases.all.map(\.value.value) == values.dropLast())
        #expect(
            cases.all.map(\.name) == [
                "newCustomer", "_1_10", "_110", "_5", "_5_2", "default", "noneValue", "value", "value_2", "other",
                "unlistedValue", "a", "élevé", "newCustomer_2",
            ])
        #expect(PicklistCases(cases.all.reversed().map(\.value)).all.map(\.name) == cases.all.reversed().map(\.name))
    }

    @Test("Each field type becomes a Swift type")
    func swiftTypes() throws {
        let values = #", "picklistValues": [{"value": "A"}]"#
        let types = [
            ("id", "", "RecordID<Thing>"), ("string", "", "String"), ("boolean", "", "Bool"), ("int", "", "Int"),
            ("long", "", "Int"), ("double", "", "Decimal"), ("currency", "", "Decimal"), ("percent", "", "Decimal"),
            ("date", "", "SOQLDate"), ("datetime", "", "Date"), ("time", "", "SOQLTime"),
            ("picklist", values, "Thing.F11"), ("picklist", "", "String"),
            ("multipicklist", values, "MultiPicklist<Thing.F13>"), ("combobox", values, "String"),
            ("address", "", "RecordAddress"), ("location", "", "RecordLocation"), ("anyType", "", "JSONValue"),
            ("reference", #", "referenceTo": ["Account"]"#, "RecordID<Account>"),
            ("reference", #", "referenceTo": ["Group", "User"]"#, "RecordID<AnyRecord>"),
            ("reference", "", "RecordID<AnyRecord>"), ("base64", "", "String"), ("url", "", "String"),
        ]
        let names = try names("Thing__c", types.enumerated().map { field("F\($0)__c", $1.0, $1.1) })
        let json = types.enumerated().map { field("F\($0)__c", $1.0, $1.1) }.joined(separator: ",")
        let object = try #require(
            try QuerySchema(json: Array("{\"name\": \"Thing__c\", \"fields\": [\(json)]}".utf8)).objects.first)
        for (position, type) in types.enumerated() {
            let field = try #require(object["F\(position)__c"])
            #expect(names.swiftType(of: field, in: "Thing__c").swift == type.2, "\(type)")
        }
    }
}
