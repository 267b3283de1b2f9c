// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestXML

/// The records of a batch in JSON or XML.
struct RecordUpload: BulkUpload {
    private var rows: ArraySlice<BulkRow>

    var names: [String]? { nil }
    var header: String { "" }

    private static let limits = JSONLimits(maximumDepth: 64)

    /// Reads an array of records.
    init(json bytes: [UInt8]) throws(OrgFault) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONDocument(parsing: bytes, limits: Self.limits).root
        } catch {
            let message = "\(error.expected) expected at [line:\(error.line), column:\(error.column)]"
            throw OrgFault(400, "InvalidBatch", "Failed to parse JSON: \(message)")
        }
        guard let records = root.array else {
            throw OrgFault(400, "InvalidBatch", "Records not found: the batch must be an array of records")
        }
        rows =
            records.map { record in
                let fault = OrgFault(400, "JSON_PARSER_ERROR", "A record must be an object")
                return BulkRow(content: record.object.map { .members($0) } ?? .fault(fault))
            }[...]
    }

    /// Reads `<sObjects><sObject>…`.
    init(xml bytes: [UInt8]) throws(OrgFault) {
        guard let root = XMLElement(parsing: bytes) else {
            throw OrgFault(400, "InvalidXML", "The batch is not well-formed XML, or has a document type")
        }
        guard root.name == "sObjects" else {
            throw OrgFault(400, "InvalidBatch", "Records not found: the batch must be an element sObjects")
        }
        rows = root.children.map { BulkRow(content: Self.content($0)) }[...]
    }

    private static func content(_ element: XMLElement) -> BulkRow.Content {
        guard element.name == "sObject" else {
            return .fault(OrgFault(400, "INVALID_BATCH", "A record must be an element sObject"))
        }
        var texts: [(name: String, text: String?)] = []
        for child in element.children where child.name != "type" {
            // A parent stands in an element of its own, by a key of its own.
            if let parent = child["sObject"] {
                for key in parent.children where key.name != "type" {
                    let type = parent["type"].map { $0.text + ":" } ?? ""
                    texts.append(("\(type)\(child.name).\(key.name)", key.isNil ? nil : key.text))
                }
            } else if child.isNil || child.text == "#N/A" {
                texts.append((child.name, nil))
            } else if !child.text.isEmpty {
                texts.append((child.name, child.text))
            }
        }
        return .texts(texts)
    }

    mutating func next() -> BulkRow? { rows.popFirst() }
}
