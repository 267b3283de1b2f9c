// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestSDK
import Synchronization

extension Verb {
    static let query = Verb(
        "", operands: ["\"SELECT …\"", "--file FILE", "< FILE"], Operation.query.summary,
        notes: [
            """
            Logins are stored in XDG_DATA_HOME or ~/.local/share, in files that only you can read. The files are not \
            encrypted, and they contain the client secret.
            """,
            """
            A query goes to the org of --account or --target-org. Without them it goes to SF_INSTANCE_URL (or \
            SF_ORG_INSTANCE_URL) with SF_ACCESS_TOKEN if both are set, else to SF_TARGET_ORG, else to the current \
            login, and if you never logged in, to the default org of sf. The embedded org with sample data is used \
            with --sample, or if there never was a login or a setting. With --local, queries and the session use a \
            copy of 'soql sync', without a login and a network.
            """,
            """
            Separate several queries with semicolons. Comments are -- and // to the end of the line, and /* … */. Set \
            a parameter :name with --param name=text or name:KIND=value. The kinds are text, number, boolean, date, \
            datetime, time, null, list, numbers, dates and datetimes. A list is a,b or @FILE with one value per line.
            """,
        ],
        [.file, .param, .onError, .limit, .allRows, .batchSize, .bulk, .noBulk, .tooling, .local] + Option.output
            + Option.connection
    ) { arguments in
        let queries = try Queries(arguments)
        guard queries.source == .standardInput, Session.isPossible else {
            let run = try QueryRun(queries)
            return Command { try await run.run() }
        }
        return Command(takesInterrupts: true) {
            guard let session = await Session(queries) else { throw UsageError("no query; give one as an argument") }
            try await session.run()
        }
    }
}

extension Option {
    static let file = Option("--file", short: "-f", .input, "read the queries from a file, or - for standard input")
    static let param = Option(
        "--param", .textOrFile("NAME=VALUE"), "bind a value to :NAME as a literal, not as query text; can be repeated")
    static let onError = Option(
        "--on-error", .choice("HOW", ["stop", "continue"]), "after a failed query, stop or continue (default: stop)")
    static let limit = Option("--limit", .number(0...Int.max), "print at most N records (default: all)")
    static let allRows = Option("--all-rows", "include deleted records", key: "allRows")
    static let batchSize = Option(
        "--batch-size", .number(200...2_000), "request N records per page, 200 to 2000 (default: the org's choice)")
    static let tooling = Option("--tooling", "query the Tooling API: classes, layouts, flows and other settings")
}

/// The queries of a command line and their options.
struct Queries: Sendable {
    /// The source of the query text.
    enum Source: Equatable {
        case argument(String)
        case file(String)
        case standardInput
    }

    let source: Source
    let parameters: QueryParameters
    let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        source = try Self.source(query: arguments.words, file: arguments[.file])
        parameters = try QueryParameters(arguments.all(.param))
        self.arguments = arguments
        try arguments.checkWay()
        if arguments.has(.bulk), let other = [Option.tooling, .local, .limit].first(where: arguments.has) {
            throw UsageError("--bulk cannot be used with \(other.name); leave one of them out")
        }
        if arguments.has(.tooling), arguments.has(.local) {
            throw UsageError("--tooling cannot be used with --local; a copy has only records")
        }
        if arguments.has(.tooling), arguments.has(.allRows) {
            throw UsageError("--all-rows cannot be used with --tooling; the Tooling API does not support it")
        }
    }

    private static func source(query: [String], file: String?) throws(UsageError) -> Source {
        switch (query.count, file) {
        case (0, nil), (0, "-"?): return .standardInput
        case (0, let file?): return .file(file)
        case (1, nil): return query[0] == "-" ? .standardInput : .argument(query[0])
        case (_, nil):
            throw UsageError("the query must be one argument; quote it", near: query[0], Verb.all.map(\.name))
        default: throw UsageError("give the query as an argument or with --file, not both")
        }
    }
}

/// Runs queries in order and prints their rows.
struct QueryRun: Sendable {
    /// The maximum size of the query text in bytes.
    private static let maximumSize = 16 << 20

    private let arguments: Arguments
    private let script: QueryScript
    private var goesOnAfterErrors: Bool { arguments[.onError] == "continue" }

    init(_ queries: Queries) throws(UsageError) {
        arguments = queries.arguments
        let (text, source) = try Self.text(from: queries.source)
        script = try QueryScript(text, from: source, queries.parameters)
    }

    func run() async throws {
        try await Connection.closing(Connection.open(arguments), nil) { connection in
            do { try await runAll(on: connection) } catch {
                // Earlier results have already been shown.
                throw Reported(status: await report(error, on: connection))
            }
        }
    }

