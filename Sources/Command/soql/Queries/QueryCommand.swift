// SPDX-License-Identifier: Apache-2.0

import RestSDK
import SOQLSyntax
import Synchronization

extension Verb {
    static let query = Verb(
        "", operands: ["\"SELECT …\"", "--file FILE", "< FILE"], "runs queries and prints their records",
        notes: [
            """
            Logins are kept below XDG_DATA_HOME or ~/.local/share, in files that only you can read. The files are not \
            encrypted, and they contain the client's secret.
            """,
            """
            A query goes to the org of --account or --target-org. Without them it goes to SF_INSTANCE_URL (or \
            SF_ORG_INSTANCE_URL) with SF_ACCESS_TOKEN if both are set, or to SF_TARGET_ORG, else to the current login, \
            and if you never logged in, to the default org of sf. The embedded org with sample data answers with \
            --sample, and where there never was a login or a setting.
            """,
            """
            Several queries end with semicolons. Comments are -- and // to the end of the line, and /* … */. A \
            parameter :name takes the value of --param name=text or name:KIND=value, with the kinds text, number, \
            boolean, date, datetime, time, null, list, numbers, dates and datetimes; a list is a,b or @FILE with a \
            value on each line.
            """,
        ],
        [.file, .param, .onError, .limit, .allRows, .batchSize, .tooling] + Option.output + Option.connection
    ) { arguments in
        let options = try QueryOptions(arguments)
        guard options.source != .standardInput || !SessionRun.isPossible else { return SessionRun(options: options) }
        return try QueryCommand(options: options)
    }
}

extension Option {
    static let file = Option("--file", short: "-f", .input, "read the queries from a file; - for standard input")
    static let param = Option(
        "--param", .textOrFile("NAME=VALUE"), "the value of :NAME, which is bound and never pasted; may be repeated")
    static let onError = Option(
        "--on-error", .choice("HOW", ["stop", "continue"]), "what a failed query does to those behind it; stop")
    static let limit = Option("--limit", .number(0...Int.max), "print no more than N records; all of them otherwise")
    static let allRows = Option("--all-rows", "see deleted records too")
    static let batchSize = Option("--batch-size", .number(200...2_000), "records per page, 200 to 2000")
    static let tooling = Option("--tooling", "query the Tooling API: classes, layouts, flows and other settings")
}

/// The options of a query.
struct QueryOptions: Sendable {
    /// Where the text of the query comes from.
    enum Source: Equatable {
        case argument(String)
        case file(String)
        case standardInput
    }

    var source: Source
    var parameters: QueryParameters
    /// Whether the queries behind a failed one are run.
    var goesOnAfterErrors: Bool
    /// Print no more than this many records.
    var limit: Int?
    var batchSize: Int?
    var includesDeleted: Bool
    /// Whether the Tooling API is asked.
    var isTooling: Bool
    var connection: ConnectionOptions
    var output: OutputOptions

    init(_ arguments: Arguments) throws(UsageError) {
        source = try Self.source(query: arguments.words, file: arguments[.file])
        parameters = try QueryParameters(arguments.all(.param))
        goesOnAfterErrors = arguments[.onError] == "continue"
        limit = arguments.number(.limit)
        batchSize = arguments.number(.batchSize)
        includesDeleted = arguments.has(.allRows)
        isTooling = arguments.has(.tooling)
        connection = try ConnectionOptions(arguments)
        output = OutputOptions(arguments)
        if isTooling, includesDeleted { throw UsageError("the Tooling API knows no --all-rows") }
    }

    private static func source(query: [String], file: String?) throws(UsageError) -> Source {
        switch (query.count, file) {
        case (0, nil): return .standardInput
        case (0, "-"?): return .standardInput
        case (0, let file?): return .file(file)
        case (1, nil): return query[0] == "-" ? .standardInput : .argument(query[0])
        case (_, nil):
            throw UsageError("the query must be one argument; quote it", near: query[0], Verb.all.map(\.name))
        default: throw UsageError("give the query as an argument or with --file, not both")
        }
    }
}

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
                    try await options.print(soql, of: client, to: &output, destination)
                } catch let error as RestError where !output.isEmpty {
                    // Whatever it is, it is not that the server is too old.
                    throw QueryFailure(error: error, query: query, isPartial: true)
                }
            }
        } catch let error as RestError {
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

extension QueryOptions {
    /// Prints the result of a query.
    ///
    /// - Throws: `RestError`, and what the output throws.
    func print(
        _ soql: SOQL, of client: RestClient, to output: inout RecordOutput, _ destination: OutputDestination
    ) async throws {
        var pages =
            isTooling
            ? client.toolingPages(soql, batchSize: batchSize)
            : client.pages(soql, batchSize: batchSize, includingDeleted: includesDeleted)
        pages.recordsWanted = limit
        if limit == nil, !isTooling, !self.output.isQuiet {
            pages = pages.reportingProgress { position in
                // From 25 pages of 2,000 on a job is worth its wait.
                guard position.totalSize >= 50_000, position.recordCount <= 2_000, Self.canBeJob(soql.text) else {
                    return
                }
                destination.note(
                    "soql: \(position.totalSize) records; 'soql export' reads so many with fewer calls of the API")
            }
        }
        try await output.printRows(of: pages)
    }

    /// Whether the platform takes the query as a job: no groups, no offset, no lists of children and no TYPEOF.
    private static func canBeJob(_ text: String) -> Bool {
        guard let query = try? SOQLQuery(parsing: text), !query.isAggregate, !query.isCount, query.offset == nil else {
            return false
        }
        return query.select.allSatisfy { item in
            switch item {
            case .field, .fields: true
            case .count, .children, .typeof: false
            }
        }
    }
}
