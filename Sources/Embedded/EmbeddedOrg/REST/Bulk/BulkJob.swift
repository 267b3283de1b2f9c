// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestCSV
import RestText

/// A piece of work as its row in the database has it: a job of Bulk API 2.0, or a job or a batch of Bulk API 1.0.
///
/// The worker knows no difference between a job of 2.0 and a batch of 1.0.
struct BulkJob: Sendable {
    enum Kind: Int64, Sendable {
        /// Jobs of 2.0.
        case ingest, query
        /// A job of 1.0, which is done when its batches are.
        case classic
        case batch
    }

    /// The states of 2.0, and `Closed` of 1.0.
    enum State: String, Sendable {
        case open = "Open"
        case closed = "Closed"
        case uploaded = "UploadComplete"
        case inProgress = "InProgress"
        case complete = "JobComplete"
        case failed = "Failed"
        case aborted = "Aborted"

        /// Whether nothing will change any more.
        var isFinal: Bool { [.complete, .failed, .aborted].contains(self) }
    }

    enum ContentType: String, Sendable {
        case csv = "CSV"
        case json = "JSON"
        case xml = "XML"
    }

    var number: Int64 = 0
    let kind: Kind
    /// The job of a batch, 0 for a job.
    var parent: Int64 = 0
    var state: State
    var operation: String
    var object = ""
    var externalID = ""
    var query = ""
    var assignmentRule = ""
    var contentType = ContentType.csv
    var delimiter = "COMMA"
    var endsInCRLF = false
    var isSerial = false
    /// Whether the first batch of a query is replaced by others (`Sforce-Enable-PKChunking`).
    var isChunked = false
    var version: Int
    var user: String
    var created = ""
    var modified = ""
    /// The content that was uploaded, 0 for none.
    var upload: Int64 = 0
    var processed = 0
    var failed = 0
    var error = ""
    /// The names of the columns as a line of CSV.
    var header = ""
    /// How long the worker has been at it.
    var milliseconds: Int64 = 0

    static let (prefix, batchPrefix) = ("750", "751")

    var id: String { RecordID.make(prefix: kind == .batch ? Self.batchPrefix : Self.prefix, number: number) }
    var isQuery: Bool { operation == "query" || operation == "queryAll" }

    /// How the texts of its records are put together.
    var dialect: CSVDialect {
        CSVDialect(
            delimiter: CSVDialect.Delimiter.platformNames[delimiter] ?? .comma, lineEnding: endsInCRLF ? .crlf : .lf)
    }

    /// The number of an id, if it is one of a job or of a batch.
    static func number(_ id: String, _ prefix: String = Self.prefix) -> Int64? {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: prefix),
            let number = RecordID.number(of: known.utf8.prefix(15).suffix(7)),
            RecordID.make(prefix: prefix, number: number) == known
        else { return nil }
        return number
    }

    /// A line of CSV with its end.
    func line(_ fields: [String]) -> String {
        guard var writer = try? CSVWriter(dialect, quoting: .always), (try? writer.append(row: fields)) != nil else {
            return ""
        }
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }
}
