// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// What follows a verb on the command line: options of the verb with values that fit, and other words.
struct Arguments: Sendable {
    /// The words that are no options.
    private(set) var words: [String] = []
    private var values: [String: [String]] = [:]
    private let verb: Verb

    /// Reads the words behind a verb.
    ///
    /// - Throws: ``UsageError`` for an option that the verb lacks, for a value that does not fit, and for an output
    ///   file that is also an input file.
    init(_ line: [String], for verb: Verb) throws(UsageError) {
        self.verb = verb
        var reader = WordReader(line)
        while let item = try reader.next() {
            switch item {
            case .word(let word): words.append(word)
            case .option(let name):
                guard let option = verb.option(name) else {
                    throw UsageError("unknown option \(name)", near: name, verb.options.map(\.name))
                }
                var value = ""
                if option.value != nil { value = try reader.value(of: option.name) }
                try option.check(value)
                values[option.name, default: []].append(value)
            }
        }
        try checkFiles()
    }

    /// Whether an option was given.
    func has(_ option: Option) -> Bool { values[option.name] != nil }

    /// The value of an option; the last one counts.
    subscript(_ option: Option) -> String? { values[option.name]?.last }

    /// All values of an option that may be repeated.
    func all(_ option: Option) -> [String] { values[option.name] ?? [] }

    /// The number that an option was given, which its table has checked.
    func number(_ option: Option) -> Int? {
        self[option].flatMap { Int($0) }  // bounded: by the option's table
    }

    /// Refuses words that are left over.
    func checkNumberOfWords(atMost count: Int) throws(UsageError) {
        if words.count > count { throw UsageError("unexpected argument '\(words[count])'") }
    }
}

extension Arguments {
    /// Rejects an output file that is also an input file or another output file, so that no command replaces what it
    /// reads.
    ///
    /// The files of all options are checked, and standard input, output and error.
    ///
    /// - Parameters:
    ///   - inputs: further files that the command reads.
    ///   - outputs: further files that the command writes.
    /// - Throws: ``UsageError``.
    func checkFiles(inputs: [String] = [], outputs: [String] = []) throws(UsageError) {
        let written = verb.options.compactMap { $0.isOutput ? self[$0] : nil } + outputs
        guard !written.isEmpty else { return }
        let read = verb.options.flatMap { option in all(option).compactMap { option.inputFile(of: $0) } } + inputs
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
    /// Whether the value names a file or a directory that is written.
    var isOutput: Bool {
        switch value {
        case .output, .folder: true
        default: false
        }
    }

    /// The file that is read for a value of the option; `nil` if there is none.
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
    /// One thing on the command line.
    enum Item {
        case option(String)
        case word(String)
    }

    private var words: ArraySlice<String>
    private var attachedValue: (option: String, value: String)?
    private var optionsAreOver = false

    init(_ words: [String]) {
        self.words = words[...]
    }

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

    /// The value of the option just read.
    mutating func value(of option: String) throws(UsageError) -> String {
        if let attached = attachedValue {
            attachedValue = nil
            return attached.value
        }
        guard let value = words.popFirst() else { throw UsageError("\(option) needs a value") }
        return value
    }
}
