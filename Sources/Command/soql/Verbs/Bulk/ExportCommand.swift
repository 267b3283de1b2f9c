// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestText

/// Writes the whole result of a query to a file.
struct ExportCommand: Command {
    private let query: String
    private let file: String
    private let arguments: Arguments
    private let start: BulkStart
    private let connection: ConnectionOptions

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words.count == 1 else { throw UsageError("give one query, in quotes") }
        guard let given = arguments[.exportFile], !given.isEmpty else {
            throw UsageError("say where to: --output FILE")
        }
        guard let file = FileFacts.followed(given) else { throw UsageError("the links at '\(given)' form a circle") }
        query = QueryText.trimmed(arguments.words[0])
        (self.file, self.arguments) = (file, arguments)
        start = try BulkStart(arguments)
        connection = try ConnectionOptions(arguments)
        try arguments.checkFiles(outputs: ["\(file).bulk"])
    }

    func run() async throws {
        try start.check("\(file).bulk") { FileFacts.remove("\(file).bulk") }
        let options = BulkQuery.Options(
            dialect: .platform(delimiter: arguments.delimiter), patience: .user)
        let progress = Progress("Collecting", of: "rows", isQuiet: arguments.has(.quiet))
        defer { progress.end() }
        try await Connection.work(connection) { client in
            let export = client.bulk.query(
                SOQL(raw: query), includingDeleted: arguments.has(.allRows), options: options)
            let done = try await export.export(to: file) { state in
                guard state.jobsEnded > 0 else { return progress.advance(to: state.recordsProcessed) }
                progress.changeTitle("Exporting")
                progress.advance(to: state.rows, of: state.recordsProcessed, bytes: Int(state.bytes))
            }
            progress.end()
            arguments.note("\(done.rows) rows, \(done.bytes) bytes in \(file)")
        }
    }
}

/// The text of a query as people write it.
enum QueryText {
    /// Without blanks around it, and without a semicolon at its end.
    static func trimmed(_ text: String) -> String {
        let trimmed = text.trimmingBlanks
        return trimmed.removing(suffix: ";")?.trimmingBlanks ?? trimmed
    }
}
