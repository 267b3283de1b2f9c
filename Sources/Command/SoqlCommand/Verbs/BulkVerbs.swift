// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestBulk
import RestSDK
import RestTransport

extension Verb {
    static let export = Verb(
        "export", operands: ["\"SELECT …\" --output FILE"], "export the result of a query to a CSV file",
        notes: [
            """
            Up to 50000 records are read by pages, and more by a job of Bulk API 2.0, which does not support \
            aggregates, OFFSET, TYPEOF, child queries and compound fields. The file appears when it is complete. An \
            interrupted export leaves FILE.bulk. Use --resume to continue it: no row is lost or written twice.
            """
        ],
        [.exportFile, .allRows, .delimiter, .bulk, .noBulk, .resume, .restart, .quiet] + Option.connection
    ) { arguments in
        guard arguments.words.count == 1 else { throw UsageError("give one query, in quotes") }
        guard let given = arguments[.exportFile], !given.isEmpty else {
            throw UsageError("no output file; use --output FILE")
        }
        guard let file = FileFacts.followed(given) else { throw UsageError("too many symbolic links at '\(given)'") }
        try arguments.checkStart()
        try arguments.checkWay()
        try arguments.checkFiles(outputs: ["\(file).bulk"])
        return Command { try await writeExport(to: file, arguments) }
    }

    /// Writes the whole result of a query to a file.
    private static func writeExport(to file: String, _ arguments: Arguments) async throws {
        try arguments.checkStart(with: "\(file).bulk") { FileFacts.remove("\(file).bulk") }
        let options = BulkQuery.Options(
            dialect: .platform(delimiter: arguments.delimiter), patience: .user)
        let progress = Progress("Collecting", of: "rows", isQuiet: arguments.has(.quiet))
        defer { progress.end() }
        try await Connection.work(arguments) { client in
            let export = client.bulk.query(
                SOQL(raw: QueryText.trimmed(arguments.words[0])), includingDeleted: arguments.has(.allRows),
                options: options)
            let done = try await export.export(
                to: file, by: arguments.way,
                progress: { state in
                    let isJob = state.jobs > 0
                    guard !isJob || state.jobsEnded > 0 else { return progress.advance(to: state.recordsProcessed) }
                    progress.begin("Exporting")
                    progress.advance(to: state.rows, of: state.recordsProcessed, bytes: Int(state.bytes))
                }, report: arguments.reportWay(note: StandardOutput.note))
            progress.end()
            arguments.note("\(done.rows) rows, \(done.bytes) bytes in \(file)")
        }
    }

    static let load = Verb(
        "import", operands: ["OBJECT FILE"], "import the records of a CSV file",
        notes: [
            """
            Up to 2000 rows are sent in collections of 200, and more rows as jobs of Bulk API 2.0. The results are in \
            FILE.successful.csv, FILE.failed.csv (with sf__Error) and FILE.unprocessed.csv, and in FILE.unknown.csv \
            if the org does not report them. A file without rows is not created. The exit code is 4 if only some rows \
            were written. An interrupted import leaves FILE.load. Use --resume to continue it: each row is applied once.
            """
        ],
        [.operation, .externalID, .delimiter, .bulk, .noBulk, .resume, .restart, .yes, .dryRun, .quiet]
            + Option.connection
    ) { arguments in
        let load = try Import(arguments)
        return Command { try await load.run() }
    }
}

extension Option {
    static let exportFile = Option("--output", short: "-o", .output, "write the result to this file")
    static let resume = Option("--resume", "continue interrupted work")
    static let restart = Option("--restart", "discard interrupted work, and start over")
    static let operation = Option(
        "--operation", .choice("OPERATION", ["insert", "update", "upsert", "delete", "hardDelete"]),
        "insert, update, upsert, delete or hardDelete the rows (default: insert)")
    static let externalID = Option("--external-id", .text("FIELD"), "match records for upsert by this field")
    static let delimiter = Option(
        "--delimiter", .choice("NAME", CSVDialect.Delimiter.platformNames.keys.map { $0.lowercased() }.sorted()),
        "separate the fields with this character (default: comma)")
}

extension BulkPatience {
    /// Small jobs are polled early, because a user is waiting.
    static let user = BulkPatience(firstInterval: .milliseconds(250))
}

extension Arguments {
    fileprivate var delimiter: CSVDialect.Delimiter {
        self[.delimiter].flatMap { CSVDialect.Delimiter.platformNames[$0.uppercased()] } ?? .comma
    }

    /// Rejects the combination of resume and restart.
    fileprivate func checkStart() throws(UsageError) {
        guard !has(.resume) || !has(.restart) else {
            throw UsageError("--resume and --restart cannot be combined; give one of them")
        }
    }

