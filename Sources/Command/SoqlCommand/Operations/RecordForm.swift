// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// A field and its new value from the command line.
///
/// `Name=Acme` is a string that is converted to the field's type, `Name=` sets the field to null, and `Name:=JSON` is
/// sent unchanged.
struct FieldAssignment {
    enum Value {
        case text(String)
        case json(JSONValue)
    }

    let field: String
    let value: Value

    static func all(_ words: [String]) throws(UsageError) -> [FieldAssignment] {
        try words.map { word throws(UsageError) in try FieldAssignment(word) }
    }

    init(_ word: String) throws(UsageError) {
        guard let (target, text) = word.cut(byte: "=") else {
            throw UsageError("'\(word)' must be FIELD=VALUE or FIELD:=JSON")
        }
        let json = target.removing(suffix: ":")
        let name = json ?? target
        guard !name.isEmpty else { throw UsageError("'\(word)' has no field name; use FIELD=VALUE") }
        field = String(name)
        guard json != nil else {
            value = .text(String(text))
            return
        }
        do throws(JSONError) { value = .json(try JSONValue(parsing: String(text))) } catch {
            throw UsageError("the value of \(name) is not JSON: \(error)")
        }
    }
}

extension RecordForm {
    /// Creates a record from assignments to different fields.
    func record(_ assignments: [FieldAssignment]) throws(CommandFailure) -> JSONObject {
        var record = JSONObject()
        for assignment in assignments {
            let column = try column(assignment.field)
            let value: JSONValue =
                switch assignment.value {
                case .json(let value): value
                case .text(let text): text.isEmpty ? .null : try value(text, of: column)
                }
            try set(value, of: column, in: &record)
        }
        return record
    }
}

/// Converts strings to field values by the org's description of the object.
struct RecordForm {
    /// The target of a value.
    enum Column {
        case field(ObjectDescription.Field)
        /// A related record, identified by one of its fields: `Owner.Username`.
        case parent(relationship: String, field: String)

        var name: String {
            switch self {
            case .field(let field): field.name
            case .parent(let relationship, let field): "\(relationship).\(field)"
            }
        }
    }

    let object: ObjectDescription

    /// The column with a name, in any case.
    func column(_ name: String) throws(CommandFailure) -> Column {
        if let field = object[name] { return .field(field) }
        let path = name.split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        if path.count == 2, let parent = object.parentField(named: path[0])?.relationshipName, !path[1].isEmpty {
            return .parent(relationship: parent, field: path[1])
        }
        throw CommandFailure("\(object.name) has no field '\(name)'", near: name, object.fields.map(\.name))
    }

    /// Converts a string to the JSON value of a field.
    func value(_ text: String, of column: Column) throws(CommandFailure) -> JSONValue {
        guard case .field(let field) = column else { return JSONValue(text) }
        switch field.kind {
        case .boolean:
            switch text.lowercased() {
            case "true", "1": return true
            case "false", "0": return false
            default: throw CommandFailure("\(field.name) takes true or false, not '\(text)'")
            }
        case .int, .double, .currency, .percent:
            // The number has all digits of the string.
            guard let number = JSONValue(numberText: text) else {
                throw CommandFailure("\(field.name) takes a number such as 12.5, not '\(text)'")
            }
            return number
        default: return JSONValue(text)
        }
    }

    /// Sets a value in a record, where it must not be set already.
    func set(_ value: JSONValue, of column: Column, in record: inout JSONObject) throws(CommandFailure) {
        switch column {
        case .field(let field):
            guard record[field.name] == nil else { throw CommandFailure("\(field.name) is given twice") }
            record[field.name] = value
        case .parent(let relationship, let field):
            guard record[relationship] == nil else { throw CommandFailure("\(relationship) is given twice") }
            record[relationship] = value.isNull ? .null : JSONValue([field: value] as JSONObject)
        }
    }
}

/// A count with its noun, in the plural if necessary.
func counted(_ count: Int, _ noun: String = "record") -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
