// SPDX-License-Identifier: Apache-2.0

/// What the command is asked for.
struct Options {
    static let usage = """
        Usage: stonegen --check-spec (--spec FOLDER | FILE)...

          --spec FOLDER   reads all files of the folder whose names end in .stone
          --check-spec    prints how many definitions of each kind the specs have
          --help          prints this

        Faults of the specs are printed to the error output, all of them, and the status is 1.
        """

    /// Files and folders, as they were given.
    var paths: [String] = []
    var checksSpec = false
    var isHelp = false

    init(_ arguments: [String]) throws(CommandFault) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": isHelp = true
            case "--check-spec": checksSpec = true
            case "--spec":
                guard let folder = rest.popFirst() else { throw CommandFault("--spec needs a folder or a file.") }
                paths.append(folder)
            default:
                if argument.hasPrefix("-") {
                    throw CommandFault("There is no option \(argument); see stonegen --help.")
                }
                paths.append(argument)
            }
        }
        if paths.isEmpty, !isHelp { throw CommandFault(Self.usage) }
    }
}
