// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SwiftSource
import Testing

@testable import SOQLSwift

@Suite("Names of models")
struct ModelNamesTests {
    /// The names of an object with these fields.
    private func names(_ object: String, _ fields: [String], children: String = "") throws -> ModelNames {
        let json = """
            [{"name": "\(object)", "fields": [\(fields.joined(separator: ","))], "childRelationships": [\(children)]}]
            """
        return ModelNames(try QuerySchema(json: Array(json.utf8)))
    }

    private func field(_ name: String, _ type: String = "string", _ more: String = "") -> String {
        "{\"name\": \"\(name)\", \"type\": \"\(type)\"\(more)}"
    }

    @Test("Fields lose the mark of what is custom, and ids end with ID")
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

    @Test("The platform's own fields keep their names; alike ones are told apart whatever their order")
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

    @Test("No type hides one of Swift's, and none differs from another in case only")
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

    @Test("Values become cases, whatever is in them")
    func cases() {
        let values = [
            "New Customer", "1-10", "110", "<5", ">5", "default", "None", "+", "-", "Other", "unlisted", "A\"\\\n",
            "Élevé",
            "New customer", "New Customer",
        ]
        let cases = PicklistCases(
            values.map { QuerySchema.PicklistValue(value: $0, label: $0, isActive: true, isDefault: false) })
        #expect(cases.all.map(\.value.value) == values.dropLast())
        #expect(
            cases.all.map(\.name) == [
                "newCustomer", "_1_10", "_110", "_5", "_5_2", "default", "noneValue", "value", "value_2", "other",
                "unlistedValue", "a", "élevé", "newCustomer_2",
            ])
        #expect(PicklistCases(cases.all.reversed().map(\.value)).all.map(\.name) == cases.all.reversed().map(\.name))
    }

    @Test("Each type of the describe is one of Swift")
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
            let field = try #require(object.field(named: "F\(position)__c"))
            #expect(names.swiftType(of: field, in: "Thing__c").swift == type.2, "\(type)")
        }
    }
}
