// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestSDK
import Synchronization

/// Runs queries, one after the other, and prints their rows.
struct QueryCommand: Command {
    /// No text of queries is longer, in bytes.
    private static let maximumSize = 16 << 20

    let options: QueryOptions
    private let script: QueryScript

    /// Reads the queries.
    init(options: QueryOptions) throws(UsageError) {
        self.options = options
        let (text, source) = try Self.text(from: options.source)
        script = try QueryScript(text, from: source, options.parameters)
    }

    func run() async throws {
        let connection = try await Connection.open(options.connection)
        do {
            try await runAll(on: connection)
        } catch {
            // The results before it are shown by now.
            let status = await report(error, on: connection)
            await connection.close()
            throw Reported(status: status)
        }
        await connection.close()
    }

    /// Runs the queries up to the first that fails, or all of them, as was chosen.
    private func runAll(on connection: Connection) async throws {
        let status = Mutex(ExitStatus.success)
        var output = options.output
        // Errors are told between the results, where a pager has no place for them.
        if options.goesOnAfterErrors { output.usesPager = false }
        try await OutputDestination.open(output) { destination in
            guard options.goesOnAfterErrors else {
                for query in script.queries { try await run(query, on: connection, to: destination) }
                return
            }
            let outcome = try await runEach(on: connection, to: destination)
            status.withLock { $0 = outcome }
        }
        let outcome = status.withLock(\.self)
        if outcome != .success { throw Reported(status: outcome) }
    }

    /// Runs all queries, whether those before them failed or not.
    ///
    /// - Returns: how it went.
    private func runEach(on connection: Connection, to destination: OutputDestination) async throws -> ExitStatus {
        var failures: [ExitStatus] = []
        for query in script.queries {
            do {
                try await run(query, on: connection, to: destination)
            } catch  where error is QueryFailure || error is PartialResult {
                let status = await report(error, on: connection)
                // Without a login, or after an interrupt, the next query fares no better.
                guard status == .failure || status == .partial else { throw Reported(status: status) }
                failures.append(status)
            }
        }
        guard let first = failures.first else { return .success }
        let count = script.queries.count
        if count > 1 { StandardOutput.note("soql: \(failures.count) of \(count) queries failed") }
        return failures.count < count ? .partial : first
    }

    private func report(_ error: any Error, on connection: Connection) async -> ExitStatus {
        let status =
            if let failure = error as? QueryFailure {
                await failure.report(asking: connection.client, isTooling: options.isTooling).status
            } else {
                Diagnostics.report(error)
            }
        // A file comes into being whole or not at all.
        let leavesNothing = options.output.file != nil && !options.goesOnAfterErrors
        return status == .partial && leavesNothing ? .failure : status
    }

    private func run(
        _ query: QueryScript.Query, on connection: Connection, to destination: OutputDestination
    ) async throws {
        let soql = query.bound.soql
        var output = RecordOutput(query: soql.text, options: options.output, limit: options.limit, to: destination)
        do {
            try await connection.withClient { client in
                do {
                    try await QueryRun(options: options).print(soql, of: client, to: &output, destination)
                } catch let error as RestError where !output.isEmpty {
                    // Whatever it is, it is not that the server is too old.
                    throw QueryFailure(error: error, query: query, isPartial: true)
                }
            }
        } catch let error where error is RestError || error is BulkError {
            throw QueryFailure(error: error, query: query, isPartial: !output.isEmpty)
        }
    }

    private static func text(from source: QueryOptions.Source) throws(UsageError) -> (String, name: String?) {
        switch source {
        case .argument(let argument): return (argument, nil)
        case .file(let path): return (try StandardInput.read(file: path, most: maximumSize), path)
        case .standardInput:
            guard !StandardInput.isTerminal else { throw UsageError("there is no query") }
            return (try StandardInput.read(most: maximumSize), "standard input")
        }
    }
}
