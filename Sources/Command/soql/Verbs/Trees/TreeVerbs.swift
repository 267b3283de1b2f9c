// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let treeExport = Verb(
        "tree export", operands: ["\"SELECT …\" [--output FILE]", "\"SELECT …\"… --plan --output FOLDER"],
        "writes records with their children to files for another org",
        notes: [
            """
            The files are those of 'sf data export tree'. Without --plan one query is written to one file, with \
            children inside of their parents. With --plan there is a file for each object, and records name others by \
            references: select the ids, and the fields that refer to others.
            """
        ],
        [.treeOutput, .plan, .treePrefix, .quiet] + Option.connection
    ) { try TreeExportCommand($0) }

    static let treeImport = Verb(
        "tree import", operands: ["FILE"], "creates the records of such a file, or of a plan",
        notes: [
            """
            Records are created in calls of 200, each all or none; the ids are printed by the references. When a call \
            fails those behind it are not sent, and the exit code is 4 if there were some before it.
            """
        ],
        [.dryRun, .format, .outputFile, .raw, .quiet] + Option.connection
    ) { try TreeImportCommand($0) }
}

extension Option {
    static let treeOutput = Option(
        "--output", short: "-o", .output, "the file; standard output by default; with --plan the folder")
    static let plan = Option("--plan", "a file for each object, and a plan of their order")
    static let treePrefix = Option("--prefix", .text("NAME"), "how the files of a plan begin: data by default")
}
