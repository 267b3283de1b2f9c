// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The options of a query.
struct QueryOptions {
    /// Where the text of the query comes from.
    enum Source: Equatable {
        case argument(String)
        case file(String)
        case standardInput
    }

    var source = Source.standardInput
    /// `nil`: a table on a terminal, CSV on a pipe.
    var format: OutputFormat?
    /// Print no more than this many records.
    var limit: Int?
    var batchSize: Int?
    var includesDeleted = false
    var timeoutSeconds: Int?
    /// `nil`: the org of the environment, else of the current account, else the embedded one.
    var account: String?
    /// `nil`: the newest that this command and the server know.
    var apiVersion: APIVersion?
    var output = OutputOptions()

    init(_ words: [String]) throws(UsageError) {
        var reader = WordReader(words)
        var query: [String] = []
        var file: String?
        while let item = try reader.next() {
            switch item {
            case .word(let word): query.append(word)
            case .option("--file"), .option("-f"): file = try reader.value(of: "--file")
            case .option(let option): try read(option, from: &reader)
            }
        }
        source = try Self.source(query: query, file: file)
    }

    private mutating func read(_ option: String, from reader: inout WordReader) throws(UsageError) {
        switch option {
        case "--format": format = try OutputFormat(named: reader.value(of: option))
        case "--limit": limit = try reader.number(of: option, in: 0...Int.max)
        case "--batch-size": batchSize = try reader.number(of: option, in: 200...2_000)
        case "--timeout": timeoutSeconds = try reader.number(of: option, in: 1...86_400)
        case "--account": account = try reader.value(of: option)
        case "--all-rows": includesDeleted = true
        case "--api-version": apiVersion = try Self.version(reader.value(of: option))
        case "--raw": output.isRaw = true
        case "--csv-guard": output.guardsFormulas = true
        case "--cell-width": output.cellWidth = try reader.number(of: option, in: 0...1_000_000)
        default: throw UsageError("unknown option \(option)")
        }
    }

    private static func version(_ text: String) throws(UsageError) -> APIVersion {
        guard let version = APIVersion(text) else {
            throw UsageError("--api-version takes a version such as 66.0, not '\(text)'")
        }
        return version
    }

    private static func source(query: [String], file: String?) throws(UsageError) -> Source {
        switch (query.count, file) {
        case (0, nil): return .standardInput
        case (0, "-"?): return .standardInput
        case (0, let file?): return .file(file)
        case (1, nil): return query[0] == "-" ? .standardInput : .argument(query[0])
        case (_, nil): throw UsageError("the query must be one argument; quote it")
        default: throw UsageError("give the query as an argument or with --file, not both")
        }
    }
}

/// How cells are printed, whatever the format.
struct OutputOptions {
    /// Whether control characters in records go to a terminal as they are.
    var isRaw = false
    /// Whether CSV marks values that a spreadsheet would treat as formulas.
    var guardsFormulas = false
    /// The most columns that a cell of a table takes; 0 for no limit.
    var cellWidth = 80
}

/// How rows are printed.
enum OutputFormat: String, CaseIterable {
    case table, csv, json, ndjson

    init(named name: String) throws(UsageError) {
        guard let format = OutputFormat(rawValue: name) else {
            let names = Self.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown format '\(name)'; choose one of \(names)")
        }
        self = format
    }
}
