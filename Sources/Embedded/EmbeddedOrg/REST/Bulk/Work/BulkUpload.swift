// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// One record of an upload.
struct BulkRow {
    enum Content {
        /// Texts by the names of columns; `nil` is null, and a column that says nothing is not there.
        case texts([(name: String, text: String?)])
        case members(JSONObject)
        /// What is no record, although the records around it are.
        case fault(OrgFault)
    }

    let content: Content
    /// The record as it was uploaded, with the end of its line.
    var line = ""
}

/// Where the records of an upload come from, one by one.
protocol BulkUpload {
    /// The names of the columns, if all records have the same.
    var names: [String]? { get }
    /// The first line as it was uploaded.
    var header: String { get }
    mutating func next() throws(OrgFault) -> BulkRow?
}

/// The bytes that were uploaded for a job.
struct BulkContent {
    let number: Int64
    let database: Database

    /// How many bytes are read at once.
    static let step = 1 << 20

    func bytes(_ range: Range<Int>) throws(OrgFault) -> [UInt8] {
        try database.read { (connection) throws(OrgFault) -> [UInt8] in
            do throws(DatabaseError) {
                return try ContentStore.bytes(of: number, range, connection)
            } catch {
                throw OrgFault(error)
            }
        }
    }

    /// All bytes of a batch, which is never long.
    func all() throws(OrgFault) -> [UInt8] { try bytes(0..<ClassicRules.mostBytes) }
}

extension BulkJob {
    /// The records that were uploaded.
    func records(_ database: Database) throws(OrgFault) -> any BulkUpload {
        let content = BulkContent(number: upload, database: database)
        return switch contentType {
        case .csv: try CSVUpload(content, self)
        case .json: try RecordUpload(json: content.all())
        case .xml: try RecordUpload(xml: content.all())
        }
    }
}
