// SPDX-License-Identifier: Apache-2.0

import RestCSV
import RestTesting

/// A random table as a query job returns it, in chunks as they arrive from a connection.
struct CSVTableSample {
    /// The rows, including the header.
    let rows: [[String]]
    let bytes: [UInt8]
    private let chunks: [[UInt8]]
    private static let chunkSize = 64 << 10

    /// Creates the table, whose fields need no quotes.
    init(records count: Int, seed: UInt64 = 42) throws {
        var random = SeededGenerator(seed: seed)
        var rows = [
            [
                "Id", "Name", "Industry", "AnnualRevenue", "NumberOfEmployees", "IsActive__c", "Phone", "BillingCity",
                "Description", "CreatedDate", "Owner.Name", "Website",
            ]
        ]
        for index in 0..<count { rows.append(CSVTableSample.row(index, &random)) }
        self.rows = rows
        var writer = try CSVWriter(.platform())
        for row in rows { try writer.append(row: row) }
        let text = writer.takeBytes()
        bytes = text
        chunks = stride(from: 0, to: text.count, by: CSVTableSample.chunkSize).map {
            Array(text[$0..<min($0 + CSVTableSample.chunkSize, text.count)])
        }
    }

    private static func row(_ index: Int, _ random: inout SeededGenerator) -> [String] {
        [
            "001xx0000" + String(1_000_000 + index, radix: 36).uppercased() + "AAG",
            "Blue River Trading \(random.next(below: 10_000))", random.next(below: 8) == 0 ? "" : "Manufacturing",
            String(Double(random.next(below: 1_000_000_000)) / 100), String(random.next(below: 50_000)),
            random.next(below: 2) == 0 ? "true" : "false", "+49 30 \(1_000_000 + random.next(below: 9_000_000))",
            "Austin", "Met the buyer on Tuesday; follow up next quarter.",
            "2026-0\(1 + random.next(below: 9))-1\(random.next(below: 10))T10:11:12.000Z", "Grand Hotels",
            "https://www.example.com/accounts/\(random.next(below: 1_000_000))/overview.html",
        ]
    }

    /// Reads every field as a byte range, and returns the sum of their lengths.
    func fieldBytes() throws -> Int {
        var sum = 0
        try forEachRow { row in
            for column in row.indices { sum += row.range(at: column).count }
        }
        return sum
    }

    func rowCount() throws -> Int {
        var count = 0
        try forEachRow { _ in count += 1 }
        return count
    }

    private func forEachRow(_ body: (CSVRow) -> Void) throws {
        var reader = CSVReader(.platform(), options: .init(hasHeader: false))
        for chunk in chunks { try reader.push(chunk).forEach(body) }
        try reader.finish().forEach(body)
    }

    /// Writes all rows in chunks, as for a connection, and returns the number of bytes.
    func write() throws -> Int {
        var writer = try CSVWriter(.platform())
        var count = 0
        for row in rows {
            try writer.append(row: row)
            if writer.count >= CSVTableSample.chunkSize { count += writer.takeBytes().count }
        }
        return count + writer.takeBytes().count
    }
}
