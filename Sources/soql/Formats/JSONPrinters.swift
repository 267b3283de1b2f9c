// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// One object with `totalSize`, the `records`, one on each line, and `done`.
///
/// `done` comes last because it is known only then. It is false when a limit, a failure or the server cut the result.
struct JSONPrinter: RowPrinter {
    let head: ResultHead
    private var isFirst = true

    init(head: ResultHead) {
        self.head = head
    }

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] {
        Array(#"{"totalSize":\#(head.totalSize),"records":["#.utf8)
    }

    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8] {
        var bytes: [UInt8] = []
        for record in records {
            bytes += isFirst ? "\n".utf8 : ",\n".utf8
            bytes += record.bytes()
            isFirst = false
        }
        return bytes
    }

    mutating func end(isDone: Bool) -> [UInt8] {
        Array(((isFirst ? "" : "\n") + #"],"done":\#(isDone)}"# + "\n").utf8)
    }
}

/// One record a line, each a JSON object as the server sent it; a count is an object with `totalSize`.
struct NDJSONPrinter: RowPrinter {
    let head: ResultHead

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] {
        head.columns.isCount ? Array(#"{"totalSize":\#(head.totalSize)}"#.utf8) + [0x0A] : []
    }

    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8] {
        records.flatMap { $0.bytes() + CollectionOfOne(UInt8(ascii: "\n")) }
    }

    mutating func end(isDone: Bool) -> [UInt8] { [] }
}
