// SPDX-License-Identifier: Apache-2.0

import RestJSON
import StoneRuntime

/// The results of generated types for the values of Oracle/make_values.py, to be checked by Oracle/check_values.py.
///
/// The package that `.ci/stone` creates for the types of a whole spec also compiles this file.
struct ValueResponses {
    private let types: [String: any StoneType.Type]

    init(_ types: [(name: String, type: any StoneType.Type)]) {
        self.types = Dictionary(types.map { ($0.name, $0.type) }) { first, _ in first }
    }

    /// Returns the result for a line of the work list, on one line: the value as written again, or the error.
    func line(_ work: some StringProtocol) throws -> String {
        let work = try JSONValue(parsing: Array(work.utf8))
        guard let type = work["type"]?.string, let text = work["text"]?.string else { return "\(work) is no work" }
        return "\(respond(to: Array(text.utf8), as: type))"
    }

    /// Returns the result of decoding a text as a named type: `text` and `rule`, or `path` and `reason`.
    func respond(to text: [UInt8], as name: String) -> JSONValue {
        guard let type = types[name] else { return ["reason": JSONValue("there is no type \(name)")] }
        return respond(type, text)
    }

    private func respond<T: StoneType>(_ type: T.Type, _ text: [UInt8]) -> JSONValue {
        do throws(JSONDecodingError) {
            return written(try T(json: text))
        } catch {
            let path = error.codingPath.map { $0.intValue.map { JSONValue($0) } ?? JSONValue($0.stringValue) }
            return ["path": JSONValue(JSONArray(path)), "reason": JSONValue(error.message)]
        }
    }

    /// Returns the JSON of a value, which must decode to the same value, and the rule that it breaks.
    private func written<T: StoneType>(_ value: T) -> JSONValue {
        do {
            let text = try value.json()
            let again = try T(json: text)
            guard again == value, again.hashValue == value.hashValue else { return ["reason": "it changes"] }
            return ["text": JSONValue(String(decoding: text, as: UTF8.self)), "rule": rule(value)]
        } catch {
            return ["reason": JSONValue("it is not read again: \(error)")]
        }
    }

    /// Returns the path at which a value breaks a rule, `null` for none, or `false` for a type without rules.
    private func rule(_ value: some StoneType) -> JSONValue {
        guard let value = value as? any StoneValidated else { return false }
        do throws(ValidationFailure) {
            try value.validate()
            return .null
        } catch {
            return JSONValue(error.path)
        }
    }
}
