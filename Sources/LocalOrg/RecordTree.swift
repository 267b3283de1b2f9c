// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Records for a new org, in the JSON that `sf data export tree` writes.
///
/// It is `{"records": […]}`. Every record has `attributes` with its `type`. Its children stand below the name of their
/// relationship, and `"@REFERENCE"` in a reference field is the record whose `attributes` have that `referenceId`,
/// here or in another tree.
public struct RecordTree: Sendable {
    /// The name in messages, such as the file's.
    let name: String
    /// The records.
    let records: JSONArray

    /// Reads a tree.
    ///
    /// - Parameters:
    ///   - json: The text.
    ///   - name: The name in messages, such as the file's.
    /// - Throws: `LocalOrgError` with ``LocalOrgError/Code/invalidRecords``.
    public init(json: [UInt8], name: String = "the tree") throws(LocalOrgError) {
        self.name = name
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(parsing: json, limits: JSONLimits(maximumDepth: 64))
        } catch {
            throw LocalOrgError(
                code: .invalidRecords,
                message: "\(name) is not JSON: \(error.expected) expected in line \(error.line), column \(error.column)"
            )
        }
        guard let records = root["records"]?.array else {
            throw LocalOrgError(code: .invalidRecords, message: "\(name) must be an object with a list of 'records'")
        }
        self.records = records
    }
}
