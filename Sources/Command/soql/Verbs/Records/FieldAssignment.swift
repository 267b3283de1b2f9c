// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

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
