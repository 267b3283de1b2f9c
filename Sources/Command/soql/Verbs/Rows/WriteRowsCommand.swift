// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Writes a record for each row, in calls of as many as the platform takes.
struct WriteRowsCommand: Command {
    private let operation: RecordOperation
    private let object: String
    private let rows: InputRows
    private let arguments: Arguments
    private let confirmation: Confirmation
    private let connection: ConnectionOptions

    /// Reads the rows, while an interrupt still ends the process.
    ///
    /// Ids on the command line are rows, too.
    ///
    /// - Throws: ``UsageError``; ``CommandFailure`` for rows that cannot be read.
    init(_ operation: RecordOperation, _ object: String, _ arguments: Arguments, ids: [String] = []) throws {
        (self.operation, self.object, self.arguments) = (operation, object, arguments)
        if !ids.isEmpty, let option = [Option.rows, .rowFormat].first(where: { arguments.has($0) }) {
            throw UsageError("give ids or \(option.name), not both")
        }
        confirmation = try Confirmation(arguments, isDestructive: operation != .create)
        connection = try ConnectionOptions(arguments)
        rows = ids.isEmpty ? try Self.read(arguments) : InputRows(ids: ids)
    }

    private static func read(_ arguments: Arguments) throws -> InputRows {
        let format = arguments[.rowFormat].flatMap { RowFormat(rawValue: $0) }
        if let path = arguments[.rows], path != "-" {
            let text = try StandardInput.read(file: path, most: RowFormat.mostBytes)
            return try InputRows(text, format, named: path)
        }
        guard !StandardInput.isTerminal else {
            throw UsageError("give a record's fields, --file ROWS, or rows on a pipe")
        }
        return try InputRows(try StandardInput.read(most: RowFormat.mostBytes), format, named: "standard input")
    }

    func run() async throws {
        guard !rows.rows.isEmpty else { return arguments.note("There are no rows; nothing was sent.") }
        try await Connection.work(connection, on: object) { try await write(by: $0) }
    }

    private func write(by client: RestClient) async throws {
        let drafts = try await drafts(client)
        let isAllOrNone = arguments.has(.allOrNone)
        guard !arguments.has(.dryRun) else {
            for call in drafts.calls {
                try DryRun.print(drafts.request(call, allOrNone: isAllOrNone), of: client)
            }
            return DryRun.end()
        }
        let failures = try arguments[.failedRows].map { try FailedRows($0, columns: rows.columns) }
        try await confirmation.ask("\(operation.word) \(records(drafts.count)) of \(object)", of: client)
        var results = try RowResults(total: drafts.count, arguments, failures: failures)
        let progress = Progress("Writing", of: "rows", total: drafts.count, isQuiet: arguments.has(.quiet))
        defer { progress.end() }
        var end: RestError?
        for call in drafts.calls {
            let states = await states(of: call, drafts, isAllOrNone, client, &end)
            try results.add(states, of: rows.rows[call], operation)
            progress.advance(to: call.upperBound)
        }
        progress.end()
        try await results.finish(after: end)
        arguments.note("\(records(results.written)) written")
    }

    /// What became of one call's records; behind a failure that every call would meet nothing is sent.
    private func states(
        of call: Range<Int>, _ drafts: RowDrafts, _ isAllOrNone: Bool, _ client: RestClient,
        _ end: inout RestError?
    ) async -> [CollectionResults.State] {
        guard end == nil else { return call.map { _ in .notSent } }
        do throws(RestError) {
            let answer = try await client.send(drafts.request(call, allOrNone: isAllOrNone))
            return try SaveResults(answer, count: call.count, allOrNone: isAllOrNone).map { .answered($0) }
        } catch {
            if error.code.isOfEveryCall { end = error }
            return call.map { _ in .failed(error) }
        }
    }

    private func drafts(_ client: RestClient) async throws -> RowDrafts {
        guard operation != .delete else { return try RowDrafts(rows, operation, nil) }
        let form = RecordForm(
            object: try await client.describe(object), null: arguments[.null] ?? RowFormat.null)
        return try RowDrafts(rows, operation, form)
    }
}
