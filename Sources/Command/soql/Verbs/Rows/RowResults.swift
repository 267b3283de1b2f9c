// SPDX-License-Identifier: Apache-2.0

import RestBulk
import RestJSON
import RestSDK
import RestTransport

/// Tells what became of each row, in order, and keeps count.
///
/// Records are written whether anybody reads the results or not: a reader who has gone ends the telling, not the work.
struct RowResults {
    private(set) var written = 0
    private(set) var failed = 0
    /// Rows of which nobody knows whether they were applied.
    private(set) var unknown = 0
    private(set) var unsent = 0
    private let total: Int
    private let destination: OutputDestination
    private var output: RecordOutput
    private var hasReader = true
    private var failures: FailedRows?
    /// How many failures standard error shows when no file takes them.
    private static let mostNotes = 20

    init(total: Int, _ arguments: Arguments, failures: FailedRows?) throws {
        var options = OutputOptions(arguments)
        // The text of --null is about what is read here.
        (options.nullText, options.usesPager) = (nil, false)
        destination = try OutputDestination(options)
        output = RecordOutput(fields: ["row", "id", "result", "error"], options: options, to: destination)
        (self.total, self.failures) = (total, failures)
    }

    /// Tells of one call's rows.
    mutating func add(
        _ states: some Sequence<CollectionResults.State>, of rows: ArraySlice<InputRows.Row>,
        _ operation: RecordOperation
    ) throws {
        var records: [JSONObject] = []
        for (row, state) in zip(rows, states) {
            let (result, id, error) = count(state, operation)
            records.append([
                "row": JSONValue(row.number), "id": id.map { JSONValue($0) } ?? .null, "result": JSONValue(result),
                "error": error.map { JSONValue($0) } ?? .null,
            ])
            guard let error else { continue }
            try failures?.add(row, error)
            let number = failed + unknown + unsent
            if failures == nil, number <= Self.mostNotes { StandardOutput.note("soql: row \(row.number): \(error)") }
            if failures == nil, number == Self.mostNotes + 1 {
                StandardOutput.note("soql: more rows failed; --failed FILE keeps them")
            }
        }
        let (page, total) = (JSONArray(records.map { JSONValue($0) }), total)
        try telling { output throws in try output.print(page, of: total) }
    }

    /// Ends the list.
    ///
    /// - Parameter end: the failure behind which nothing was sent.
    /// - Throws: ``CommandFailure`` with ``ExitStatus/partial`` when some rows were written and others not; `end` when
    ///   certainly none was.
    mutating func finish(after end: RestError?) async throws {
        try telling { output throws in try output.finish(isWhole: true) }
        do { try await destination.finish() } catch is StandardOutput.ReaderGone {}
        try failures?.finish()
        let left = failed + unknown + unsent
        if let end, written == 0, unknown == 0 { throw end }
        guard left > 0 else { return }
        var text = "\(written) of \(records(written + left)) written; \(failed) failed"
        if unknown > 0 { text += "; of \(unknown) the outcome is unknown: look before you send them again" }
        if unsent > 0 { text += "; \(unsent) were not sent" }
        throw CommandFailure(text, status: written > 0 || unknown > 0 ? .partial : .failure)
    }

    private mutating func count(
        _ state: CollectionResults.State, _ operation: RecordOperation
    ) -> (result: String, id: String?, error: String?) {
        switch state {
        case .answered(let result) where result.isSuccess:
            written += 1
            return (operation.done(isCreated: result.isCreated), result.id, nil)
        case .answered(let result):
            failed += 1
            let texts = result.faults.map { "\($0.errorCode): \($0.message)" }
            return ("failed", result.id, texts.isEmpty ? "refused without a reason" : texts.joined(separator: "; "))
        case .failed(let error) where error.outcome == .notApplied:
            failed += 1
            return ("failed", nil, error.message)
        case .failed(let error):
            unknown += 1
            return ("unknown", nil, error.message)
        case .notSent:
            unsent += 1
            return ("unsent", nil, "not sent")
        }
    }

    private mutating func telling(_ work: (inout RecordOutput) throws -> Void) throws {
        guard hasReader else { return }
        do { try work(&output) } catch is StandardOutput.ReaderGone { hasReader = false }
    }
}

/// The file of rows that failed: the rows as they were, with the reason in front, ready to be mended and sent again.
struct FailedRows {
    private let file: FileWriter
    private let columns: [String]
    private var writer: CSVWriter
    private let path: String

    init(_ path: String, columns: [String]) throws {
        (self.path, self.columns) = (path, columns)
        file = try FileWriter(path: path)
        writer = try CSVWriter(.platform(), columns: ["sf__Error"] + columns)
    }

    mutating func add(_ row: InputRows.Row, _ error: String) throws {
        let cells = Dictionary(row.cells.map { ($0.column, $0.cell) }) { first, _ in first }
        writer.append(error)
        for column in columns {
            switch cells[column] {
            case .text(let text)? where text == RowFormat.null: writer.appendNull()
            case .text(let text)?: writer.append(text)
            case .json(let value)? where value.isNull: writer.appendNull()
            case .json(let value)?: writer.append(value.cellText ?? "")
            case nil: writer.appendEmpty()
            }
        }
        try writer.endRow()
        try file.write(writer.takeBytes())
    }

    /// Puts the file in its place.
    mutating func finish() throws {
        try file.write(writer.takeBytes())
        try file.finish()
    }
}
