// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// One object with `totalSize`, the `records`, one on each line, and `done`.
///
/// `done` comes last because it is known only then. It is false when a limit, a failure or the server cut the result.
struct JSONPrinter: RowPrinter {
    let head: ResultHead
    private var isFirst = true
    var printsCountAsRow: Bool { false }

    init(head: ResultHead) {
        self.head = head
    }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        output.append(text: #"{"totalSize":\#(head.totalSize),"records":["#)
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        output.append(text: isFirst ? "\n" : ",\n")
        head.columns.json(of: record).appendAsSent(to: &output)
        isFirst = false
    }

    mutating func end(isDone: Bool, into output: inout [UInt8]) {
        output.append(text: (isFirst ? "" : "\n") + #"],"done":\#(isDone)}"# + "\n")
    }
}

/// One record a line, each a JSON object as the server sent it; a count is an object with `totalSize`.
struct NDJSONPrinter: RowPrinter {
    let head: ResultHead
    var printsCountAsRow: Bool { false }

    mutating func begin(_ records: Slice<JSONArray>, into output: inout [UInt8]) {
        if head.columns.isCount { output.append(text: #"{"totalSize":\#(head.totalSize)}"# + "\n") }
    }

    mutating func row(_ record: JSONValue, into output: inout [UInt8]) {
        head.columns.json(of: record).appendAsSent(to: &output)
        output.append(UInt8(ascii: "\n"))
    }
}

extension Columns {
    /// A record as JSON has it, without its children if they are not wanted.
    fileprivate func json(of record: JSONValue) -> JSONValue { children == .skip ? record.withoutChildren : record }
}
