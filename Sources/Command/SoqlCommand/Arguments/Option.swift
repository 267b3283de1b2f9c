// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// An option or an operand, as used by the command line, help, shell completion, the manual and tools of language
/// models.
struct Option: Sendable {
    /// The type of an option's value, which determines completion.
    enum Value: Sendable {
        case text(String)
        /// A string in which `@FILE`, at the start or after the first `=`, is replaced by the content of the file.
        case textOrFile(String)
        case number(ClosedRange<Int>)
        case choice(String, [String])
        /// A file to read.
        case input
        /// A file to write.
        case output
        /// A directory to write.
        case folder
        /// The name of a login.
        case account
        case version
        /// The API name of an object.
        case object
        /// API names, separated by commas or spaces.
        case names(String)
        case channels
        case words(String)
        /// Fields of a record and their values.
        case fields

        /// The placeholder for the value in help.
        var placeholder: String {
            switch self {
            case .text(let word), .textOrFile(let word), .choice(let word, _), .names(let word), .words(let word): word
            case .number, .version: "N"
            case .input, .output: "FILE"
            case .folder: "DIR"
            case .account: "NAME"
            case .object: "OBJECT"
            case .channels: "CHANNEL…"
            case .fields: "FIELD=VALUE…"
            }
        }
    }

    /// The name with its dashes, such as `--limit`, or the name of an operand without dashes.
    let name: String
    /// The short form with its dash, such as `-f`.
    let short: String?
    /// The type of the value, or `nil` for a switch.
    let value: Value?
    /// The help text, in the imperative, in lower case and without a full stop.
    let help: String
    /// The error message if the value is missing, or `nil` if it is optional.
    var missing: String?
    private(set) var key: String

    init(
        _ name: String, short: String? = nil, _ value: Value?, _ help: String, missing: String? = nil,
        key: String? = nil
    ) {
        (self.name, self.short, self.value, self.help) = (name, short, value, help)
        (self.missing, self.key) = (missing, key ?? name)
    }

    init(_ name: String, short: String? = nil, _ help: String, key: String? = nil) {
        self.init(name, short: short, nil, help, key: key)
    }

    /// Returns a copy of an operand for one operation.
    func asking(_ missing: String?) -> Option { Option(name, value, help, missing: missing) }

    /// The form in help, such as `-f, --file FILE`.
    var form: String {
        let names = [short, name].compactMap(\.self).joined(separator: ", ")
        return value.map { "\(names) \($0.placeholder)" } ?? names
    }

    /// Rejects an invalid value.
    func check(_ text: String) throws(UsageError) {
        switch value {
        case .number(let range):
            // bounded: by the range
            guard let number = Int(text), range.contains(number) else {
                let end = range.upperBound == .max ? "on" : "to \(range.upperBound)"
                throw UsageError("\(name) takes a number from \(range.lowerBound) \(end), not '\(text)'")
            }
        case .choice(_, let choices):
            guard choices.contains(text) else {
                throw UsageError("\(name) takes \(choices.joined(separator: ", ")), not '\(text)'", near: text, choices)
            }
        case .version:
            guard APIVersion(text) != nil else {
                throw UsageError("\(name) takes a version such as 66.0, not '\(text)'")
            }
        default: break
        }
    }
}

// MARK: - JSON

extension Option {
    /// The strings that represent a JSON value, except for the JSON of a record, which is not supported.
    func texts(of json: JSONValue) throws(UsageError) -> [String] {
        switch value {
        case nil:
            guard let isOn = json.bool else { throw UsageError("'\(key)' must be true or false") }
            return isOn ? [""] : []
        case .number(let range):
            // bounded: by the range
            guard let number = json.int, range.contains(number) else {
                throw UsageError("'\(key)' must be a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return ["\(number)"]
        case .names:
            let names = json.array?.compactMap(\.string) ?? []
            guard names.count == json.array?.count, names.allSatisfy(\.isAPIName) else {
                throw UsageError("'\(key)' must be a list of API names")
            }
            return names
        case .channels:
            let names = json.array?.compactMap(\.string) ?? []
            guard names.count == json.array?.count, missing == nil || !names.isEmpty else {
                throw UsageError("'\(key)' must be a list of channels, such as /event/Order__e")
            }
            return names
        default:
            guard let text = json.string, missing == nil || !text.isEmpty else {
                throw UsageError("'\(key)' must be a string")
            }
            // The name becomes a part of a path.
            if case .object = value, !text.isAPIName {
                throw UsageError("'\(text.prefix(100))' is not the API name of an object")
            }
            return [text]
        }
    }

    var schema: JSONValue {
        var members: [(key: String, value: JSONValue)] =
            switch value {
            case nil: [("type", "boolean")]
            case .number(let range):
                [
                    ("type", "integer"), ("minimum", JSONValue(range.lowerBound)),
                    ("maximum", JSONValue(range.upperBound)),
                ]
            case .names, .channels: [("type", "array"), ("items", ["type": "string"])]
            case .fields: [("type", "object")]
            default: [("type", "string")]
            }
        members.append(("description", JSONValue(help.sentenceStart)))
        return JSONValue(JSONObject(members: members))
    }
}

extension String {
    /// Whether the string can be the API name of an object or field.
    fileprivate var isAPIName: Bool {
        let letters = utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        return !isEmpty && utf8.count <= 255 && letters
    }

    /// The string with a capital first letter.
    var sentenceStart: String { prefix(1).uppercased() + dropFirst() }
}
