// SPDX-License-Identifier: Apache-2.0

import RestBulk

/// Writes the records of a file by jobs of the org.
struct ImportCommand: Command {
    private let object: String
    private let file: String
    private let operation: BulkOperation
    private let arguments: Arguments
    private let start: BulkStart
    private let confirmation: Confirmation
    private let connection: ConnectionOptions

    private var journal: String { "\(file).load" }

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words.count == 2 else { throw UsageError("give an object and a CSV file") }
        (object, file, self.arguments) = (arguments.words[0], arguments.words[1], arguments)
        operation = try Self.operation(arguments)
        start = try BulkStart(arguments)
        confirmation = try Confirmation(arguments, isDestructive: operation != .insert)
        connection = try ConnectionOptions(arguments)
        try arguments.checkFiles(inputs: [file], outputs: [journal] + ImportResults.paths(of: file))
    }

    private static func operation(_ arguments: Arguments) throws(UsageError) -> BulkOperation {
        let field = arguments[.externalID]
        let name = arguments[.operation] ?? "insert"
        guard (name == "upsert") == (field != nil) else {
            throw UsageError("--external-id FIELD and --operation upsert belong together")
        }
        switch name {
        case "update": return .update
        case "delete": return .delete
        case "hardDelete": return .hardDelete
        default: return field.map { .upsert(externalID: $0) } ?? .insert
        }
    }

    func run() async throws {
        try await Connection.work(connection, on: object) { try await load(by: $0) }
    }

    private func load(by client: RestClient) async throws {
        let load = client.bulk.ingest(
            operation, into: object, from: .csv(path: file, delimiter: arguments.delimiter), journal: journal,
            options: BulkLoad.Options(patience: .user))
        guard let preview = try await load.preview() else { throw CommandFailure("\(file) is empty") }
        let plan = ImportPlan(preview: preview, object: object, file: file)
        try await plan.check(against: client)
        guard !arguments.has(.dryRun) else { return try plan.print(for: client) }
        guard plan.rows > 0 else { return arguments.note("\(file) has no rows; nothing was sent.") }
        try start.check(journal) { try load.remove() }
        try await confirmation.ask("\(operation.word) \(records(plan.rows)) of \(object)", of: client)
        let progress = Progress("Importing", of: "rows", total: plan.rows, isQuiet: arguments.has(.quiet))
        defer { progress.end() }
        let summary = try await run(load, progress)
        progress.changeTitle("Reading results of")
        var results = ImportResults(file, isQuiet: arguments.has(.quiet))
        for try await result in load.results { try results.add(result) }
        progress.end()
        try results.finish(rows: summary.rows)
        try load.remove()
        try results.judge()
    }

    /// Runs the load; where it ends early with jobs at the org, the user is told how it goes on.
    private func run(_ load: BulkLoad, _ progress: Progress) async throws -> BulkLoad.Summary {
        do throws(BulkError) {
            return try await load.run { progress.advance(to: $0.rowsProcessed, bytes: Int($0.bytes)) }
        } catch {
            progress.end()
            if let done = error.progress, done.jobs > 0 {
                StandardOutput.note("soql: jobs at the org go on; go on here with the same command and --resume")
            }
            throw error
        }
    }
}
