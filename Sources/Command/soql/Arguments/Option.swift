// SPDX-License-Identifier: Apache-2.0

/// An option as the command line, the help, the completion scripts and the manual know it.
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
        /// The API name of an object.
        case object

        /// The word that stands for the value in help.
        var placeholder: String {
            switch self {
            case .text(let word), .textOrFile(let word), .choice(let word, _): word
            case .number: "N"
            case .input, .output: "FILE"
            case .folder: "DIR"
            case .account: "NAME"
            case .object: "OBJECT"
            }
        }
    }

    /// With its dashes: `--limit`.
    let name: String
    /// The short form with its dash: `-f`.
    let short: String?
    /// `nil` for a switch.
    let value: Value?
    /// What it does, in lower case and without a full stop.
    let help: String

    init(_ name: String, short: String? = nil, _ value: Value, _ help: String) {
        (self.name, self.short, self.value, self.help) = (name, short, value, help)
    }

    /// A switch.
    init(_ name: String, short: String? = nil, _ help: String) {
        (self.name, self.short, self.value, self.help) = (name, short, nil, help)
    }

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
        default: break
        }
    }
}
