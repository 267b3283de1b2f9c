// SPDX-License-Identifier: Apache-2.0

extension Verb {
    static let query = Verb(
        "", operands: ["\"SELECT …\"", "--file FILE", "< FILE"], "runs a query and prints its records",
        notes: [
            """
            Logins are kept below XDG_DATA_HOME or ~/.local/share, in files that only you can read. The files are not \
            encrypted, and they contain the client's secret.
            """,
            """
            A query goes to the org of --account. Without it, SF_INSTANCE_URL and SF_ACCESS_TOKEN are used if both are \
            set, then the current login, and if there is no login an embedded org with sample data.
            """,
        ],
        [.file, .limit, .allRows, .batchSize] + Option.output + Option.connection
    ) { arguments in
        let options = try QueryOptions(arguments)
        guard options.source != .standardInput || !SessionRun.isPossible else { return SessionRun(options: options) }
        return try QueryCommand(options: options)
    }
}

extension Option {
    static let file = Option("--file", short: "-f", .file, "read the query from a file; - for standard input")
    static let limit = Option("--limit", .number(0...Int.max), "print no more than N records; all of them otherwise")
    static let allRows = Option("--all-rows", "see deleted records too")
    static let batchSize = Option("--batch-size", .number(200...2_000), "records per page, 200 to 2000")
}

/// The options of a query.
struct QueryOptions {
    /// Where the text of the query comes from.
    enum Source: Equatable {
        case argument(String)
        case file(String)
        case standardInput
    }

    var source: Source
    /// Print no more than this many records.
    var limit: Int?
    var batchSize: Int?
    var includesDeleted: Bool
    var connection: ConnectionOptions
    var output: OutputOptions

    init(_ arguments: Arguments) throws(UsageError) {
        source = try Self.source(query: arguments.words, file: arguments[.file])
        limit = arguments.number(.limit)
        batchSize = arguments.number(.batchSize)
        includesDeleted = arguments.has(.allRows)
        connection = try ConnectionOptions(arguments)
        output = OutputOptions(arguments)
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
