// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestCSV
import RestJSON
import SOQLStore

/// A job of Bulk API 2.0, which is stored as JSON.
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
    /// The uploaded content, or 0.
    var upload: Int64 = 0
    var processed = 0
    var failed = 0
    var error = ""
    /// The column names as a line of CSV.
    var header = ""
    /// The duration of the work so far.
    var milliseconds: Int64 = 0

    private static let prefix = "750"

    var id: String { RecordID.make(prefix: Self.prefix, number: number) }

    var dialect: CSVDialect {
        CSVDialect(
            delimiter: CSVDialect.Delimiter.platformNames[delimiter] ?? .comma, lineEnding: endsInCRLF ? .crlf : .lf)
    }

    /// Returns the number in the ID of a job.
    static func number(_ id: String) -> Int64? {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: prefix),
            let number = RecordID.number(of: known.utf8.prefix(15).suffix(7)),
            RecordID.make(prefix: prefix, number: number) == known
        else { return nil }
        return number
    }

    func line(_ fields: [String]) -> String {
        guard var writer = try? CSVWriter(dialect, quoting: .always), (try? writer.append(row: fields)) != nil else {
            return ""
        }
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    /// Returns the job for a client, with its progress if `isWhole`.
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