    /// Throws if unfinished work exists without `--resume` or `--restart`, or if `--resume` finds none.
    ///
    /// `journal` is the file that an unfinished run leaves, and `forget` removes the unfinished work.
    fileprivate func checkStart(with journal: String, forget: () throws -> Void) throws {
        let isThere = FileFacts.exists(journal)
        if has(.restart) {
            if isThere { try forget() }
        } else if has(.resume) {
            guard isThere else { throw CommandFailure("nothing to resume: \(journal) does not exist") }
        } else if isThere {
            throw CommandFailure(
                "\(journal) has interrupted work; use --resume to continue it, or --restart to start over")
        }
    }
}

enum QueryText {
    /// The text without surrounding spaces and without a semicolon at its end.
    static func trimmed(_ text: String) -> String {
        let trimmed = text.trimmingBlanks
        return trimmed.removing(suffix: ";")?.trimmingBlanks ?? trimmed
    }
}

/// Writes the records of a file with bulk jobs of the org.
struct Import: Sendable {
    private let object: String
    private let file: String
    private let operation: BulkOperation
    private let arguments: Arguments

    private var journal: String { "\(file).load" }

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words.count == 2 else { throw UsageError("give an object and a CSV file") }
        (object, file, self.arguments) = (arguments.words[0], arguments.words[1], arguments)
        operation = try Self.operation(arguments)
        try arguments.checkStart()
        try arguments.checkWay()
        if operation == .hardDelete, arguments.way == .rest {
            throw UsageError("--no-bulk cannot be used with hardDelete, which only jobs can do")
        }
        if operation != .insert { try arguments.checkQuestion() }
        try arguments.checkFiles(inputs: [file], outputs: [journal] + ImportResults.paths(of: file))
    }

    private static func operation(_ arguments: Arguments) throws(UsageError) -> BulkOperation {
        let field = arguments[.externalID]
        let name = arguments[.operation] ?? "insert"
        guard (name == "upsert") == (field != nil) else {
            throw UsageError("--external-id FIELD and --operation upsert must be used together")
        }
        switch name {
        case "update": return .update
        case "delete": return .delete
        case "hardDelete": return .hardDelete
        default: return field.map { .upsert(externalID: $0) } ?? .insert
        }
    }

    func run() async throws {
        try await Connection.work(arguments, on: object) { try await load(by: $0) }
    }

    private func load(by client: RestClient) async throws {
        let load = client.bulk.ingest(
            operation, into: object, from: .csv(path: file, delimiter: arguments.delimiter), journal: journal,
            options: BulkLoad.Options(patience: .user))
        guard let preview = try await load.preview() else { throw CommandFailure("\(file) is empty") }
        let plan = ImportPlan(preview: preview, object: object, file: file)
        try await plan.check(against: client)
        guard !arguments.has(.dryRun) else { return try plan.print(operation, by: arguments.way, for: client) }
        guard plan.rows > 0 else { return arguments.note("\(file) has no rows; nothing was sent") }
        try arguments.checkStart(with: journal) { try load.remove() }
        if operation != .insert {
            try await arguments.ask(
                "\(arguments[.operation] ?? "insert") \(counted(plan.rows)) of \(object)", of: client)
        }
        let progress = Progress("Importing", of: "rows", total: plan.rows, isQuiet: arguments.has(.quiet))
        defer { progress.end() }
        let summary = try await run(load, progress)
        progress.begin("Reading results of")
        var results = ImportResults(file, isQuiet: arguments.has(.quiet))
        var count = 0
        for try await result in load.results {
            try results.add(result)
            count += 1
            progress.advance(to: count, of: summary.rows)
        }
        progress.end()
        try results.finish(rows: summary.rows)
        try load.remove()
        try results.judge()
    }

    /// Runs the load, and shows how to continue if it stops early and the org has rows.
    private func run(_ load: BulkLoad, _ progress: Progress) async throws -> BulkLoad.Summary {
        do throws(BulkError) {
            return try await load.run(
                by: arguments.way, progress: { progress.advance(to: $0.rowsProcessed, bytes: Int($0.bytes)) },
                report: arguments.reportWay(note: StandardOutput.note))
        } catch {
            progress.end()
            if let done = error.progress, done.jobs > 0 || FileFacts.exists(journal) {
                let state = done.jobs > 0 ? "jobs may still be running in the org" : "some rows may have been written"
                StandardOutput.note("soql: \(state); run the same command with --resume to continue")
            }
            throw error
        }
    }
}

/// A check of an import before it is sent.
struct ImportPlan {
    let preview: BulkLoad.Preview
    let object: String
    let file: String

    var rows: Int { preview.rows }

    /// Rejects columns that the object does not have, which the org would report only after the upload, or never.
    func check(against client: RestClient) async throws {
        let form = RecordForm(object: try await client.send(.describe(object)))
        for name in preview.columns where !name.hasBytes(":") {
            do throws(CommandFailure) { _ = try form.column(name) } catch {
                throw CommandFailure("\(file): \(error.description)")
            }
        }
    }

