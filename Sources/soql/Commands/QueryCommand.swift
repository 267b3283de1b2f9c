// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestSDK

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
            await connection.close()
            throw error
        }
        await connection.close()
    }

    /// Runs the queries up to the first that fails, or all of them, as was chosen.
    private func runAll(on connection: Connection) async throws {
        var failures: [ExitStatus] = []
        for query in script.queries {
            do {
                try await run(query, on: connection)
            } catch {
                let status = try await report(error, on: connection)
                // Without a login, or after an interrupt, the next query fares no better.
                guard options.goesOnAfterErrors, status == .failure || status == .partial else {
                    throw Reported(status: status)
                }
                failures.append(status)
            }
        }
        guard let first = failures.first else { return }
        let count = script.queries.count
        if count > 1 { StandardOutput.note("soql: \(failures.count) of \(count) queries failed") }
        throw Reported(status: failures.count < count ? .partial : first)
    }

    /// Reports the failure of a query; any other one is thrown again.
    private func report(_ error: any Error, on connection: Connection) async throws -> ExitStatus {
        switch error {
        case let failure as QueryFailure:
            await failure.report(asking: connection.client, isTooling: options.isTooling).status
        case is PartialResult: Diagnostics.report(error)
        default: throw error
        }
    }

    private func run(_ query: QueryScript.Query, on connection: Connection) async throws {
        var output = ResultPrinter(options: options, query: query.bound.soql.text)
        do {
            try await connection.withClient { client in
                do {
                    try await print(query.bound.soql, of: client, to: &output)
                } catch let error as RestError where !output.isEmpty {
                    // Whatever it is, it is not that the server is too old.
                    throw QueryFailure(error: error, query: query, isPartial: true)
                }
            }
        } catch let error where error is RestError || error is BulkError {
            throw QueryFailure(error: error, query: query, isPartial: !output.isEmpty)
        }
    }

    private func print(_ soql: SOQL, of client: RestClient, to output: inout ResultPrinter) async throws {
        guard options.isBulk else { return try await output.printRows(of: pages(soql, of: client)) }
        let query = client.bulk.query(soql, includingDeleted: options.includesDeleted)
        do {
            try await output.printRows(of: BulkPages(query: query))
        } catch let error as BulkError where error.code == .cancelled {
            if let id = error.jobID { await BulkPages.abort(id, at: client) }
            throw error
        }
    }

    private func pages(_ soql: SOQL, of client: RestClient) -> QueryPages {
        var pages =
            options.isTooling
            ? client.toolingPages(soql, batchSize: options.batchSize)
            : client.pages(soql, batchSize: options.batchSize, includingDeleted: options.includesDeleted)
        pages.recordsWanted = options.limit
        guard options.limit == nil, !options.isTooling else { return pages }
        return pages.reportingProgress { BulkHint(query: soql.text).tell(at: $0) }
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
