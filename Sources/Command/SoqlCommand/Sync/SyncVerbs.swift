// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK
import RestSync
import SOQLStore
import SOQLSyntax

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Verb {
    static let sync = Verb(
        "sync", operands: ["FILE [--query \"SELECT …\"]"], "create or refresh an offline copy of records",
        notes: [
            """
            --query adds a subset of the org to the copy: a query of SELECT, FROM and WHERE, with fields of parents \
            and lists of children. Each run reads the changes of all subsets, merges them with the \
            edits that apps made in the copy, and sends these to the org. An interrupted run loses nothing. The next \
            run continues.
            """,
            """
            'soql --local FILE' queries the copy without a network, even during a run. The file can only be read by \
            you, and belongs to one org and user. The exit code is 4 if conflicts or unsent changes remain.
            """,
        ],
        [.subset, .quiet] + Option.connection
    ) { arguments in
        let sync = try Sync(arguments)
        return Command { try await sync.run() }
    }

    static let syncStatus = Verb(
        "sync status", operands: ["FILE"], "print the subsets, the last sync and the changes of a copy", Option.output
    ) { arguments in
        let file = try arguments.copyFile
        return Command {
            try await SyncStore.reading(file) { try await Listing(try $0.status).print(arguments) }
        }
    }

    static let syncConflicts = Verb(
        "sync conflicts", operands: ["FILE"], "list the changes of a copy that wait for a decision",
        notes: ["Each field in conflict is a row, with its value before the change, in the copy and in the org."],
        Option.output
    ) { arguments in
        let file = try arguments.copyFile
        return Command {
            try await SyncStore.reading(file) { try await Listing(try $0.conflicts).print(arguments) }
        }
    }

    static let syncResolve = Verb(
        "sync resolve", operands: ["FILE ID --keep SIDE", "FILE ID FIELD=VALUE…"],
        "decide a conflict of a copy, for the next sync",
        notes: [
            """
            ID is the id of the conflict or of its record. --keep server drops the change. --keep client sends it at \
            the next sync. FIELD=VALUE and FIELD:=JSON choose another value for a field in conflict, and the other \
            fields keep the values of the copy.
            """
        ],
        [.keep, .quiet]
    ) { arguments in
        let resolution = try ConflictResolution(arguments)
        return Command { try await resolution.run() }
    }
}

extension Option {
    static let subset = Option(
        "--query", .text("\"SELECT …\""), "add this subset of the org to the copy; can be repeated")
    static let keep = Option(
        "--keep", .choice("SIDE", ["server", "client"]), "keep the values of the server, or those of the copy")
    static let local = Option("--local", .input, "use an offline copy of 'soql sync' instead of an org")
}

extension Arguments {
    /// The only operand, the file of a copy.
    fileprivate var copyFile: String {
        get throws(UsageError) {
            guard let file = words.first, !file.isEmpty else { throw UsageError("no file; give the file of a copy") }
            try checkNumberOfWords(atMost: 1)
            return file
        }
    }
}

extension SyncStore {
    /// Runs some work on a copy that another process may write, and closes it.
    fileprivate static func reading(_ file: String, _ body: (SyncStore) async throws -> Void) async throws {
        let store = try await openForReading(file)
        defer { store.close() }
        try await body(store)
    }
}

/// Creates or refreshes a copy.
private struct Sync: Sendable {
    private let file: String
    private let subsets: [SOQL]
    private let arguments: Arguments

    init(_ arguments: Arguments) throws {
        (file, self.arguments) = (try arguments.copyFile, arguments)
        subsets = try arguments.all(.subset).map { given in
            let text = QueryText.trimmed(given)
            do throws(SOQLSyntaxError) { _ = try SOQLQuery(parsing: text) } catch {
                throw CommandFailure("invalid --query: \(error.message) at \(error.position.offset)", status: .usage)
            }
            return SOQL(raw: text)
        }
        guard !subsets.isEmpty || FileFacts.exists(file) else {
            throw CommandFailure("\(file) does not exist; use --query to create it", status: .usage)
        }
    }

