// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestCSV
import RestJSON
import SOQLStore

/// A job of Bulk API 2.0, which the database keeps as JSON.
struct BulkJob: Sendable, Codable {
    enum Kind: Int64, Sendable, Codable {
        case ingest, query
    }

    enum State: String, Sendable, Codable {
        case open = "Open"
        case uploaded = "UploadComplete"
        case inProgress = "InProgress"
        case complete = "JobComplete"
        case failed = "Failed"
        case aborted = "Aborted"

        /// Whether nothing will change any more.
        var isFinal: Bool { [.complete, .failed, .aborted].contains(self) }
    }

    var number: Int64 = 0
    let kind: Kind
    var state: State
    var operation: String
    var object = ""
    var externalID = ""
    var query = ""
    var delimiter = "COMMA"
    var endsInCRLF = false
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

    private static let prefix = "750"

    var id: String { RecordID.make(prefix: Self.prefix, number: number) }

    /// How the texts of its records are put together.
    var dialect: CSVDialect {
        CSVDialect(
            delimiter: CSVDialect.Delimiter.platformNames[delimiter] ?? .comma, lineEnding: endsInCRLF ? .crlf : .lf)
    }

    /// The number of an id, if it is one of a job.
    static func number(_ id: String) -> Int64? {
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

extension BulkJob {
    /// What a client of 2.0 is told; `isWhole` adds how far the job is.
    func json(_ version: APIVersion, isWhole: Bool = true) -> JSONValue {
        var members: JSONObject = [
            "id": JSONValue(id), "operation": JSONValue(operation), "object": JSONValue(object),
            "createdById": JSONValue(user), "createdDate": JSONValue(created), "systemModstamp": JSONValue(modified),
            "state": JSONValue(state.rawValue), "concurrencyMode": "Parallel",
            "contentType": "CSV",
            "apiVersion": JSONValue(floatLiteral: Double(self.version)),
            "lineEnding": JSONValue(endsInCRLF ? "CRLF" : "LF"), "columnDelimiter": JSONValue(delimiter),
        ]
        if !externalID.isEmpty { members["externalIdFieldName"] = JSONValue(externalID) }
        if kind == .ingest, state == .open {
            members["contentUrl"] = JSONValue("\(version.path.dropFirst())/jobs/ingest/\(id)/batches")
        }
        if isWhole { addProgress(to: &members) }
        return JSONValue(members)
    }

    private func addProgress(to members: inout JSONObject) {
        members["jobType"] = kind == .query ? "V2Query" : "V2Ingest"
        members["numberRecordsProcessed"] = JSONValue(processed)
        members["retries"] = 0
        members["totalProcessingTime"] = JSONValue(milliseconds)
        if kind == .query {
            members["isPkChunkingSupported"] = true
        } else {
            members["numberRecordsFailed"] = JSONValue(failed)
            members["apiActiveProcessingTime"] = JSONValue(milliseconds)
            members["apexProcessingTime"] = 0
        }
        if !error.isEmpty { members["errorMessage"] = JSONValue(error) }
    }
}
