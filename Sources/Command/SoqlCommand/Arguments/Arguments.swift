// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The arguments of a verb, a session command or a tool: options with checked values, and other words.
struct Arguments: Sendable {
    /// The words that are not options.
    private(set) var words: [String] = []
    private(set) var record: JSONObject?
    private var values: [String: [String]] = [:]
    private let options: [Option]

    init() { options = [] }

    /// Parses the words after a verb, and checks options, values, the number of words, and conflicts between files.
    init(_ line: [String], for verb: Verb) throws(UsageError) {
        options = verb.options
        var reader = WordReader(line)
        while let item = try reader.next() {
            switch item {
            case .word(let word): words.append(word)
            case .option(let name):
                guard let option = verb.option(name) else {
                    throw UsageError("unknown option \(name)", near: name, options.map(\.name))
                }
                var value = ""
                if option.value != nil { value = try reader.value(of: option.name) }
                try option.check(value)
                values[option.name, default: []].append(value)
            }
        }
        try checkFiles()
        let orgs = (Option.orgs + [.local]).filter(has)
        guard orgs.count <= 1 else {
            throw UsageError("\(orgs.map(\.name).joined(separator: " and ")) cannot be combined; give one of them")
        }
        if let operation = verb.operation { try take(operation.operands) }
    }

    /// Assigns the words to operands in order.
    private mutating func take(_ operands: [Option]) throws(UsageError) {
        var rest = words[...]
        for operand in operands {
            let taken: [String]
            switch operand.value {
            case .words: (taken, rest) = ([QueryText.trimmed(rest.joined(separator: " "))], [])
            case .names, .channels, .fields: (taken, rest) = (Array(rest), [])
            default: (taken, rest) = (Array(rest.prefix(1)), rest.dropFirst())
            }
            let isEmpty =
                switch operand.value {
                case .object, .words: taken.first?.isEmpty != false
                default: taken.isEmpty
                }
            if let missing = operand.missing, isEmpty { throw UsageError(missing) }
            if case .fields = operand.value { _ = try FieldAssignment.all(taken) }
            if !taken.isEmpty { values[operand.name] = taken }
        }
        guard let word = rest.first else { return }
        throw UsageError(operands.last?.missing ?? "unexpected argument '\(word)'")
    }

    /// Reads the members of a JSON object for a tool, where null means that the value is missing.
    init(_ json: JSONObject, for operation: Operation) throws(UsageError) {
        options = operation.parameters
        let known = options.map(\.key)
        for key in json.keys where !known.contains(key) {
            throw UsageError("'\(operation.name)' has no argument '\(key.prefix(100))'", near: key, known)
        }
        for option in options {
            guard let value = json[option.key], !value.isNull else {
                guard option.missing == nil else {
                    throw UsageError("'\(operation.name)' needs the argument '\(option.key)'")
                }
                continue
            }
            if case .fields = option.value {
                guard let fields = value.object, !fields.isEmpty else {
                    throw UsageError("'\(option.key)' must be an object of field names and values")
                }
                record = fields
            } else {
                let texts = try option.texts(of: value)
                if !texts.isEmpty { values[option.name] = texts }
            }
        }
    }

    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value of an option, or its last value if it was repeated.
    subscript(_ option: Option) -> String? {
        get { values[option.name]?.last }
        set { values[option.name] = newValue.map { [$0] } }
    }

    /// The value of an operand, or an empty string if it was not given.
    func text(_ option: Option) -> String { self[option] ?? "" }

    func names(_ option: Option) -> [String] {
        all(option).flatMap { $0.split(byte: ",").flatMap(\.words).map(String.init) }
    }

    /// All values of an option that can be repeated.
    func all(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// The numeric value of an option, which its table has checked.
    func number(_ option: Option) -> Int? {
        self[option].flatMap { Int($0) }  // bounded: by the option's table
    }

    /// The value of a choice as a case of an enum.
    func choice<Choice: RawRepresentable<String>>(_ option: Option) -> Choice? {
        self[option].flatMap(Choice.init(rawValue:))
    }

    /// Rejects surplus words.
    func checkNumberOfWords(atMost count: Int) throws(UsageError) {
        if words.count > count { throw UsageError("unexpected argument '\(words[count])'") }
    }
}

extension Arguments {
    /// Rejects an output file that is also an input file or another output file, so that no command overwrites its
    /// input.
    ///
    /// Checks the files of all options, the given files, and standard input, output and error.
    func checkFiles(inputs: [String] = [], outputs: [String] = []) throws(UsageError) {
        let written = options.compactMap { $0.isOutput ? self[$0] : nil } + outputs
        guard !written.isEmpty else { return }
        let read = options.flatMap { option in all(option).compactMap { option.inputFile(of: $0) } } + inputs
        let found = FilePlace.collision(
            of: written, with: read,
            open: [
                (STDIN_FILENO, "standard input"), (STDOUT_FILENO, "standard output"), (STDERR_FILENO, "standard error"),
            ])
        guard let (output, other) = found else { return }
        let reason = output == other ? "is used twice" : "is the same file as \(other)"
        throw UsageError("\(output) \(reason); choose another file for the output")
    }
}

extension Option {
    var isOutput: Bool {
        switch value {
        case .output, .folder: true
        default: false
        }
    }

    /// The file to read for a value of the option, or `nil` if there is none.
    fileprivate func inputFile(of text: String) -> String? {
        switch value {
        case .input: return text == "-" ? nil : text
        case .textOrFile:
            let start = text.hasBytes(prefix: "@") ? text[...] : text.cut(byte: "=")?.after ?? ""
            return start.removing(prefix: "@").map(String.init)
        default: return nil
        }
    }
}

/// Reads options (`--name value`, `--name=value`, `-n value`) and plain words from a command line.
struct WordReader {
    enum Item {
        case option(String)
        case word(String)
    }

    private var words: ArraySlice<String>
    private var attachedValue: (option: String, value: String)?
    private var optionsAreOver = false

    init(_ words: [String]) { self.words = words[...] }

    /// The next option or word, or `nil` at the end.
    mutating func next() throws(UsageError) -> Item? {
        if let attachedValue { throw UsageError("\(attachedValue.option) takes no value") }
        guard let word = words.popFirst() else { return nil }
        if !optionsAreOver, word == "--" {
            optionsAreOver = true
            return try next()
        }
        guard !optionsAreOver, word.hasBytes(prefix: "-"), word != "-" else { return .word(word) }
        guard word.hasBytes(prefix: "--"), let (name, value) = word.cut(byte: "=") else { return .option(word) }
        attachedValue = (String(name), String(value))
        return .option(String(name))
    }

    mutating func value(of option: String) throws(UsageError) -> String {
        if let attached = attachedValue {
            attachedValue = nil
            return attached.value
        }
        guard let value = words.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }
}
