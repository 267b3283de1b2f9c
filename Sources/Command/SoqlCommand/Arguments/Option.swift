// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// An option or an operand, as the command line, the help, the completion scripts, the manual and the tools of language
/// models know it.
struct Option: Sendable {
    /// What the value of an option is; completion offers what fits.
    enum Value: Sendable {
        case text(String)
        /// A text, in which `@FILE`, at its start or after its first `=`, names a file to read.
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
        /// A version of the API.
        case version
        /// The API name of an object.
        case object
        /// API names, with commas or blanks between them.
        case names(String)
        /// A text of several words.
        case words(String)
        /// Fields of a record and their values.
        case fields

        /// The word that stands for the value in help.
        var placeholder: String {
            switch self {
            case .text(let word), .textOrFile(let word), .choice(let word, _), .names(let word), .words(let word): word
            case .number, .version: "N"
            case .input, .output: "FILE"
            case .folder: "DIR"
            case .account: "NAME"
            case .object: "OBJECT"
            case .fields: "FIELD=VALUE…"
            }
        }
    }

    /// With its dashes: `--limit`; an operand has none.
    let name: String
    /// The short form with its dash: `-f`.
    let short: String?
    /// `nil` for a switch.
    let value: Value?
    /// What it does, in lower case and without a full stop.
    let help: String
    /// What the user is asked for who leaves it out; `nil` for what can be left out.
    var missing: String?
    /// The name that it has in JSON.
    private(set) var key: String

    init(
        _ name: String, short: String? = nil, _ value: Value?, _ help: String, missing: String? = nil,
        key: String? = nil
    ) {
        (self.name, self.short, self.value, self.help) = (name, short, value, help)
        (self.missing, self.key) = (missing, key ?? name)
    }

    /// A switch.
    init(_ name: String, short: String? = nil, _ help: String, key: String? = nil) {
        self.init(name, short: short, nil, help, key: key)
    }

    /// Returns a copy of an operand for one operation.
    func asking(_ missing: String?) -> Option { Option(name, value, help, missing: missing) }

    /// How help shows it: `-f, --file FILE`.
    var form: String {
        let names = [short, name].compactMap(\.self).joined(separator: ", ")
        return value.map { "\(names) \($0.placeholder)" } ?? names
    }

    /// Refuses what cannot be the option's value.
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
    /// The texts that stand for a value of JSON.
    ///
    /// - Throws: ``UsageError`` for a value that does not fit; JSON of a record is not for this function.
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
        default:
            guard let text = json.string, missing == nil || !text.isEmpty else {
                throw UsageError("'\(key)' must be a text")
            }
            // The name becomes a part of a path.
            if case .object = value, !text.isAPIName {
                throw UsageError("'\(text.prefix(100))' is no object's API name")
            }
            return [text]
        }
    }

    /// The JSON schema of a value.
    var schema: JSONValue {
        var members: [(key: String, value: JSONValue)] =
            switch value {
            case nil: [("type", "boolean")]
            case .number(let range):
                [
                    ("type", "integer"), ("minimum", JSONValue(range.lowerBound)),
                    ("maximum", JSONValue(range.upperBound)),
                ]
            case .names: [("type", "array"), ("items", ["type": "string"])]
            case .fields: [("type", "object")]
            default: [("type", "string")]
            }
        members.append(("description", JSONValue(help.sentenceStart)))
        return JSONValue(JSONObject(members: members))
    }
}

extension String {
    /// Whether the text can be an object's or a field's API name.
    fileprivate var isAPIName: Bool {
        let letters = utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
        return !isEmpty && utf8.count <= 255 && letters
    }

    /// The text with a capital letter at its start.
    var sentenceStart: String { prefix(1).uppercased() + dropFirst() }
}
