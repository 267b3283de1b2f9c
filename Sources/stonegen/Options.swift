// SPDX-License-Identifier: Apache-2.0

import StoneSwift

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

        Faults of the specs are printed to the error output, all of them, and the status is 1.
        """

    /// Files and folders, as they were given.
    var paths: [String] = []
    var checksSpec = false
    var isHelp = false
    /// Where Swift sources go; `nil` when none are wanted.
    var output: String?
    var module: String?
    var namespaces: Set<String>?
    /// A file with names of routes.
    var routes: String?
    var docs = SwiftOptions.Docs.full
    /// Whether a table of all types goes along.
    var hasTypeTable = false
    /// Whether the sources are compared, not written.
    var checksOutput = false

    init(_ arguments: [String]) throws(CommandFault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--check-spec": checksSpec = true
            case "--check": checksOutput = true
            case "--type-table": hasTypeTable = true
            case "--spec": paths.append(try Self.value(of: argument, &rest))
            case "--output": output = try Self.value(of: argument, &rest)
            case "--module": module = try Self.value(of: argument, &rest)
            case "--namespaces":
                namespaces = Set(try Self.value(of: argument, &rest).split(separator: ",").map(String.init))
            case "--routes": routes = try Self.value(of: argument, &rest)
            case "--docs":
                guard let docs = SwiftOptions.Docs(rawValue: try Self.value(of: argument, &rest)) else {
                    throw CommandFault("--docs is none or full.")
                }
                self.docs = docs
            default:
                if argument.hasPrefix("-") {
                    throw CommandFault("There is no option \(argument); see stonegen --help.")
                }
                paths.append(argument)
            }
        }
        if paths.isEmpty, !isHelp { throw CommandFault(Self.usage) }
        if output != nil, module == nil { throw CommandFault("--output needs --module.") }
    }

    private static func value(
        of argument: String, _ rest: inout ArraySlice<String>
    ) throws(CommandFault) -> String {
        guard let value = rest.popFirst() else { throw CommandFault("\(argument) needs a value.") }
        return value
    }
}
