// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

@testable import soql

/// A small org for completion.
enum SampleSchema {
    static func make() throws -> CompletionSchema {
        var schema = CompletionSchema()
        schema.objects = NameIndex(["Account", "AccountHistory", "Contact", "Opportunity", "Task", "User"])
        for text in [account, contact, user, task] {
            let description = try ObjectDescription(JSONValue(parsing: Array(text.utf8)).object ?? [:])
            schema.descriptions[description.name.lowercased()] = description
        }
        return schema
    }

    /// What stands at the `|` of a text: the candidates, and what was typed of them.
    static func complete(_ text: String, _ change: (inout CompletionEngine) -> Void = { _ in }) throws -> Completion {
        let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var engine = CompletionEngine()
        engine.schema = try make()
        change(&engine)
        return engine.completion(before: parts[0], after: parts.count > 1 ? parts[1] : "")
    }

    /// The texts of the candidates.
    static func words(_ text: String) throws -> [String] { try complete(text).candidates.map(\.text) }

    private static func field(_ name: String, _ type: String, _ more: String = "") -> String {
        #"{"name":"\#(name)","type":"\#(type)","filterable":true,"sortable":true,"groupable":true\#(more)}"#
    }

    private static func reference(_ name: String, _ relationship: String, _ objects: String) -> String {
        field(name, "reference", #","relationshipName":"\#(relationship)","referenceTo":[\#(objects)]"#)
    }

    private static let industry = field(
        "Industry", "picklist",
        #","picklistValues":[{"value":"Banking"},{"value":"Bob's"},{"value":"Old","active":false}]"#)

    private static let account = """
        {"name":"Account","fields":[\(field("Id", "id")),\(field("Name", "string")),\(industry),
        {"name":"Description","type":"textarea"},\(field("CreatedDate", "datetime")),\(field("IsPartner", "boolean")),
        \(reference("OwnerId", "Owner", #""User""#))],
        "childRelationships":[{"relationshipName":"Contacts","childSObject":"Contact","field":"AccountId"},
        {"relationshipName":null,"childSObject":"Task","field":"WhatId"}]}
        """
    private static let contact = """
        {"name":"Contact","fields":[\(field("LastName", "string")),\(reference("AccountId", "Account", #""Account""#))]}
        """
    private static let user = """
        {"name":"User","fields":[\(field("Username", "string")),\(field("Email", "email")),
        \(reference("ManagerId", "Manager", #""User""#))]}
        """
    private static let task = """
        {"name":"Task","fields":[\(field("Subject", "string")),
        \(reference("WhatId", "What", #""Account","Opportunity""#))]}
        """
}
