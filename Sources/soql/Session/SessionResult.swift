// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The records of one statement.
enum SessionResult {
    /// Runs a query and shows its records.
    static func print(
        _ client: RestClient, _ query: SOQL, _ options: QueryOptions
    ) async throws {
        var pages = client.pages(query, batchSize: options.batchSize, includingDeleted: options.includesDeleted)
        pages.recordsWanted = options.limit
        var printer = ResultPrinter(options: options, query: query.text)
        do {
            try await printer.printRows(of: pages)
        } catch let error as RestError {
            throw Diagnostics.QueryFailure(error: error, query: query.text)
        }
    }
}

/// A session at a terminal.
struct SessionRun: Command {
    let options: QueryOptions

    /// Whether somebody can type and see what is answered.
    static var isPossible: Bool { StandardInput.isTerminal && StandardOutput.isTerminal }

    var takesInterrupts: Bool { true }

    func run() async throws {
        guard let session = await Session(options) else { throw UsageError("there is no query") }
        await session.run()
    }
}
