// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLCheck

/// What the command is asked for.
struct Options {
    static let usage = """
        Usage: soqlgen --schema FILE... --module NAME --output FOLDER [--options FILE] [--check] QUERY.soql...

          --schema FILE    the objects that the queries are about, as 'soql schema pull' saves them, or a folder of such
                           files; may be repeated
          --module NAME    the name of the module that the sources become a part of
          --output FOLDER  writes Queries.swift and QueryObjects.swift into the folder
          --options FILE   JSON: "access" is internal, package or public; "models" is true, false, or the name of the
                           module that has the types of the objects
          --model FILE     a source that 'soql models' wrote for the module; the types in it are not written again; may be
                           repeated
          --check          writes nothing; the status is 1 if what is in the folder is not what the queries give
          --help           prints this

        Each file has one query, which becomes a function of RestClient. Faults are printed to the error output as
        compilers print them. The status is 0 if all went well, 1 if a query, the schema or the options have faults or
        --check finds a difference, and 2 if the call cannot be carried out.
        """

    private(set) var queries: [String] = []
    private(set) var schemas: [String] = [], models: [String] = []
    private(set) var module = "", output = ""
    private(set) var options: String?
    private(set) var checksOutput = false, isHelp = false

    init(_ arguments: [String]) throws(CommandFault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--check": checksOutput = true
            case "--schema": schemas.append(try Self.value(of: argument, &rest))
            case "--model": models.append(try Self.value(of: argument, &rest))
            case "--module": module = try Self.value(of: argument, &rest)
            case "--output": output = try Self.value(of: argument, &rest)
            case "--options": options = try Self.value(of: argument, &rest)
            case _ where argument.hasBytes(prefix: "-"): throw Self.unknown(argument)
            default: queries.append(argument)
            }
        }
        if isHelp { return }
        if arguments.isEmpty { throw CommandFault(Self.usage) }
        if schemas.isEmpty { throw CommandFault("Add --schema FILE; 'soql schema pull -o FILE' makes one.") }
        if output.isEmpty { throw CommandFault("Add --output FOLDER.") }
        if queries.isEmpty { throw CommandFault("Add the files of the queries.") }
        try checkModule()
    }

    private func checkModule() throws(CommandFault) {
        let isFree = module.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
        guard isFree, module.unicodeScalars.first?.properties.numericType == nil, !module.isEmpty else {
            throw CommandFault("--module needs the name of a module: letters, digits and underscores.")
        }
    }

    private static func value(of name: String, _ rest: inout ArraySlice<String>) throws(CommandFault) -> String {
        guard let value = rest.popFirst(), !value.isEmpty else { throw CommandFault("\(name) needs a value.") }
        return value
    }

    private static func unknown(_ argument: String) -> CommandFault {
        let known = ["--schema", "--model", "--module", "--output", "--options", "--check", "--help"]
        let near = argument.nearest(in: known).map { " did you mean \($0)?" } ?? ""
        return CommandFault("There is no option '\(argument)';\(near) See soqlgen --help.")
    }
}

/// Why the command ends without doing what it was asked.
struct CommandFault: Error {
    let message: String
    /// 1 for faults of what was read, 2 if the call cannot be carried out.
    let status: Int32

    init(_ message: String, status: Int32 = 2) {
        (self.message, self.status) = (message, status)
    }
}
