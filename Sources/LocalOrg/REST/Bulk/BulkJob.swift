// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// A job of Bulk API 2.0, as its row in the database has it.
struct BulkJob: Sendable {
    enum State: String, Sendable {
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
    var isQuery: Bool
    var state: State
    var operation: String
    var object: String
    var externalID = ""
    var query = ""
    var delimiter: String
    var endsInCRLF: Bool
    var version: Int
    var user: String
    var created = ""
    var modified = ""
    /// How many bytes of the upload have been worked on.
    var position = 0
    var processed = 0
    var failed = 0
    var error = ""
    /// The names of the columns as a line of CSV.
    var header = ""

    static let prefix = "750"
    static let delimiters: [String: UInt8] = [
        "BACKQUOTE": UInt8(ascii: "`"), "CARET": UInt8(ascii: "^"), "COMMA": UInt8(ascii: ","),
        "PIPE": UInt8(ascii: "|"), "SEMICOLON": UInt8(ascii: ";"), "TAB": UInt8(ascii: "\t"),
    ]

    var id: String { RecordID.make(prefix: Self.prefix, number: number) }
    var separator: UInt8 { Self.delimiters[delimiter] ?? UInt8(ascii: ",") }
    var lineEnd: String { endsInCRLF ? "\r\n" : "\n" }

    /// The names joined into a line.
    func line(_ fields: [String]) -> String {
        fields.map(\.csvField).joined(separator: String(decoding: [separator], as: UTF8.self))
    }

    /// What a client is told; `isWhole` adds how far the job is.
    func json(_ version: APIVersion, isWhole: Bool = true) -> JSONValue {
        var members: JSONObject = [
            "id": JSONValue(id), "operation": JSONValue(operation), "object": JSONValue(object),
            "createdById": JSONValue(user), "createdDate": JSONValue(created), "systemModstamp": JSONValue(modified),
            "state": JSONValue(state.rawValue), "concurrencyMode": "Parallel", "contentType": "CSV",
            "apiVersion": JSONValue(floatLiteral: Double(self.version)),
            "lineEnding": JSONValue(endsInCRLF ? "CRLF" : "LF"), "columnDelimiter": JSONValue(delimiter),
        ]
        if !externalID.isEmpty { members["externalIdFieldName"] = JSONValue(externalID) }
        if !isQuery, state == .open {
            members["contentUrl"] = JSONValue("\(version.path.dropFirst())/jobs/ingest/\(id)/batches")
        }
        guard isWhole else { return JSONValue(members) }
        members["jobType"] = isQuery ? "V2Query" : "V2Ingest"
        members["numberRecordsProcessed"] = JSONValue(processed)
        members["retries"] = 0
        members["totalProcessingTime"] = 0
        if !isQuery {
            members["numberRecordsFailed"] = JSONValue(failed)
            members["apiActiveProcessingTime"] = 0
            members["apexProcessingTime"] = 0
        }
        if !error.isEmpty { members["errorMessage"] = JSONValue(error) }
        return JSONValue(members)
    }
}
