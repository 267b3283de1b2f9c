// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestJSON
import RestSDK
import Testing

@testable import SoqlCommand

@Suite("Table layout")
struct TableTests {
    private func printed(
        _ query: String, _ records: [JSONValue], _ columns: Int?, set: (inout Arguments) -> Void = { _ in },
        marks: Marks = .unicode, hasColors: Bool = false
    ) throws -> (text: String, remark: String?) {
        var style = PrintStyle(marks: marks, hasColors: hasColors, columns: { columns })
        set(&style.options)
        let head = ResultHead(columns: Columns(query: query, sample: records.first), totalSize: records.count)
        var (printer, bytes) = ((style.options.choice(.format) ?? OutputFormat.table).printer(head, style), [UInt8]())
        printer.begin(JSONArray(records)[...], into: &bytes)
        for record in records { try printer.row(record, into: &bytes) }
        return (String(decoding: bytes, as: UTF8.self), printer.remark)
    }

    @Test("the widest columns shrink first and evenly, and numbers and ids never shrink")
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

    @Test("every line fits the terminal at any width", arguments: [20, 40, 80, 200])
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

    @Test("numbers are right-aligned under their title, and one string makes the column left-aligned")
    func numbers() throws {
        let records: [JSONValue] = [["N": 5, "M": 5, "T": "x"], ["N": 1_234.5, "M": "x", "T": nil]]
        let lines = try printed("SELECT N, M, T FROM A", records, 80).text.split(separator: "\n")
        #expect(lines == ["      N │ M │ T", "────────┼───┼──────", "      5 │ 5 │ x", " 1234.5 │ x │ null"])
    }

    @Test("null is dim if colors are on, and always differs from the string null")
    func nulls() throws {
        let records: [JSONValue] = [["T": nil], ["T": "null"], ["T": "\"null\""], ["T": ""], ["T": "nulls"]]
        let plain = try printed("SELECT T FROM A", records, 80).text.split(separator: "\n").dropFirst(2)
        #expect(Array(plain.prefix(3)) == [" null", " \"null\"", " \"\"null\"\""])
        let colored = try printed("SELECT T FROM A", records, 80, hasColors: true).text
        #expect(colored.contains("\u{1B}[2mnull\u{1B}[0m\n") && colored.hasPrefix(" \u{1B}[1mT\u{1B}[0m"))
        let chosen = try printed("SELECT T FROM A", [["T": nil], ["T": "-"]], 80) { $0[.nullText] = "-" }.text
        #expect(chosen.hasSuffix(" -\n \"-\"\n"))
        let vertical = try printed("SELECT T FROM A", records, 80) { $0[.format] = "vertical" }.text
        #expect(vertical.contains("T │ null\n") && vertical.contains("T │ \"null\"\n"))
    }

    @Test("a locale without UTF-8 gets ASCII marks, in tables and records")
    func ascii() throws {
        let record: JSONValue = ["A": JSONValue(String(repeating: "x", count: 90)), "B": "y"]
        for format in [OutputFormat.table, .vertical] {
            let text = try printed(
                "SELECT A, B FROM A", [record], 40, set: { $0[.format] = format.rawValue }, marks: .ascii
            ).text
            #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
        }
        #expect(
            Marks.of(locale: nil) == .ascii && Marks.of(locale: "POSIX") == .ascii && Marks.of(locale: "C") == .ascii)
        #expect(Marks.of(locale: "C.UTF-8") == .unicode && Marks.of(locale: "de_DE.utf8") == .unicode)
    }

    @Test("rows that do not fit are printed with one field per line, and options force or prevent that")
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
        #expect(try printed(query, records, 200, set: { $0[.expanded] = "on" }).text.hasPrefix("─[ 1 ]"))
        #expect(try printed(query, records, 10, set: { $0[.expanded] = "off" }).text.contains("┼"))
        let lines = try printed("SELECT A FROM A", [["A": "one\ntwo"]], 80) { $0[.format] = "vertical" }.text
        #expect(lines.hasSuffix("A │ one\n  │ two\n"))
    }

    @Test("without the header only rows are printed")
    func noHeader() throws {
        #expect(try printed("SELECT A FROM A", [["A": "x"]], 80) { $0[.noHeader] = "" }.text == " x\n")
        let vertical = try printed("SELECT A FROM A", [["A": "x"], ["A": "y"]], 80) {
            ($0[.noHeader], $0[.format]) = ("", "vertical")
        }
        #expect(vertical.text == "A │ x\n\nA │ y\n")
    }
}

