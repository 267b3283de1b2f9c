// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Creates the records of a file of trees, or of a plan of such files.
struct TreeImportCommand: Command {
    private let plan: RecordTree.Plan
    private let isDryRun: Bool
    private let arguments: Arguments
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws {
        guard arguments.words.count == 1 else { throw UsageError("give one file") }
        let path = arguments.words[0]
        let text = try StandardInput.read(file: path, most: RecordTree.File.maximumSize)
        try arguments.checkFiles(inputs: [path] + RecordTree.Plan.files(in: text, at: path))
        if text.unicodeScalars.first(where: { !$0.properties.isWhitespace }) == "[" {
            plan = try RecordTree.Plan(contentsOf: path)
        } else {
            let file = try RecordTree.File(parsing: Array(text.utf8), named: path)
            plan = RecordTree.Plan([.init("", resolvesReferences: false, files: [file])])
        }
        isDryRun = arguments.has(.dryRun)
        (self.arguments, connection) = (arguments, try ConnectionOptions(arguments))
    }

    func run() async throws {
        let calls = try plan.calls
        guard !calls.isEmpty else { return arguments.note("There are no records; nothing was sent.") }
        try await Connection.work(connection) { client in
            guard !isDryRun else {
                for call in calls { try DryRun.print(.createTree(call.records), of: client) }
                return DryRun.end()
            }
            try await report(try await client.importTrees(plan))
        }
    }

    private func report(_ done: RecordTree.Import) async throws {
        // References end in numbers: AccountRef2 comes before AccountRef10.
        let ids = done.ids.sorted { ($0.key.utf8.count, $0.key) < ($1.key.utf8.count, $1.key) }
        let rows = ids.map { ["reference": JSONValue($0.key), "id": JSONValue($0.value)] as JSONObject }
        try await RecordList.print(rows, columns: ["reference", "id"], OutputOptions(arguments))
        guard let failure = done.failure else { return arguments.note("\(records(rows.count)) created") }
        failure.noteOutcome()
        guard !rows.isEmpty else { throw failure }
        for fault in failure.faults {
            let place = fault.reference.map { "\($0): " } ?? ""
            StandardOutput.note("soql: \(place)\(fault.errorCode): \(fault.message)".singleLine)
        }
        throw CommandFailure(
            "\(records(rows.count)) created before a call failed: \(failure.message)", status: .partial)
    }
}
