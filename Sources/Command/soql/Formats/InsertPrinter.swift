// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestSDK

/// The records as a tree that `soql tree import` and `sf data import tree` create in another org.
///
/// Each has its type and a reference of its own. Ids and empty fields are left out, children stand below their parents.
struct InsertPrinter: RowPrinter {
    let head: ResultHead
    private var export = TreeExport(keepsIDs: false)
    private var isFirst = true
    var printsCountAsRow: Bool { true }

    init(head: ResultHead) {
        self.head = head
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        output.append(text: #"{"records":["#)
    }

    /// Prints a record.
    ///
    /// - Throws: `RestError` for groups of records, and for a field that no record can be created with.
    mutating func row(_ record: JSONValue, into output: inout [UInt8]) throws {
        let shown = head.columns.children == .skip ? record.withoutChildren : record
        let tree = try export.tree(shown.object ?? [:]).tree
        output.append(text: isFirst ? "\n" : ",\n")
        output.append(contentsOf: tree.json.bytes())
        isFirst = false
    }

    mutating func end(isDone: Bool, into output: inout [UInt8]) {
        output.append(text: (isFirst ? "" : "\n") + "]}\n")
    }
}
