// SPDX-License-Identifier: Apache-2.0

import RestJSON
import Testing

@testable import soql

@Suite("Tables that fit")
struct TableTests {
    /// A page printed on a terminal of so many columns.
    private func printed(
        _ query: String, _ records: [JSONValue], _ columns: Int?, set: (inout OutputOptions) -> Void = { _ in },
        marks: Marks = .unicode, hasColors: Bool = false
    ) throws -> (text: String, remark: String?) {
        var style = PrintStyle(marks: marks, hasColors: hasColors, columns: { columns })
        set(&style.options)
        let head = ResultHead(columns: Columns(query: query, sample: records.first), totalSize: records.count)
        var (printer, bytes) = ((style.options.format ?? .table).printer(head, style), [UInt8]())
        printer.begin(JSONArray(records)[...], into: &bytes)
        for record in records { try printer.row(record, into: &bytes) }
        return (String(decoding: bytes, as: UTF8.self), printer.remark)
    }

    @Test("columns give way by the rule: the widest first and evenly, numbers and ids never")
    func layout() {
        let none = [false, false, false]
        #expect(TableLayout(natural: [10, 20, 30], isWhole: none, into: 68)?.widths == [10, 20, 30])
        #expect(TableLayout(natural: [10, 20, 30], isWhole: none, into: 67)?.widths == [10, 20, 29])
        #expect(TableLayout(natural: [10, 20, 30], isWhole: none, into: 53)?.widths == [10, 18, 17])
        #expect(TableLayout(natural: [10, 20, 30], isWhole: [false, false, true], into: 57)?.widths == [10, 9, 30])
        #expect(TableLayout(natural: [10, 20, 30], isWhole: none, into: 32)?.widths == [8, 8, 8])
        #expect(TableLayout(natural: [10, 20, 30], isWhole: none, into: 31) == nil)
        #expect(TableLayout(natural: [10, 20, 3], isWhole: none, into: 10, isForced: true)?.widths == [8, 8, 3])
    }

    @Test("every line fits the terminal, whatever its width", arguments: [20, 40, 80, 200])
    func fits(columns: Int) throws {
        let records: [JSONValue] = (0..<30).map { number in
            [
                "Id": JSONValue("0010000000000\(number + 10)"),
                "Name": JSONValue(String(repeating: "日本 ", count: number)),
                "Size": JSONValue(number * 1_000), "Description": "👩‍👩‍👧‍👦 \(number) e\u{301}",
            ]
        }
        let table = try printed("SELECT Id, Name, Size, Description FROM A", records, columns)
        for line in table.text.split(separator: "\n") { #expect(String(line).columnWidth <= columns, "\(line)") }
        for number in 0..<30 { #expect(table.text.contains("\(number * 1_000)")) }
        #expect(table.text.contains("[ 30 ]") == (columns < 80))
        #expect((table.remark != nil) == (columns >= 80))
    }

    @Test("numbers stand right, under their title; a text among them makes the column one of texts")
    func numbers() throws {
        let records: [JSONValue] = [["N": 5, "M": 5, "T": "x"], ["N": 1_234.5, "M": "x", "T": nil]]
        let lines = try printed("SELECT N, M, T FROM A", records, 80).text.split(separator: "\n")
        #expect(lines == ["      N │ M │ T", "────────┼───┼──────", "      5 │ 5 │ x", " 1234.5 │ x │ null"])
    }

    @Test("null is dim with colours, and never looks like the text null")
    func nulls() throws {
        let records: [JSONValue] = [["T": nil], ["T": "null"], ["T": "\"null\""], ["T": ""], ["T": "nulls"]]
        let plain = try printed("SELECT T FROM A", records, 80).text.split(separator: "\n").dropFirst(2)
        #expect(Array(plain.prefix(3)) == [" null", " \"null\"", " \"\"null\"\""])
        let colored = try printed("SELECT T FROM A", records, 80, hasColors: true).text
        #expect(colored.contains("\u{1B}[2mnull\u{1B}[0m\n") && colored.hasPrefix(" \u{1B}[1mT\u{1B}[0m"))
        let chosen = try printed("SELECT T FROM A", [["T": nil], ["T": "-"]], 80) { $0.nullText = "-" }.text
        #expect(chosen.hasSuffix(" -\n \"-\"\n"))
        let vertical = try printed("SELECT T FROM A", records, 80) { $0.format = .vertical }.text
        #expect(vertical.contains("T │ null\n") && vertical.contains("T │ \"null\"\n"))
    }

    @Test("a locale without UTF-8 gets marks of ASCII, in tables and records")
    func ascii() throws {
        let record: JSONValue = ["A": JSONValue(String(repeating: "x", count: 90)), "B": "y"]
        for format in [OutputFormat.table, .vertical] {
            let text = try printed("SELECT A, B FROM A", [record], 40, set: { $0.format = format }, marks: .ascii).text
            #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
        }
        #expect(
            Marks.of(locale: nil) == .ascii && Marks.of(locale: "POSIX") == .ascii && Marks.of(locale: "C") == .ascii)
        #expect(Marks.of(locale: "C.UTF-8") == .unicode && Marks.of(locale: "de_DE.utf8") == .unicode)
    }

    @Test("rows that cannot fit become lines, each value whole; on and off choose by hand")
    func expanded() throws {
        let long = String(repeating: "word ", count: 30)
        let records: [JSONValue] = [["A": JSONValue(long), "B": 1, "C": ["records": [["L": "x"], ["L": "y"]]]]]
        let query = "SELECT A, B, (SELECT L FROM C) FROM A"
        let narrow = try printed(query, records, 16).text
        #expect(narrow.hasPrefix("─[ 1 ]──────────\nA"))
        let values = narrow.split(separator: "\n").compactMap { $0.split(separator: "│").last.map(String.init) }
        #expect(values.joined().filter { $0 != " " }.contains(long.filter { $0 != " " }))
        #expect(narrow.contains("C[2].L │ y\n"))
        #expect(try printed(query, records, 80).text.contains("…"))
        #expect(try printed(query, records, 200, set: { $0.expanded = .on }).text.hasPrefix("─[ 1 ]"))
        #expect(try printed(query, records, 10, set: { $0.expanded = .off }).text.contains("┼"))
        let lines = try printed("SELECT A FROM A", [["A": "one\ntwo"]], 80) { $0.format = .vertical }.text
        #expect(lines.hasSuffix("A │ one\n  │ two\n"))
    }

    @Test("without the header there are rows alone")
    func noHeader() throws {
        #expect(try printed("SELECT A FROM A", [["A": "x"]], 80) { $0.hasHeader = false }.text == " x\n")
        let vertical = try printed("SELECT A FROM A", [["A": "x"], ["A": "y"]], 80) {
            ($0.hasHeader, $0.format) = (false, .vertical)
        }
        #expect(vertical.text == "A │ x\n\nA │ y\n")
    }
}
