// SPDX-License-Identifier: Apache-2.0

import RestBase

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