@Suite("Formats for other programs")
struct FurtherFormatTests {
    private static let query = "SELECT Name, (SELECT LastName FROM Contacts) FROM Account"
    private static let records: [JSONValue] = [
        [
            "attributes": ["type": "Account"], "Id": "001A", "Name": "a|b",
            "Contacts": [
                "totalSize": 2, "done": true,
                "records": [
                    ["attributes": ["type": "Contact"], "LastName": "x"],
                    ["attributes": ["type": "Contact"], "LastName": "y"],
                ],
            ],
        ],
        ["attributes": ["type": "Account"], "Id": "001B", "Name": nil, "Contacts": nil],
    ]

    private func printed(
        _ format: OutputFormat, _ query: String = query, _ records: [JSONValue] = records,
        set: (inout Arguments) -> Void = { _ in }
    ) throws -> String {
        var style = PrintStyle()
        set(&style.options)
        let head = ResultHead(columns: Columns(query: query, sample: records.first), totalSize: records.count)
        var (printer, bytes) = (format.printer(head, style), [UInt8]())
        printer.begin(JSONArray(records)[...], into: &bytes)
        for record in records { try printer.row(record, into: &bytes) }
        try printer.end(isDone: true, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("children are printed as JSON, as rows, or not at all")
    func children() throws {
        let json = #"a|b,"[{""LastName"":""x""},{""LastName"":""y""}]""#
        #expect(try printed(.csv) == "Name,Contacts\n\(json)\n,\n")
        #expect(try printed(.csv) { $0[.children] = "rows" } == "Name,Contacts.LastName\na|b,x\na|b,y\n,\n")
        #expect(try printed(.csv) { $0[.children] = "skip" } == "Name\na|b\n\"\"\n")
        #expect(try printed(.tsv) { $0[.children] = "skip" } == "Name\na|b\n\n")
        #expect(try printed(.table) { $0[.children] = "skip" }.contains("Contacts") == false)
        #expect(try printed(.table) { $0[.children] = "json" }.contains(#"[{"LastName":"x"}"#))
        #expect(try printed(.ndjson).contains("LastName"))
        #expect(try printed(.ndjson) { $0[.children] = "skip" }.contains("LastName") == false)
    }

    @Test("null in CSV is empty or the --null text, and equal strings are quoted")
    func csvNull() throws {
        let records: [JSONValue] = [["A": nil, "B": ""], ["A": "NA", "B": "x"]]
        #expect(try printed(.csv, "SELECT A, B FROM A", records) == "A,B\n,\"\"\nNA,x\n")
        #expect(try printed(.csv, "SELECT A, B FROM A", records) { $0[.nullText] = "NA" } == "A,B\nNA,\n\"NA\",x\n")
        #expect(try printed(.csv, "SELECT A, B FROM A", records) { $0[.noHeader] = "" } == ",\"\"\nNA,x\n")
    }

    @Test("CSV of parsed records equals CSV of records made in memory")
    func parsedCSV() throws {
        let text = #"{"A":"plain","B":12.50,"C":"a,\"b\"\n","D":true,"E":{"F":1},"G":"x\u00e9"}"#
        let parsed = try printed(.csv, "SELECT A, B, C, D, E, G FROM A", [JSONValue(parsing: text)])
        #expect(parsed == "A,B,C,D,E,G\nplain,12.50,\"a,\"\"b\"\"\n\",true,\"{\"\"F\"\":1}\",xé\n")
    }

    @Test("TSV escapes characters that would break a line or a field")
    func tsv() throws {
        let text = try printed(.tsv, "SELECT A, B FROM A", [["A": "a\tb\nc\\d\r", "B": nil]]) { $0[.nullText] = "\\N" }
        #expect(text == "A\tB\na\\tb\\nc\\\\d\\r\t\\N\n")
    }

    @Test("Markdown escapes characters, and right-aligns numbers")
    func markdown() throws {
        let text = try printed(.markdown, "SELECT A, B__c FROM A", [["A": "a|b\r\n<i>*x*", "B__c": 5]])
        #expect(text == "| A | B\\_\\_c |\n| --- | ---: |\n| a\\|b<br>\\<i\\>\\*x\\* | 5 |\n")
    }

    @Test(
        "the extension of a file determines its format",
        arguments: zip(
            ["a.json", "a.b.CSV", "a.md", "a", "a.jsonl"],
            [
                OutputFormat.json, .csv, .markdown, .csv, .ndjson,
            ]))
    func endings(file: String, format: OutputFormat) {
        var options = Arguments()
        options[.outputFile] = file
        #expect(options.format(onTerminal: false) == format)
        options[.format] = "json"
        #expect(options.format(onTerminal: false) == .json)
    }

    @Test("colors depend on the option first, then on NO_COLOR, CLICOLOR_FORCE, CLICOLOR and the terminal")
    func colors() {
        func isOn(_ choice: ColorChoice = .auto, _ canMove: Bool = true, _ settings: [String: String] = [:]) -> Bool {
            choice.isOn(canMove: canMove) { settings[$0] }
        }
        #expect(isOn() && !isOn(.auto, false))
        #expect(!isOn(.auto, true, ["NO_COLOR": "1"]) && isOn(.always, false, ["NO_COLOR": "1"]))
        #expect(isOn(.auto, false, ["CLICOLOR_FORCE": "1"]) && !isOn(.auto, false, ["CLICOLOR_FORCE": "0"]))
        #expect(!isOn(.auto, true, ["CLICOLOR": "0"]) && !isOn(.never, true, ["CLICOLOR_FORCE": "1"]))
        #expect(!isOn(.auto, true, ["CLICOLOR_FORCE": "1", "NO_COLOR": "1"]))
    }
}

@Suite("The width of text on a terminal", .timeLimit(.minutes(1)))
struct ColumnWidthTests {
    @Test(
        "wide, joined, modified and combining characters have the right width",
        arguments: [
            ("abc", 3), ("日本語", 6), ("e\u{301}", 1), ("ｱ", 1), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("👩‍👩‍👧‍👦", 2), ("🇩🇪", 2), ("🇩", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2), ("👍🏽", 2),
            ("👍", 2), ("a\u{200D}b", 2), ("\u{AD}", 1), ("\u{200B}", 0), ("क्षि", 3), ("ไทย", 3), ("ก็", 1), ("—", 1),
            ("🫨", 2), ("\u{E9}", 1), ("𠮷", 2),
        ])
    func widths(text: String, columns: Int) {
        #expect(text.columnWidth == columns, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
    }

    @Test("strings are truncated and wrapped between characters")
    func cutting() {
        #expect("日本語".cut(toColumns: 4) == "日…")
        #expect("👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦".cut(toColumns: 5) == "👩‍👩‍👧‍👦👩‍👩‍👧‍👦…")
        #expect("abcdefghij".cut(toColumns: 6, mark: "...") == "abc...")
        #expect("abcdefghij".cut(toColumns: 2, mark: "...") == "..")
        #expect("abcdefg".wrapped(toColumns: 3) == ["abc", "def", "g"])
        #expect("日本語".wrapped(toColumns: 3) == ["日", "本", "語"])
        #expect("日本語".wrapped(toColumns: 1) == ["日", "本", "語"])
        #expect("".wrapped(toColumns: 3) == [""])
    }
}
