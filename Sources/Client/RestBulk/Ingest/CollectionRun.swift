// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
import SOQLCheck

/// Writes the rows of a load by collections of 200 records, whose outcomes become the result files of a job.
///
/// The journal records the rows of a collection before it is sent. If the response is lost, or the process ends, the
/// outcome of these rows is unknown and they are not sent again, unless they are upserts, which can be repeated.
struct CollectionRun {
    /// The beginning of the id of a job that does not exist, as which a part appears in the journal.
    static let mark = "collections"

    /// The number of rejected collections after which no further one is divided, which bounds the number of calls.
    private static let mostRejections = 100

    private let load: BulkLoad
    private let plan: LoadRecord.Plan
    private let journal: WorkJournal<LoadState>
    private let form: CollectionForm
    private var reporter: ProgressReporter<BulkProgress>?
    private var rejections = 0

    /// Asks the org for the description of the object.
    init(
        _ load: BulkLoad, _ plan: LoadRecord.Plan, _ journal: WorkJournal<LoadState>,
        _ report: (@Sendable (BulkProgress) -> Void)?
    ) async throws(BulkError) {
        (self.load, self.plan, self.journal) = (load, plan, journal)
        reporter = report.map { ProgressReporter($0) }
        let object: ObjectDescription
        do throws(RestError) { object = try await load.client.send(.describe(plan.object)) } catch {
            throw BulkError(error, job: nil)
        }
        form = try CollectionForm(plan, load.target.operation, object)
    }

    /// Writes the rows that were not sent.
    mutating func run() async throws(BulkError) {
        do throws(BulkError) {
            for part in journal.content.parts where !part.isOver {
                let rows = try PartRows(part.cut, of: plan, source: load.sourcePath, load.folder)
                try await write(rows.cursor, from: part.cut.before)
                try finish(part.cut, rows.cursor)
            }
        } catch {
            throw error.after(progress)
        }
        reporter?.reportEnd(progress)
    }

    private var progress: BulkProgress {
        journal.read { state in
            var progress = BulkProgress()
            progress.rows = state.rows
            progress.rowsFailed = state.outcomes.values.count { $0.error != nil }
            progress.rowsProcessed = state.outcomes.values.count { $0 != LoadRecord.RowOutcome() }
            progress.recordsProcessed = progress.rowsProcessed
            return progress
        }
    }

    private mutating func write(_ rows: RowCursor, from before: Int) async throws(BulkError) {
        let known = journal.read(\.outcomes)
        var (rows, due, first, row) = (rows, [JSONObject](), 0, CSVRow?.none)
        repeat {
            row = try rows.next()
            let (number, next) = (before + rows.count - 1, row)
            let outcome = known[number]
            let isDue = next != nil && (outcome == nil || form.isRepeatable && outcome == LoadRecord.RowOutcome())
            if due.count == RestRequest.maximumRecords || !isDue, !due.isEmpty {
                try await send(due, from: first)
                due = []
            }
            guard isDue, let next else { continue }
            if due.isEmpty { first = number }
            due.append(form.record(next))
        } while row != nil
    }

    /// Sends one collection, in halves if the org rejects it as a whole because of some of its rows.
    private mutating func send(_ records: [JSONObject], from first: Int) async throws(BulkError) {
        guard !Task.isCancelled else { throw BulkError(.cancelled, "the load was cancelled") }
        try journal.add(.sent(first: first, count: records.count))
        var outcomes: [LoadRecord.RowOutcome?] = []
        do throws(RestError) {
            outcomes = try await load.client.send(form.request(records)).map { form.outcome($0) }
        } catch {
            guard error.outcome == .notApplied || error.code == .invalidRequest else {
                guard !error.code.isOfEveryCall else { throw BulkError(error, job: nil) }
                return
            }
            try journal.add(.outcomes(first: first, records.map { _ in nil }))
            guard error.status == 400 || error.code == .invalidRequest else { throw BulkError(error, job: nil) }
            rejections += 1
            guard records.count == 1 || rejections > Self.mostRejections else {
                let half = records.count / 2
                try await send(Array(records[..<half]), from: first)
                return try await send(Array(records[half...]), from: first + half)
            }
            let fault = error.faults.first ?? APIFault(errorCode: .unknown, message: error.message)
            outcomes = records.map { _ in LoadRecord.RowOutcome(error: form.text(of: fault)) }
        }
        try journal.add(.outcomes(first: first, outcomes), isDurable: false)
        if reporter?.isDue() == true { reporter?.handler(progress) }
    }

