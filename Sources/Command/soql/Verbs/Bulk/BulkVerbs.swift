// SPDX-License-Identifier: Apache-2.0

import RestBulk

extension Verb {
    static let export = Verb(
        "export", operands: ["\"SELECT …\" --output FILE"], "writes the whole result of a query to a CSV file, in bulk",
        notes: [
            """
            The org runs the query as a job of Bulk API 2.0, which refuses aggregates, GROUP BY, OFFSET, TYPEOF, lists \
            of children and compound fields. The file appears when it is complete. An export that ended early leaves \
            FILE.bulk behind: --resume goes on with it, and no row is lost or written twice.
            """
        ],
        [.exportFile, .allRows, .delimiter, .resume, .restart, .quiet] + Option.connection
    ) { try ExportCommand($0) }

    static let load = Verb(
        "import", operands: ["OBJECT FILE"], "writes the records of a CSV file, in bulk",
        notes: [
            """
            The org takes the rows as jobs of Bulk API 2.0. What became of them is in FILE.successful.csv, \
            FILE.failed.csv (with sf__Error) and FILE.unprocessed.csv, and where the org does not tell in \
            FILE.unknown.csv; a file without rows is not made. The exit code is 4 when some rows were written and \
            others not. An import that ended early, whatever ended it, leaves FILE.load behind: --resume goes on with \
            it, and each row is applied once.
            """
        ],
        [.operation, .externalID, .delimiter, .resume, .restart, .yes, .dryRun, .quiet] + Option.connection
    ) { try ImportCommand($0) }
}

extension Option {
    static let exportFile = Option("--output", short: "-o", .output, "where the result is written")
    static let resume = Option("--resume", "go on with what ended early")
    static let restart = Option("--restart", "forget what ended early, and begin anew")
    static let operation = Option(
        "--operation", .choice("OPERATION", ["insert", "update", "upsert", "delete", "hardDelete"]),
        "insert (the default), update, upsert, delete or hardDelete")
    static let externalID = Option("--external-id", .text("FIELD"), "the field by which upsert finds records")
    static let delimiter = Option(
        "--delimiter", .choice("NAME", CSVDialect.Delimiter.platformNames.keys.map { $0.lowercased() }.sorted()),
        "what stands between the fields: comma by default")
}

/// Whether bulk work goes on with what an earlier run left, or begins.
struct BulkStart {
    private let resumes: Bool
    private let restarts: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        (resumes, restarts) = (arguments.has(.resume), arguments.has(.restart))
        guard !resumes || !restarts else { throw UsageError("give --resume or --restart, not both") }
    }

    /// Refuses to go on with what nobody asked for, and to begin what was to go on.
    ///
    /// - Parameters:
    ///   - journal: the file that an earlier run leaves.
    ///   - forget: removes what it left.
    /// - Throws: ``CommandFailure``, and what `forget` throws.
    func check(_ journal: String, forget: () throws -> Void) throws {
        let isThere = FileFacts.exists(journal)
        if restarts, isThere { try forget() }
        guard !restarts else { return }
        if resumes, !isThere { throw CommandFailure("there is nothing to go on with: \(journal) is not there") }
        if !resumes, isThere {
            throw CommandFailure(
                "\(journal) is of earlier work that did not end; --resume goes on with it, --restart begins anew")
        }
    }
}

extension BulkPatience {
    /// A user waits: small jobs are asked after early.
    static let user = BulkPatience(firstInterval: .milliseconds(250))
}

extension Arguments {
    /// The delimiter of a file.
    var delimiter: CSVDialect.Delimiter {
        self[.delimiter].flatMap { CSVDialect.Delimiter.platformNames[$0.uppercased()] } ?? .comma
    }
}
