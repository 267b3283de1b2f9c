// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// What the name of a column means: a field, or a parent by a key of the parent's.
///
/// `Account.ExternalId__c` names a parent, and `Contact:Who.Email` one that can be of several objects.
struct RecordColumn {
    let field: FieldSchema
    /// The object of a parent and the field that it is found by.
    private(set) var parent: (object: SObjectSchema, key: FieldSchema)?

    /// `nil` for what is no field.
    init?(_ name: String, _ object: SObjectSchema, _ schema: Schema) {
        if let field = object.field(named: name) {
            self.field = field
            return
        }
        let typed = name.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let path = (typed.last ?? "").split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        guard path.count == 2, let field = object.referenceField(ofRelationship: path[0]) else { return nil }
        let type = typed.count == 2 ? typed[0] : nil
        // The object has to be named where it can be one of several, and nowhere else.
        guard field.isPolymorphic || type == nil, field.referenceTo.count == 1 || type != nil else { return nil }
        let target = field.referenceTo.first { type == nil || $0.lowercased() == type?.lowercased() }
        guard let target = target.flatMap({ schema.object(named: $0) }), let key = target.field(named: path[1]),
            key.isLookupKey
        else { return nil }
        self.field = field
        parent = (target, key)
    }

    /// An id of 15 or 18 characters as one of 18; another text as it is.
    static func key(_ text: String) -> String { RecordID.normalized(text) ?? text }

    /// The member of a record that the text of a column makes.
    func member(_ text: String?) -> (key: String, value: JSONValue) {
        guard let text else { return (field.name, .null) }
        guard let parent, let relationship = field.relationshipName else { return (field.name, field.value(of: text)) }
        let lookup: JSONValue = [
            "attributes": ["type": JSONValue(parent.object.name)], parent.key.name: parent.key.value(of: text),
        ]
        return (relationship, lookup)
    }
}

extension FieldSchema {
    /// Whether a record can be named by it in place of its id (`idLookup` in a describe).
    var isLookupKey: Bool { isExternalId || type == .id || type == .email || name == "Username" }

    /// The JSON value for a text from a path, a table or XML.
    ///
    /// These have no types, so the type of the field decides.
    func value(of text: String) -> JSONValue {
        switch type {
        case .boolean:
            return ["true": true, "1": true, "false": false, "0": false][text.lowercased()] ?? JSONValue(text)
        case .int, .double, .currency, .percent:
            let number = try? JSONValue(parsing: text)
            return number?.kind == .number ? number ?? .null : JSONValue(text)
        default: return JSONValue(text)
        }
    }
}
