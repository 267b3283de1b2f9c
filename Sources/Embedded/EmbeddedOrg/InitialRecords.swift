// SPDX-License-Identifier: Apache-2.0

import RestCSV
import RestJSON

/// Records for a new org: the JSON that `sf data export tree` writes, or a table of one object as CSV.
///
/// The JSON is `{"records": […]}`. Every record has `attributes` with its `type`. Its children stand below the name of
/// their relationship, and `"@REFERENCE"` in a reference field is the record whose `attributes` have that
/// `referenceId`, here or in another tree.
///
/// The first line of a table names the fields; `Account.ExternalId__c` names a parent by its external id. Empty values
/// are not written, and `#N/A` is null. Values of a column `Id` name the rows for reference fields, here or in another
/// table, as in an export; the records get ids of their own.
public struct InitialRecords: Sendable {
    /// What the records were read from.
    enum Content: Sendable {
        case tree(JSONArray)
        case table(object: String, CSVDocument)
    }

    /// The name in messages, such as the file's.
    let name: String
    let content: Content

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
        content = .tree(records)
    }

    /// Reads a table.
    ///
    /// - Parameters:
    ///   - csv: The text, with a header.
    ///   - object: The name of the object that the rows are records of.
    ///   - name: The name in messages, such as the file's.
    /// - Throws: `LocalOrgError` with ``LocalOrgError/Code/invalidRecords``.
    public init(csv: [UInt8], of object: String, name: String = "the table") throws(LocalOrgError) {
        self.name = name
        do throws(CSVError) {
            content = .table(object: object, try CSVDocument(parsing: csv))
        } catch {
            throw LocalOrgError(code: .invalidRecords, message: "\(name) is not CSV: \(error.description)")
        }
    }
}