    /// Writes the result files of a part, and records its end.
    private func finish(_ part: LoadRecord.Part, _ rows: RowCursor) throws(BulkError) {
        let job = Self.mark + "000\(part.number)".suffix(4)
        let outcomes = journal.read(\.outcomes)
        var (processed, failed) = (0, 0)
        for kind in ResultFile.Kind.allCases {
            let path = load.folder.results(kind, of: job)
            var rows = rows
            do {
                let file = try FileWriter(path: path)
                let own = kind == .unprocessed ? [] : ["sf__Id", kind == .failed ? "sf__Error" : "sf__Created"]
                var text = try CSVWriter(plan.dialect, columns: own + plan.columns)
                while let row = try rows.next() {
                    let outcome = outcomes[part.before + rows.count - 1] ?? LoadRecord.RowOutcome()
                    let isFailed = outcome.error != nil
                    guard kind == .failed ? isFailed : kind == .successful && !isFailed && outcome.id != nil else {
                        continue
                    }
                    processed += 1
                    failed += isFailed ? 1 : 0
                    text.append(outcome.id ?? "")
                    text.append(outcome.error ?? "\(outcome.isCreated)")
                    for value in row { if value == plan.dialect.null { text.appendNull() } else { text.append(value) } }
                    try text.endRow()
                }
                try file.write(text.takeBytes())
                try file.finish()
            } catch {
                throw (error as? BulkError) ?? BulkError(.file, "\(path): \(error)", underlying: error)
            }
        }
        let state = BulkJob.State.jobComplete.rawValue
        let ending = LoadPart.Ending(state: state, processed: processed, failed: failed, message: nil)
        try journal.add(.step(part: part.number, .ended(job: job, ending)))
    }
}

/// The conversion of rows to the records of collections.
struct CollectionForm: Sendable {
    private struct Column: Sendable {
        /// The field, after a relationship for a related record.
        let path: [String]
        /// The object of a related record, if the column names it.
        let object: String?
        let kind: ValueKind?
    }

    private let operation: BulkOperation
    private let object: ObjectDescription
    private let columns: [Column]

    /// - Throws: ``BulkError/Code/row`` for a column that is not a field, so that the org would reject all rows.
    init(_ plan: LoadRecord.Plan, _ operation: BulkOperation, _ object: ObjectDescription) throws(BulkError) {
        var columns: [Column] = []
        for name in plan.columns {
            let (type, rest) = name.cut(byte: ":") ?? ("", name[...])
            let path = rest.split(byte: ".").map(String.init)
            if let field = object[name] {
                columns.append(Column(path: [field.name], object: nil, kind: field.valueKind))
            } else if path.count == 2, let parent = object.parentField(named: path[0])?.relationshipName {
                columns.append(Column(path: [parent, path[1]], object: type.isEmpty ? nil : String(type), kind: nil))
            } else {
                throw BulkError(.row, "\(object.name) has no such field; nothing was sent", column: name)
            }
        }
        (self.operation, self.object, self.columns) = (operation, object, columns)
    }

    /// Whether a request can be repeated without another effect.
    var isRepeatable: Bool { operation.externalID != nil }

    /// An empty field changes nothing, and `#N/A` is null.
    func record(_ row: CSVRow) -> JSONObject {
        var record = JSONObject()
        for (index, column) in columns.enumerated() where index < row.count && !row[index].isEmpty {
            let value = row[index] == "#N/A" ? .null : JSONValue(csv: row[index], as: column.kind)
            guard column.path.count == 2 else {
                record[column.path[0]] = value
                continue
            }
            var parent: JSONObject = column.object.map { ["attributes": ["type": JSONValue($0)]] } ?? [:]
            parent[column.path[1]] = value
            record[column.path[0]] = JSONValue(parent)
        }
        return record
    }

    func request(_ records: [JSONObject]) -> RestRequest.Typed<SaveResults> {
        let drafts = records.map { Record.Draft(object.name, id: $0["Id"]?.string, $0) }
        switch operation {
        case .insert, .hardDelete: return .create(drafts)
        case .update: return .update(drafts)
        case .upsert(let field):
            return .upsert(object.name, externalID: object[field]?.name ?? field, records)
        case .delete: return .delete(ids: drafts.map { $0.id ?? "" })
        }
    }

    func outcome(_ result: SaveResult) -> LoadRecord.RowOutcome {
        guard result.isSuccess else {
            let fault = result.faults.first ?? APIFault(errorCode: .unknown, message: "no reason")
            return LoadRecord.RowOutcome(id: result.id, error: text(of: fault))
        }
        return LoadRecord.RowOutcome(id: result.id, isCreated: result.isCreated ?? (operation == .insert))
    }

    /// An error as in the results of a job.
    func text(of fault: APIFault) -> String {
        "\(fault.errorCode.rawValue):\(fault.message):\(fault.fields.joined(separator: ",")) --"
    }
}
