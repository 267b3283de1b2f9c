// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK
import SOQLSyntax

/// Runs one query and prints its rows.
struct QueryCommand: Command {
    let options: QueryOptions
    private let text: String

    /// Reads the query's text.
    init(options: QueryOptions) throws(UsageError) {
        self.options = options
        text = try Self.text(from: options.source)
    }

    func run() async throws {
        let connection = try await Connection.open(options.connection)
        do {
            try await OutputDestination.open(options.output) { try await printRows(of: connection, to: $0) }
        } catch let error as RestError {
            await connection.close()
            throw Diagnostics.QueryFailure(error: error, query: text)
        }
        await connection.close()
    }

    /// Prints the rows, using the newest version that the server supports.
    private func printRows(of connection: Connection, to destination: OutputDestination) async throws {
        var output = RecordOutput(query: text, options: options.output, limit: options.limit, to: destination)
        do {
            try await output.printRows(of: pages(of: connection.client))
        } catch let error as RestError where error.code == .notFound && output.isEmpty {
            guard let (client, version) = try await connection.clientOfOlderServer(options.connection) else {
                throw error
            }
            StandardOutput.note("soql: the server supports API version \(version) at most; using that")
            try await output.printRows(of: pages(of: client))
        }
    }

    private func pages(of client: RestClient) -> QueryPages {
        var pages = client.pages(
            SOQL(raw: text), batchSize: options.batchSize, includingDeleted: options.includesDeleted)
        pages.recordsWanted = options.limit
        return pages
    }

    private static func text(from source: QueryOptions.Source) throws(UsageError) -> String {
        let text: String
        switch source {
        case .argument(let argument): text = argument
        case .file(let path): text = try StandardInput.read(file: path)
        case .standardInput:
            guard !StandardInput.isTerminal else { throw UsageError("there is no query") }
            text = try StandardInput.read()
        }
        // Files and shells add a byte-order mark or a closing semicolon; neither belongs to the query.
        var trimmed = (text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text).trimmingBlanks
        if trimmed.hasSuffix(";") { trimmed = String(trimmed.dropLast()).trimmingBlanks }
        guard !trimmed.isEmpty else { throw UsageError("the query is empty") }
        return trimmed
    }
}
