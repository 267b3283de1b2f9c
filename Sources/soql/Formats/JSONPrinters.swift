// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// One object `{totalSize, done, records}` with a record on each line; `done` is false when a limit cut the result.
struct JSONPrinter: RowPrinter {
    let head: ResultHead
    private var isFirst = true

    init(head: ResultHead) {
        self.head = head
    }

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] {
        Array(#"{"totalSize":\#(head.totalSize),"done":\#(head.printedSize == head.totalSize),"records":["#.utf8)
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

    mutating func end() -> [UInt8] {
        Array((isFirst ? "]}\n" : "\n]}\n").utf8)
    }
}

/// One record a line, each a JSON object as the server sent it.
struct NDJSONPrinter: RowPrinter {
    let head: ResultHead

    mutating func begin(_ records: Slice<JSONArray>) -> [UInt8] { [] }

    mutating func rows(_ records: Slice<JSONArray>) -> [UInt8] {
        records.flatMap { $0.bytes() + CollectionOfOne(UInt8(ascii: "\n")) }
    }

    mutating func end() -> [UInt8] { [] }
}
