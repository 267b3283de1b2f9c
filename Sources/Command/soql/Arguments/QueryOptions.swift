// SPDX-License-Identifier: Apache-2.0

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
        [.file, .param, .onError, .limit, .allRows, .batchSize, .tooling, .bulk] + Option.output + Option.connection
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
    static let bulk = Option("--bulk", "run the query as a job of Bulk API 2.0, for very many records")
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
    /// Whether the org runs the query as a job.
    var isBulk: Bool
    var connection: ConnectionOptions
    var output: OutputOptions

    init(_ arguments: Arguments) throws(UsageError) {
        source = try Self.source(query: arguments.words, file: arguments[.file])
        parameters = try QueryParameters(arguments.all(.param))
        goesOnAfterErrors = arguments[.onError] == "continue"
        limit = arguments.number(.limit)
        batchSize = arguments.number(.batchSize)
        includesDeleted = arguments.has(.allRows)
        (isTooling, isBulk) = (arguments.has(.tooling), arguments.has(.bulk))
        connection = try ConnectionOptions(arguments)
        output = OutputOptions(arguments)
        if isTooling, isBulk { throw UsageError("give --tooling or --bulk, not both") }
        if isTooling, includesDeleted { throw UsageError("the Tooling API knows no --all-rows") }
        if isBulk, batchSize != nil { throw UsageError("--batch-size has no meaning with --bulk") }
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
