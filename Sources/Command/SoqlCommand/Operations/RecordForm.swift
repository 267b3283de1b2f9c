// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// A field and what it is to be, as the command line says it.
///
/// `Name=Acme` is a text that the field's type makes a value of, `Name=` empties the field, and `Name:=JSON` is sent as
/// it stands.
struct FieldAssignment {
    enum Value {
        case text(String)
        case json(JSONValue)
    }

    let field: String
    let value: Value

    /// Reads words.
    static func all(_ words: [String]) throws(UsageError) -> [FieldAssignment] {
        try words.map { word throws(UsageError) in try FieldAssignment(word) }
    }

    /// Reads a word.
    ///
    /// - Throws: ``UsageError`` for a word without `=`, without a name, and for JSON that is none.
    init(_ word: String) throws(UsageError) {
        guard let (target, text) = word.cut(byte: "=") else {
            throw UsageError("'\(word)' must be FIELD=VALUE, or FIELD:=JSON")
        }
        let json = target.removing(suffix: ":")
        let name = json ?? target
        guard !name.isEmpty else { throw UsageError("'\(word)' names no field") }
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
    /// The record that assignments make.
    ///
    /// - Throws: ``CommandFailure`` for an unknown field, one that is set twice, and a text that is no value of it.
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

/// Makes values of an object's fields out of texts, by what the org tells of the object.
struct RecordForm {
    /// Where a value goes.
    enum Column {
        case field(ObjectDescription.Field)
        /// A related record, named by a field of it: `Owner.Username`.
        case parent(relationship: String, field: String)

        /// The name as it is sent.
        var name: String {
            switch self {
            case .field(let field): field.name
            case .parent(let relationship, let field): "\(relationship).\(field)"
            }
        }
    }

    let object: ObjectDescription

    /// The column of a name, in any case.
    ///
    /// - Throws: ``CommandFailure`` that offers the nearest name.
    func column(_ name: String) throws(CommandFailure) -> Column {
        if let field = object[name] { return .field(field) }
        let path = name.split(byte: ".", omittingEmptySubsequences: false).map(String.init)
        if path.count == 2, let parent = object.parentField(named: path[0])?.relationshipName, !path[1].isEmpty {
            return .parent(relationship: parent, field: path[1])
        }
        throw CommandFailure("\(object.name) has no field '\(name)'", near: name, object.fields.map(\.name))
    }

    /// The value that a text stands for.
    ///
    /// - Throws: ``CommandFailure`` for a text that is no value of the field.
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
            // Every digit is kept: the text becomes the number as it is.
            guard let number = JSONValue(numberText: text) else {
                throw CommandFailure("\(field.name) takes a number such as 12.5, not '\(text)'")
            }
            return number
        default: return JSONValue(text)
        }
    }

    /// Sets a value of a record.
    ///
    /// - Throws: ``CommandFailure`` for one that is set already.
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

/// A number of things, in words.
func counted(_ count: Int, _ noun: String = "record") -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