    /// Runs all queries, or stops at the first error, as the user chose.
    private func runAll(on connection: Connection) async throws {
        let status = Mutex(ExitStatus.success)
        var output = arguments
        // Errors are reported between results, which is not possible in a pager.
        if goesOnAfterErrors { output[.noPager] = "" }
        try await OutputDestination.open(output) { destination in
            guard goesOnAfterErrors else {
                for query in script.queries { try await run(query, on: connection, to: destination) }
                return
            }
            let outcome = try await runEach(on: connection, to: destination)
            status.withLock { $0 = outcome }
        }
        let outcome = status.withLock(\.self)
        if outcome != .success { throw Reported(status: outcome) }
    }

    /// Runs all queries, even if earlier queries fail, and returns the exit status.
    private func runEach(on connection: Connection, to destination: OutputDestination) async throws -> ExitStatus {
        var failures: [ExitStatus] = []
        for query in script.queries {
            do {
                try await run(query, on: connection, to: destination)
            } catch  where error is QueryFailure || error is PartialResult {
                let status = await report(error, on: connection)
                // Without a login or after an interrupt, the next query would also fail.
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
                await failure.report(asking: connection.client.addressed(by: arguments)).status
            } else {
                Diagnostics.report(error)
            }
        // A file is written completely or not at all.
        let leavesNothing = arguments.has(.outputFile) && !goesOnAfterErrors
        return status == .partial && leavesNothing ? .failure : status
    }

    private func run(
        _ query: QueryScript.Query, on connection: Connection, to destination: OutputDestination
    ) async throws {
        let soql = query.bound.soql
        var output = RecordOutput(query: soql.text, arguments, to: destination)
        do {
            try await connection.withClient { client in
                do {
                    try await output.printRows(of: soql, from: client)
                } catch let error as RestError where !output.isEmpty {
                    // The request succeeded before, so the API version of the server is not too old.
                    throw QueryFailure(error: error, query: query, isPartial: true)
                }
            }
        } catch let error as RestError {
            throw QueryFailure(error: error, query: query, isPartial: !output.isEmpty)
        }
    }

    private static func text(from source: Queries.Source) throws(UsageError) -> (String, name: String?) {
        switch source {
        case .argument(let argument): return (argument, nil)
        case .file(let path): return (try StandardInput.read(file: path, most: maximumSize), path)
        case .standardInput:
            guard !StandardInput.isTerminal else { throw UsageError("no query; give one as an argument") }
            return (try StandardInput.read(most: maximumSize), "standard input")
        }
    }
}

extension RestClient {
    /// The client itself, or its view of the Tooling API for `--tooling`.
    func addressed(by options: Arguments) -> RestClient { options.has(.tooling) ? tooling : self }
}

extension RecordOutput {
    /// Prints the result of a query, which is read by pages or by a job as its size or the user decides.
    mutating func printRows(of soql: SOQL, from client: RestClient) async throws {
        let (batchSize, isAll) = (options.number(.batchSize), options.has(.allRows))
        var pages =
            if [.tooling, .local, .limit].contains(where: options.has) {
                client.addressed(by: options).pages(soql, batchSize: batchSize, includingDeleted: isAll)
            } else {
                client.pages(
                    sized: soql, by: options.way, includingDeleted: isAll, batchSize: batchSize,
                    options: BulkQuery.Options(patience: .user), report: options.reportWay(note: destination.note))
            }
        pages.recordsWanted = options.number(.limit)
        try await printRows(of: pages)
    }
}

extension Option {
    static let bulk = Option("--bulk", "use jobs of Bulk API 2.0, whatever the size (default: by size)")
    static let noBulk = Option("--no-bulk", "use requests of the REST API, whatever the size", key: "noBulk")
}

extension Arguments {
    /// The way that the user chose.
    var way: Bulk.Way? { has(.bulk) ? .bulk : has(.noBulk) ? .rest : nil }

    /// Rejects contradictory options.
    func checkWay() throws(UsageError) {
        guard !has(.bulk) || !has(.noBulk) else {
            throw UsageError("--bulk and --no-bulk cannot be combined; give one of them")
        }
    }

    /// Returns a function that shows each choice of a job, and the reason if the org does not run one.
    func reportWay(note: @escaping @Sendable (String) -> Void) -> @Sendable (Bulk.Choice) -> Void {
        let (isShown, isVerbose) = (!has(.quiet) && (has(.verbose) || StatusLine.isPossible), has(.verbose))
        return { choice in
            switch (choice.way, choice.reason) {
            case (_, .requested), (.rest, .rows): return
            // A job can never run the query, so most of these results are small.
            case (.rest, .unsupported) where !isVerbose: return
            default: if isShown { note("soql: using \(choice)") }
            }
        }
    }
}
