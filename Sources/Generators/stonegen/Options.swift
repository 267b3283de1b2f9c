// SPDX-License-Identifier: Apache-2.0

import RestBase
import StoneCompiler

/// What the command is asked for.
struct Options {
    static let usage = """
        Usage: stonegen --check-spec (--spec FOLDER | FILE)...
               stonegen --output FOLDER --module NAME [OPTION...] (--spec FOLDER | FILE)...

          --spec FOLDER      reads all files of the folder whose names end in .stone
          --check-spec       prints how many definitions of each kind the specs have
          --output FOLDER    writes Swift sources into the folder, and removes others of its own there
          --module NAME      the name of the module that they make
          --namespaces A,B   writes these namespaces, with the types that they refer to; else all
          --routes FILE      writes the routes whose names the file lists (files/list_folder), one in a line
          --docs none|full   no text of the specs, or all of it, which is the default
          --type-table       writes a table of all types by their names as well, for tests of all of them
          --check            writes nothing; the status is 1 if what is in the folder is not what the specs give
          --help             prints this

        Faults are printed to the error output, those of the specs all together. The status is 0 if all went well, 1 if
        the specs have faults or --check finds a difference, and 2 if the call cannot be carried out.
        """

    private static let names = [
        "--spec", "--check-spec", "--output", "--module", "--namespaces", "--routes", "--docs", "--type-table",
        "--check",
        "--help",
    ]

    /// Files and folders, as they were given.
    let paths: [String]
    let checksSpec: Bool
    let isHelp: Bool
    /// Whether the sources are compared, not written.
    let checksOutput: Bool
    let namespaces: [String]?
    /// A file with names of routes.
    let routes: String?
    /// Whether a table of all types goes along.
    let hasTypeTable: Bool
    private(set) var docs = SwiftOptions.Docs.full
    /// Where Swift sources go, and the name of their module; `nil` when none are wanted.
    private(set) var output: (folder: String, module: String)?

    init(_ arguments: [String]) throws(CommandFault) {
        let given = try Arguments(arguments, known: Self.names)
        isHelp = given.has("--help")
        checksSpec = given.has("--check-spec")
        checksOutput = given.has("--check")
        hasTypeTable = given.has("--type-table")
        paths = given.paths
        routes = given.value(of: "--routes")
        namespaces = try Self.namespaces(given)
        if let docs = given.value(of: "--docs") {
            guard let docs = SwiftOptions.Docs(rawValue: docs) else { throw CommandFault("--docs is none or full.") }
            self.docs = docs
        }
        if isHelp { return }
        if arguments.isEmpty { throw CommandFault(Self.usage) }
        if paths.isEmpty { throw CommandFault("No specs are given; add --spec FOLDER.") }
        output = try Self.output(given)
        if output == nil, !checksSpec {
            throw CommandFault("Add --output FOLDER to write Swift sources, or --check-spec to check the specs alone.")
        }
    }

    private static func output(_ given: Arguments) throws(CommandFault) -> (folder: String, module: String)? {
        guard let folder = given.value(of: "--output") else {
            let names = ["--module", "--namespaces", "--routes", "--docs", "--type-table", "--check"]
            if let useless = names.first(where: given.has) { throw CommandFault("\(useless) needs --output.") }
            return nil
        }
        guard let module = given.value(of: "--module") else { throw CommandFault("--output needs --module.") }
        guard isName(module) else {
            throw CommandFault("'\(module)' cannot be the name of a module; use letters, digits and underscores.")
        }
        return (folder, module)
    }

    private static func isName(_ text: String) -> Bool {
        let isFree = text.unicodeScalars.allSatisfy { $0.isASCII && ($0 == "_" || $0.properties.isXIDContinue) }
        return isFree && text.unicodeScalars.first?.properties.numericType == nil
    }

    private static func namespaces(_ given: Arguments) throws(CommandFault) -> [String]? {
        guard let text = given.value(of: "--namespaces") else { return nil }
        let names = text.split(byte: ",").flatMap(\.words).map(String.init)
        guard !names.isEmpty else { throw CommandFault("--namespaces needs names with commas between them.") }
        return names
    }
}

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
