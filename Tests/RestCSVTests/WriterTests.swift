// SPDX-License-Identifier: Apache-2.0

import RestCSV
import Testing

@Suite("CSV writer")
struct WriterTests {
    private func text(
        _ rows: [[String]], _ dialect: CSVDialect = .rfc4180, _ quoting: CSVWriter.Quoting = .whereNeeded
    ) throws -> String {
        var writer = try CSVWriter(dialect, quoting: quoting)
        for row in rows { try writer.append(row: row) }
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    @Test("quotes where a field needs them, at every length and place")
    func quotes() throws {
        #expect(try text([["a", "b c", "é"], ["", "", ""]]) == "a,b c,é\r\n,,\r\n")
        #expect(try text([["a"], [""]], .platform(), .always) == "\"a\"\n\"\"\n")
        #expect(try text([[""]]) == "\"\"\r\n")
        #expect(try text([["\u{FEFF}a"], ["\u{FEFF}b"]], .platform()) == "\"\u{FEFF}a\"\n\u{FEFF}b\n")
        for special in [",", "\n", "\r"] {
            for length in 0..<40 {
                for place in 0...length {
                    let (before, after) = (String(repeating: "x", count: place), length - place)
                    let field = before + special + String(repeating: "y", count: after)
                    #expect(try text([[field]], .platform()) == "\"\(field)\"\n")
                }
            }
        }
        for length in 0..<40 {
            let field = String(repeating: "x", count: length)
            #expect(try text([["\"\(field)"]], .platform()) == "\"\"\"\(field)\"\n")
        }
    }

    @Test("numbers, null and nothing")
    func fields() throws {
        var writer = try CSVWriter(.platform(delimiter: .pipe, lineEnding: .crlf), columns: ["A", "B|", "#N/A"])
        writer.append(-12)
        writer.appendNull()
        writer.appendEmpty()
        try writer.endRow()
        #expect(writer.takeBytes() == Array("A|\"B|\"|#N/A\r\n-12|#N/A|\r\n".utf8))
    }

    @Test("a row that is refused is not written, and the next one is")
    func refused() throws {
        var writer = try CSVWriter(.platform(), columns: ["A", "B"])
        let width = #expect(throws: CSVError.self) { try writer.append(row: ["1"]) }
        #expect(width?.reason == .width)
        #expect([width?.row, width?.column] == [2, 2])
        #expect(width?.name == "B")
        let null = #expect(throws: CSVError.self) { try writer.append(row: ["1", "#N/A"]) }
        #expect(null?.reason == .invalidValue)
        #expect(null?.column == 2)
        try writer.append(row: ["1", "2"])
        writer.append("3")
        #expect(writer.takeBytes() == Array("A,B\n1,2\n".utf8))
        writer.append("4")
        try writer.endRow()
        #expect(writer.takeBytes() == Array("3,4\n".utf8))
        #expect(throws: CSVError.self) { try CSVWriter(columns: ["A", "A"]) }
    }
}
