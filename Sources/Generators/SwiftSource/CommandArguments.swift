// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The parsed arguments of a command that generates source files.
package struct CommandArguments {
    /// The names of options with their values, and positional arguments with an empty name.
    private var given: [(name: String, value: String)] = []
    private var flags: Set<String> = []

    /// Parses arguments.
    ///
    /// - Parameters:
    ///   - arguments: the arguments without the command's name.
    ///   - tool: the command's name.
    ///   - known: the options without a value, with one value, and with any number of values.
    /// - Throws: `CommandFault` for options that are unknown, incomplete or given twice.
    package init(
        _ arguments: [String], of tool: String, known: (flags: [String], single: [String], repeated: [String])
    ) throws(CommandFault) {
        let options = known.single + known.repeated
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            let name = argument == "-h" ? "--help" : argument
            if known.flags.contains(name) {
                flags.insert(name)
            } else if options.contains(name) {
                guard let value = rest.popFirst(), !value.isEmpty else { throw CommandFault("\(name) needs a value") }
                // A directory with such a name can be given as ./--check.
                guard !options.contains(value), !known.flags.contains(value) else {
                    throw CommandFault("\(name) needs a value, but is followed by the option \(value)")
                }
                if known.single.contains(name), has(name) {
                    throw CommandFault("\(name) is given twice; remove one")
                }
                given.append((name, value))
            } else if name.hasBytes(prefix: "-") {
                throw Self.unknown(name, options, known.flags, tool)
            } else {
                guard !name.isEmpty else { throw CommandFault("an argument is empty; remove it") }
                given.append(("", name))
            }
        }
    }

    private static func unknown(
        _ argument: String, _ options: [String], _ flags: [String], _ tool: String
    ) -> CommandFault {
        let parts = argument.split(byte: "=", maxSplits: 1).map(String.init)
        if parts.count == 2, options.contains(parts[0]) {
            return CommandFault("unsupported '='; separate option and value with a space: \(parts[0]) \(parts[1])")
        }
        let near = (parts.first ?? argument).nearest(in: options + flags)
        return CommandFault(
            "unknown option '\(argument)'; "
                + (near.map { "did you mean '\($0)'?" } ?? "run \(tool) --help for a list"))
    }

    package func has(_ name: String) -> Bool { flags.contains(name) || given.contains { $0.name == name } }

    package func value(of name: String) -> String? { values(of: [name]).first }

    /// Returns the values of options in order, or the positional arguments for the empty name.
    package func values(of names: [String]) -> [String] { given.filter { names.contains($0.name) }.map(\.value) }
}

package struct CommandFault: Error {
    package let message: String
    /// The exit status: 1 for errors in the input and for stale files, and 2 for usage errors and failed operations.
    package let status: Int32

    package init(_ message: String, status: Int32 = 2) {
        (self.message, self.status) = (message, status)
    }

    package init(_ fault: SourceFault) { self.init(fault.message, status: fault.isStale ? 1 : 2) }

    /// Runs a command with the arguments of this process, and exits with the status of its error.
    package static func report(_ run: ([String]) throws(CommandFault) -> Void) {
        do throws(CommandFault) { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            warn(error.message)
            exit(error.status)
        }
    }

    /// Prints a line to standard error.
    package static func warn(_ message: String) {
        var rest = Array((message + "\n").utf8)[...]
        while !rest.isEmpty {
            let written = unsafe rest.withUnsafeBytes { bytes in
                unsafe write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }
}
