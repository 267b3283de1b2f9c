// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK
import SOQLSyntax

/// Runs one query and prints its rows.
struct QueryCommand {
    let options: QueryOptions

    func run() async throws {
        let text = try queryText()
        let connection = try await Connection.open(timeoutSeconds: options.timeoutSeconds)
        let pages = connection.client.pages(
            SOQL(raw: text), batchSize: options.batchSize, includingDeleted: options.includesDeleted)
        do {
            try await printRows(of: pages, query: text)
        } catch let error as RestError {
            await connection.close()
            throw Diagnostics.QueryFailure(error: error, query: text)
        }
        await connection.close()
    }

    private func queryText() throws(UsageError) -> String {
        let text: String
        switch options.source {
        case .argument(let argument): text = argument
        case .file(let path): text = try StandardInput.read(file: path)
        case .standardInput:
            guard !StandardInput.isTerminal else { throw UsageError("there is no query") }
            text = try StandardInput.read()
        }
        let trimmed = text.trimmingBlanks
        guard !trimmed.isEmpty else { throw UsageError("the query is empty") }
        return trimmed
    }
}
