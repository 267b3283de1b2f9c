// SPDX-License-Identifier: Apache-2.0

/// What follows a verb on the command line: options of the verb with values that fit, and other words.
struct Arguments: Sendable {
    /// The words that are no options.
    private(set) var words: [String] = []
    private var values: [String: [String]] = [:]

    /// Reads the words behind a verb.
    ///
    /// - Throws: ``UsageError`` for an option that the verb lacks, and for a value that does not fit.
    init(_ line: [String], for verb: Verb) throws(UsageError) {
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