    /// Prints the requests of all collections or jobs, with the number and size of the rows in place of their content.
    func print(_ operation: BulkOperation, by way: Bulk.Way?, for client: RestClient) throws {
        let isSmall = rows <= BulkLoad.Options().requestLimit && operation != .hardDelete
        guard way == .bulk || way == nil && !isSmall else {
            for start in stride(from: 0, to: rows, by: RestRequest.maximumRecords) {
                let key = operation.externalID.map { [object, $0] } ?? []
                let method: HTTPMethod = operation == .insert ? .post : operation == .delete ? .delete : .patch
                let request = RestRequest(
                    name: "collection", method: method, resource: .data(["composite", "sobjects"] + key))
                try DryRun.print(request, of: client)
                let count = min(RestRequest.maximumRecords, rows - start)
                try TextOutput.write(Array("(\(counted(count)) of \(file))\n".utf8))
            }
            return DryRun.end()
        }
        for (place, part) in preview.parts.enumerated() {
            var request = RestRequest(name: "bulkCreate", method: .post, resource: .data(["jobs", "ingest"]))
            request.body = .bytes(JSONValue(preview.job).bytes())
            try DryRun.print(request, of: client)
            let job = "JOB\(place + 1)"
            let upload = RestRequest(name: "upload", method: .put, resource: .data(["jobs", "ingest", job, "batches"]))
            try DryRun.print(upload, of: client)
            try TextOutput.write(Array("(\(counted(part.rows)) of \(file), \(part.bytes) bytes)\n".utf8))
            var close = RestRequest(name: "bulkState", method: .patch, resource: .data(["jobs", "ingest", job]))
            close.body = .bytes(JSONValue(["state": "UploadComplete"] as JSONObject).bytes())
            try DryRun.print(close, of: client)
        }
        DryRun.end()
    }
}

/// The files with the results of an import's rows, each of which appears when it is complete.
struct ImportResults {
    private enum Kind: String, CaseIterable {
        case successful, failed, unprocessed, unknown
    }

    private struct File {
        let writer: FileWriter
        var rows: CSVWriter
        let columns: [String]
        var count = 0
    }

    private let source: String
    private let isQuiet: Bool
    private var files: [Kind: File] = [:]

    init(_ source: String, isQuiet: Bool) { (self.source, self.isQuiet) = (source, isQuiet) }

    /// The result files of an import of a file.
    static func paths(of source: String) -> [String] { Kind.allCases.map { path($0, source) } }

    private static func path(_ kind: Kind, _ source: String) -> String { "\(source).\(kind.rawValue).csv" }

    private func path(_ kind: Kind) -> String { Self.path(kind, source) }

    mutating func add(_ result: BulkRowResult) throws {
        let kind: Kind =
            switch result.outcome {
            case .created, .changed: .successful
            case .failed: .failed
            case .unprocessed: .unprocessed
            case .unknown: .unknown
            }
        var file = try files[kind] ?? open(kind, result.row.header?.names ?? [])
        // Files of several jobs may have their columns in a different order.
        for name in file.columns {
            if let column = result.row.header?[name], column < result.row.count {
                file.rows.append(result.row[column])
            } else {
                file.rows.appendEmpty()
            }
        }
        try file.rows.endRow()
        file.count += 1
        if file.rows.count > 1 << 18 { try file.writer.write(file.rows.takeBytes()) }
        files[kind] = file
    }

    private func open(_ kind: Kind, _ columns: [String]) throws -> File {
        File(
            writer: try FileWriter(path: path(kind)), rows: try CSVWriter(.init(lineEnding: .lf), columns: columns),
            columns: columns)
    }

    /// Moves the result files into place, removes stale files, and throws unless all `rows` have a result.
    mutating func finish(rows: Int) throws {
        for kind in Kind.allCases {
            guard var file = files[kind] else {
                FileFacts.remove(path(kind))
                continue
            }
            try file.writer.write(file.rows.takeBytes())
            try file.writer.finish()
            guard !isQuiet else { continue }
            StandardOutput.note("\(counted(file.count)) \(kind.rawValue): \(path(kind))")
        }
        let told = files.values.reduce(0) { $0 + $1.count }
        guard told >= rows else {
            throw CommandFailure("the org reported only \(told) of \(counted(rows))", status: .partial)
        }
    }

    /// - Throws: ``CommandFailure`` if some rows were not written.
    func judge() throws {
        let written = files[.successful]?.count ?? 0
        let all = files.values.reduce(0) { $0 + $1.count }
        guard written < all else { return }
        let isPartial = written > 0 || files[.unknown] != nil
        throw CommandFailure("\(written) of \(counted(all)) written", status: isPartial ? .partial : .failure)
    }
}
