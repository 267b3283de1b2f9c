// SPDX-License-Identifier: Apache-2.0

import RestText

/// The arguments of the command, sorted by what they are.
struct Arguments {
    /// Arguments that belong to no option, and the values of `--spec`.
    private(set) var paths: [String] = []
    private var values: [String: String] = [:]
    private var flags: Set<String> = []

    private static let flagNames: Set = ["--check-spec", "--check", "--type-table", "--help"]

    init(_ arguments: [String], known: [String]) throws(CommandFault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let name = argument == "-h" ? "--help" : argument
            if Self.flagNames.contains(name) {
                flags.insert(name)
            } else if known.contains(name) {
                let value = try Self.value(of: name, &rest, known)
                if name == "--spec" {
                    paths.append(value)
                } else if values.updateValue(value, forKey: name) != nil {
                    throw CommandFault("\(name) is given twice; keep one of them.")
                }
            } else if name.hasBytes(prefix: "-") {
                throw Self.unknown(name, known)
            } else {
                guard !name.isEmpty else { throw CommandFault("An argument is empty; leave it out.") }
                paths.append(name)
            }
        }
    }

    func has(_ name: String) -> Bool { flags.contains(name) || values[name] != nil }

    func value(of name: String) -> String? { values[name] }

    private static func value(
        of name: String, _ rest: inout ArraySlice<String>, _ known: [String]
    ) throws(CommandFault) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw CommandFault("\(name) needs a value.") }
        // A folder of such a name can be given as ./--check.
        if known.contains(value) { throw CommandFault("\(name) needs a value, but behind it is the option \(value).") }
        return value
    }

    private static func unknown(_ argument: String, _ known: [String]) -> CommandFault {
        let parts = argument.split(byte: "=", maxSplits: 1).map(String.init)
        if parts.count == 2, known.contains(parts[0]) {
            return CommandFault("Put a blank between an option and its value: \(parts[0]) \(parts[1])")
        }
        let question = NearNames(known).question(parts.first ?? argument, most: 1)
        return CommandFault("There is no option '\(argument)'; \(question) See stonegen --help.")
    }
}