    func run() async throws {
        let progress = Progress("Syncing", isQuiet: arguments.has(.quiet))
        defer { progress.end() }
        let (report, conflicts) = try await Connection.work(arguments) { client in
            let store =
                subsets.isEmpty
                ? try await SyncStore.open(file) : try await SyncStore.open(file, for: subsets, of: client)
            defer { store.close() }
            for subset in subsets { try store.add(subset) }
            let report = try await store.sync(with: client) {
                progress.advance(to: $0.pulled + $0.removed + $0.created + $0.updated + $0.deleted)
            }
            progress.begin("Indexing")
            await store.indexed()
            return (report, try store.conflicts.count)
        }
        progress.end()
        arguments.note(
            "\(file): \(counted(report.pulled)) read, \(report.removed) removed; in the org \(report.created) created, "
                + "\(report.updated) updated, \(report.deleted) deleted")
        for (object, fields) in report.missingFields.sorted(by: { $0.key < $1.key }) {
            StandardOutput.note("soql: the org has no \(object).\(fields.joined(separator: ", "))".singleLine)
        }
        guard conflicts + report.pending > 0 else { return }
        var lines: [String] = []
        if conflicts > 0 {
            lines.append("\(counted(conflicts, "conflict")); use 'soql sync conflicts' and 'soql sync resolve'")
        }
        if report.pending > 0 { lines.append("\(counted(report.pending, "change")) not sent; sync again") }
        throw CommandFailure(lines.joined(separator: "; "), status: .partial)
    }
}

/// Decides a conflict.
private struct ConflictResolution: Sendable {
    private let file: String
    private let id: String
    private let assignments: [FieldAssignment]
    private let arguments: Arguments

    init(_ arguments: Arguments) throws(UsageError) {
        guard arguments.words.count >= 2 else { throw UsageError("give the file of a copy and the id of a conflict") }
        (file, id, self.arguments) = (arguments.words[0], arguments.words[1], arguments)
        assignments = try FieldAssignment.all(Array(arguments.words.dropFirst(2)))
        guard assignments.isEmpty == arguments.has(.keep) else {
            throw UsageError("give either --keep server, --keep client or FIELD=VALUE")
        }
    }

    func run() async throws {
        guard FileFacts.exists(file) else { throw CommandFailure("\(file) does not exist", status: .usage) }
        let store = try await SyncStore.open(file)
        defer { store.close() }
        let conflict = try store.conflicts.first { "\($0.id)" == id || $0.recordID == id }
        guard let conflict else {
            throw CommandFailure(
                "\(file) has no conflict '\(id)'; use 'soql sync conflicts' to list them", status: .usage)
        }
        let keepsServer = arguments[.keep] == "server"
        let object = store.schema.object(named: conflict.object)
        guard keepsServer || object != nil else {
            throw CommandFailure(
                "the copy no longer has the object \(conflict.object); use --keep server", status: .usage)
        }
        var resolution = keepsServer ? SyncConflict.Resolution.server : .local
        if let object, !assignments.isEmpty {
            resolution = .values(try RecordForm(object: object.description).record(assignments))
        }
        try store.resolve(conflict, with: resolution)
        arguments.note(keepsServer ? "the change was dropped" : "the next sync sends the change")
    }
}

extension Listing {
    /// The state of a copy, one property in each row.
    fileprivate init(_ status: SyncStatus) {
        var rows: [(item: String, name: String?, count: Int?)] = status.subsets.map { ("subset", $0, nil) }
        let time = status.lastSync.map { WireTime.datetime(milliseconds: Int64($0.timeIntervalSince1970 * 1_000)) }
        rows.append(("last sync", time, nil))
        rows += status.pending.sorted { $0.key < $1.key }.map { ("unsent changes", $0.key, $0.value) }
        rows += status.conflicts.sorted { $0.key < $1.key }.map { ("conflicts", $0.key, $0.value) }
        self.init(
            rows,
            [
                "item": { JSONValue($0.item) }, "name": { $0.name.map { JSONValue($0) } },
                "count": { $0.count.map { JSONValue($0) } },
            ])
    }

    /// Conflicts, one field in each row.
    fileprivate init(_ conflicts: [SyncConflict]) {
        let rows = conflicts.flatMap { conflict -> [(conflict: SyncConflict, field: SyncConflict.Field?)] in
            conflict.fields.isEmpty ? [(conflict, nil)] : conflict.fields.map { (conflict, $0) }
        }
        self.init(
            rows,
            [
                "id": { JSONValue(Int($0.conflict.id)) }, "object": { JSONValue($0.conflict.object) },
                "record": { JSONValue($0.conflict.recordID) }, "reason": { JSONValue($0.conflict.reason.description) },
                "field": { $0.field.map { JSONValue($0.name) } }, "base": { $0.field?.base },
                "client": { $0.field?.local }, "server": { $0.field?.server },
            ])
    }
}
