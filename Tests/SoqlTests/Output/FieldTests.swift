// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import soql

/// Values whose bytes need quotes or escapes, at every place, as a server sends them and as they are made in memory.
@Suite("Fields of CSV and TSV")
struct FieldTests {
    private func line(_ printer: some RowPrinter, _ record: JSONValue) throws -> String {
        var (printer, bytes) = (printer, [UInt8]())
        try printer.row(record, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func head() -> ResultHead {
        var head = ResultHead(columns: Columns(query: "SELECT A, B FROM C", sample: nil), totalSize: 1)
        head.columns.children = .json
        return head
    }

    /// The record twice: as parsed text, whose bytes are copied where nothing needs a closer look, and in memory.
    ///
    /// The first row of a printer teaches it the shape of records, so the parsed one comes a second time as well.
    private func lines(_ printer: some RowPrinter, _ text: String) throws -> Set<String> {
        let made: JSONValue = ["A": JSONValue(text), "B": 1]
        let parsed = try JSONValue(parsing: made.bytes())
        var (twice, bytes) = (printer, [UInt8]())
        try twice.row(parsed, into: &bytes)
        let first = bytes.count
        try twice.row(parsed, into: &bytes)
        return [
            try line(printer, made), String(decoding: bytes[..<first], as: UTF8.self),
            String(decoding: bytes[first...], as: UTF8.self),
        ]
    }

    private static let special = ["\"", ",", "\n", "\r", "\t", "\\", "\u{0}", "é", "\u{1F600}", "=", "'", "\u{7F}"]

    @Test("CSV quotes what its readers would take for an end, wherever it stands", arguments: special)
    func csv(special: String) throws {
        for place in 0..<20 {
            for rest in [0, 1, 7, 8, 9] {
                let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: rest)
                let needsQuotes = text.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                let quoted = "\"" + text.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
                let expected = (needsQuotes ? quoted : text) + ",1\n"
                #expect(try lines(CSVPrinter(head: head()), text) == [expected])
            }
        }
    }

    @Test("TSV escapes tabs, line ends and backslashes, wherever they stand", arguments: special)
    func tsv(special: String) throws {
        let escapes: [Unicode.Scalar: String] = ["\t": "\\t", "\n": "\\n", "\r": "\\r", "\\": "\\\\"]
        for place in 0..<20 {
            for rest in [0, 1, 7, 8, 9] {
                let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: rest)
                let expected = text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + "\t1\n"
                #expect(try lines(TSVPrinter(head: head()), text) == [expected])
            }
        }
    }

    @Test("Several of them beside each other, and nothing else")
    func several() throws {
        #expect(try lines(CSVPrinter(head: head()), "\"\"") == ["\"\"\"\"\"\",1\n"])
        #expect(try lines(CSVPrinter(head: head()), ",") == ["\",\",1\n"])
        #expect(try lines(TSVPrinter(head: head()), "\t\t\\") == ["\\t\\t\\\\\t1\n"])
        #expect(try lines(CSVPrinter(head: head()), "") == ["\"\",1\n"])
        #expect(try lines(TSVPrinter(head: head()), "") == ["\t1\n"])
    }

    @Test(
        "Booleans and null are told as they were sent",
        arguments: [("true", "true"), ("false", "false"), ("null", "")])
    func literals(value: String, text: String) throws {
        let record = try JSONValue(parsing: #"{"A":\#(value),"B":-1.50e3}"#)
        #expect(try line(CSVPrinter(head: head()), record) == "\(text),-1.50e3\n")
        #expect(try line(TSVPrinter(head: head()), record) == "\(text)\t-1.50e3\n")
    }

    @Test("A text that is the mark for null gets quotes, null itself does not", arguments: ["true", "1", "N/A", "a,b"])
    func null(mark: String) throws {
        var options = OutputOptions()
        options.nullText = mark
        let printer = CSVPrinter(head: head(), options: options)
        #expect(try lines(printer, mark) == ["\"\(mark)\",\(mark == "1" ? "\"1\"" : "1")\n"])
        #expect(try line(printer, ["A": .null, "B": 2]) == "\(mark),2\n")
    }
}
