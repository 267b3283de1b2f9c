// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The records of one statement.
enum SessionResult {
    /// Runs a query and shows its records.
    ///
    /// - Parameters:
    ///   - client: asks the org.
    ///   - query: with its values.
    ///   - options: how many records are shown, and how.
    ///   - destination: where they go; `nil` for the terminal, by a pager where they are many.
    /// - Throws: what the query, or the output, throws.
    static func print(
        _ client: RestClient, _ query: SOQL, _ options: QueryOptions, to destination: OutputDestination?
    ) async throws {
        let show: @Sendable (OutputDestination) async throws -> Void = { destination in
            var output = RecordOutput(
                query: query.text, options: options.output, limit: options.limit, to: destination)
            try await QueryRun(options: options).print(query, of: client, to: &output, destination)
        }
        guard let destination else { return try await OutputDestination.open(options.output, show) }
        try await show(destination)
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
        try await session.run()
    }
}
