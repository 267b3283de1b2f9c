// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Objects of an org with the names, types and strings that are hardest to write as Swift.
///
/// `soql models` and `soqlgen` accept the schema: names consist of letters, digits and underscores, and occur once.
struct RandomSchema {
    private var chance: Chance
    private let names: HostileNames
    private var objects: [String] = []

    private(set) var json: JSONValue = .null

    init(_ chance: Chance, _ names: HostileNames) {
        (self.chance, self.names) = (chance, names)
        objects = ["Account"] + distinct(3...8) { $0.apiName("__c") }.filter { $0.lowercased() != "account" }
        let parts = objects.map { (name: $0, fields: fields(of: $0)) }
        json = JSONValue(JSONArray(parts.map { describe($0.name, $0.fields, parts.flatMap(\.fields)) }))
    }

    private mutating func apiName(_ mark: String) -> String {
        let name =
            chance.percent(25) ? chance.pick(["ns", "x2", "a_b"]) + "__" + names.next(&chance) : names.next(&chance)
        let isCustom = chance.percent(65)
        return String((isCustom ? name + mark : name).prefix(80))
    }

    /// Returns names that differ in more than case, as in Salesforce.
    private mutating func distinct(_ count: ClosedRange<Int>, _ name: (inout RandomSchema) -> String) -> [String] {
        var known: Set<String> = []
        return (0..<chance.number(count)).map { _ in name(&self) }.filter { known.insert($0.lowercased()).inserted }
            .filter { $0.utf8.first.map { !(0x30...0x39).contains($0) } ?? false }
    }

    private struct Field {
        let owner: String
        let name: String
        var json: JSONObject
        /// The target objects of the field, and the relationship name on their side.
        var targets: [String] = []
        var children: String?
    }

    private mutating func fields(of object: String) -> [Field] {
        var fields = [Field(owner: object, name: "Id", json: ["name": "Id", "type": "id", "nillable": false])]
        var relationships: Set<String> = []
        for name in distinct(2...14, { $0.apiName("__c") }) where name.lowercased() != "id" {
            var field = Field(owner: object, name: name, json: ["name": JSONValue(name)])
            set(&field, &relationships)
            fields.append(field)
        }
        return fields
    }

    private static let plainTypes = [
        "string", "textarea", "email", "phone", "url", "combobox", "encryptedstring", "base64", "boolean", "int",
        "long",
        "double", "currency", "percent", "date", "datetime", "time", "location", "address", "anyType", "complexvalue",
        "string", "double", "date", "datetime", "boolean",
    ]

    private mutating func set(_ field: inout Field, _ relationships: inout Set<String>) {
        let kind = chance.number(0...9)
        switch kind {
        case 0, 1: setPicklist(&field)
        case 2, 3, 4: setReference(&field, &relationships)
        default: field.json["type"] = JSONValue(chance.pick(Self.plainTypes))
        }
        if chance.percent(70) { field.json["label"] = JSONValue(HostileText.next(&chance)) }
        if chance.percent(20) { field.json["inlineHelpText"] = JSONValue(HostileText.next(&chance)) }
        let flags = [
            ("nillable", false, 40), ("createable", false, 20), ("updateable", false, 25), ("filterable", false, 10),
            ("defaultedOnCreate", true, 10), ("externalId", true, 15), ("unique", true, 15),
        ]
        for (name, value, share) in flags where chance.percent(share) { field.json[name] = JSONValue(value) }
    }

    private mutating func setPicklist(_ field: inout Field) {
        field.json["type"] = chance.percent(30) ? "multipicklist" : "picklist"
        // Salesforce lists up to a thousand values of one field.
        let values =
            chance.percent(2)
            ? (0..<1_000).map { "Value \($0)" } : chance.make(0...12) { HostileText.next(&$0) }
        let items = values.map { value -> JSONValue in
            var item: JSONObject = ["value": JSONValue(value)]
            if chance.percent(40) { item["label"] = JSONValue(HostileText.next(&chance)) }
            if chance.percent(20) { item["active"] = false }
            return JSONValue(item)
        }
        field.json["picklistValues"] = JSONValue(JSONArray(items))
    }

    private mutating func setReference(_ field: inout Field, _ relationships: inout Set<String>) {
        field.json["type"] = "reference"
        let outside = ["User", "Group", "Unknown__c", "ModelPath__c", "String"]
        let targets = chance.percent(80) ? [chance.pick(objects)] : chance.some(objects + outside, chance.number(0...3))
        field.json["referenceTo"] = JSONValue(JSONArray(targets.map { JSONValue($0) }))
        field.targets = targets
        guard chance.percent(85) else { return }
        let name = field.name.hasSuffix("__c") ? field.name.dropLast(3) + "__r" : Substring(apiName("__r"))
        guard relationships.insert(name.lowercased()).inserted else { return }
        field.json["relationshipName"] = JSONValue(String(name))
        if chance.percent(70) { field.children = apiName("__r") }
    }

    private mutating func describe(_ name: String, _ fields: [Field], _ all: [Field]) -> JSONValue {
        var object: JSONObject = ["name": JSONValue(name)]
        object["label"] = JSONValue(HostileText.next(&chance))
        object["fields"] = JSONValue(JSONArray(fields.map { JSONValue($0.json) }))
        var known: Set<String> = []
        let children = all.filter { $0.targets.contains(name) }.compactMap { field -> JSONValue? in
            guard let relationship = field.children, known.insert(relationship.lowercased()).inserted else {
                return nil
            }
            return [
                "childSObject": JSONValue(field.owner), "field": JSONValue(field.name),
                "relationshipName": JSONValue(relationship),
            ]
        }
        object["childRelationships"] = JSONValue(JSONArray(children))
        return JSONValue(object)
    }
}
