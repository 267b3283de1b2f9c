// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import Testing

@testable import SoqlCommand

@Suite("Output formats of values")
struct FormatTests {
    private func printed(
        _ printer: some RowPrinter, _ records: [JSONValue]
    ) throws -> (text: String, remark: String?) {
        var (printer, bytes) = (printer, [UInt8]())
        printer.begin(JSONArray(records)[...], into: &bytes)
        for record in records { try printer.row(record, into: &bytes) }
        return (String(decoding: bytes, as: UTF8.self), printer.remark)
    }

    private func csv(_ query: String, guardsFormulas: Bool = false, _ sample: JSONValue? = nil) -> CSVPrinter {
        var (head, options) = (head(query, sample), Arguments())
        head.columns.children = .json
        options[.csvGuard] = guardsFormulas ? "" : nil
        return CSVPrinter(head: head, options: options)
    }

    private func table(_ query: String, cellWidth: Int = 80) -> TablePrinter {
        var style = PrintStyle()
        style.options[.cellWidth] = "\(cellWidth)"
        return TablePrinter(head: head(query), style: style)
    }

    private func head(_ query: String, _ sample: JSONValue? = nil) -> ResultHead {
        ResultHead(columns: Columns(query: query, sample: sample), totalSize: 1)
    }

    @Test(
        "a cell is truncated to its columns with an ellipsis",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("", 1, ""), ("ab", 1, "…"), ("日本語", 6, "日本語"),
            ("日本語x", 6, "日本…"), ("日本語", 5, "日本…"), ("e\u{301}f", 2, "e\u{301}f"),
        ])
    func cut(text: String, columns: Int, cut: String) throws {
        #expect(text.cut(toColumns: columns) == cut)
        #expect(text.cut(toColumns: columns).columnWidth <= columns)
    }

    @Test("a long cell does not widen other rows, and truncation is reported")
    func longCell() throws {
        let long = String(repeating: "x", count: 131_072)
        let records: [JSONValue] = (0..<2_000).map { ["Name": $0 == 7 ? JSONValue(long) : "short", "Id": "1"] }
        let cut = try printed(table("SELECT Name, Id FROM Account"), records)
        #expect(cut.text.utf8.count < 300_000)
        #expect(cut.text.contains("xxx… │ 1"))
        #expect(cut.remark?.contains("--cell-width") == true)
        let whole = try printed(table("SELECT Name, Id FROM Account", cellWidth: 0), records)
        #expect(whole.text.utf8.count < 400_000)
        #expect(whole.text.contains(long))
        #expect(whole.remark == nil)
    }

    @Test(
        "a formula is marked as text, and a number is not",
        arguments: [
            (JSONValue("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0"), ("+1", "'+1"), ("-1", "'-1"),
            ("@SUM(1)", "'@SUM(1)"),
            ("＝1", "'＝1"), ("\t=1", "'\t=1"), (-1, "-1"), ("a=1", "a=1"), ("", "\"\""), (nil, "\"\""),
        ])
    func formulas(value: JSONValue, cell: String) throws {
        let guarded = try printed(csv("SELECT Name FROM A", guardsFormulas: true), [["Name": value]])
        #expect(guarded.text == "Name\n\(cell)\n")
        let plain = try printed(csv("SELECT Name FROM A"), [["Name": value]])
        #expect(plain.text.hasPrefix("Name\n'") == false)
    }

    @Test("a formula with a line break is marked before it is quoted")
    func quotedFormula() throws {
        let guarded = try printed(csv("SELECT Name FROM A", guardsFormulas: true), [["Name": "\r=\"1\""]])
        #expect(guarded.text == "Name\n\"'\r=\"\"1\"\"\"\n")
    }

    @Test("TYPEOF has a column for each field of any branch, and FIELDS() those of the first record")
    func branches() throws {
        let query =
            "SELECT Id, TYPEOF What WHEN Account THEN Phone WHEN Case THEN Subject, Phone ELSE Name END FROM Task"
        let records: [JSONValue] = [
            ["Id": "1", "What": ["Phone": "5"]], ["Id": "2", "What": ["Subject": "s", "Phone": "6"]],
            ["Id": "3", "What": nil], ["Id": "4", "What": ["Name": "n"]],
        ]
        let table = try printed(csv(query), records).text
        #expect(
            table.split(separator: "\n")
                == [
                    "Id,What.Phone,What.Subject,What.Name", "1,5,,", "2,6,s,", "3,,,", "4,,,n",
                ].map { $0[...] }, "\(table)")
        let open = head("SELECT FIELDS(ALL) FROM Task LIMIT 1", ["attributes": [:], "Id": "1", "Subject": "s"])
        #expect(open.columns.titles == ["Id", "Subject"])
    }

    @Test("names are found regardless of case, in parents, in children and in every record")
    func spelling() throws {
        let query = "SELECT name, owner.NAME, (SELECT lastname FROM contacts) FROM Account"
        let records: [JSONValue] = [
            ["Name": "a", "Owner": nil, "Contacts": nil],
            ["Name": "b", "Owner": ["Name": "o"], "Contacts": ["records": [["LastName": "c"], ["LASTNAME": "d"]]]],
            ["NAME": "e", "OWNER": ["name": "p"], "Contacts": nil],
        ]
        let table = try printed(table(query), records).text
        let rows = table.split(separator: "\n").dropFirst(2).map { row in
            row.split(separator: "│", omittingEmptySubsequences: false).map { String($0).trimmingBlanks }
        }
        #expect(rows == [["a", "null", ""], ["b", "o", "c"], ["", "", "d"], ["e", "p", ""]])
    }

    @Test("the cost per column does not grow if many columns differ in case from the response", .timeLimit(.minutes(1)))
    func manyColumns() throws {
        let names = (0..<3_000).map { "Field\($0)__c" }
        let columns = names.map { $0.lowercased() }.joined(separator: ",")
        let record = JSONValue(JSONObject(members: names.map { ($0, JSONValue($0)) }))
        // Comparing every name would take nearly a hundred million comparisons.
        let records = Array(repeating: record, count: 10)
        let text = try printed(csv("SELECT \(columns) FROM Account"), records).text
        #expect(text.hasSuffix("Field2999__c\n"))
        #expect(text.split(separator: "\n").count == 11)
    }

    @Test("column names that come from the response cannot break a line")
    func hostileTitles() throws {
        let record: JSONValue = ["a\nb\u{1B}": "1"]
        let text = try printed(csv("no query at all", record), [record]).text
        #expect(text == "a b ,".dropLast() + "\n1\n")
    }

    @Test("an invalid query without records prints nothing")
    func nothing() throws {
        #expect(try printed(csv("no query at all"), []).text.isEmpty)
    }
}

/// Values with bytes that need quotes or escapes at every position, from a server and made in memory.
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

    /// Prints a record made in memory, and the same record parsed from text.
    ///
    /// Bytes of parsed text are copied if they need no quotes. The parsed record is printed twice, because a printer
    /// learns the shape of records from its first row.
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

    @Test("CSV quotes special characters at any position", arguments: special)
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

    @Test("TSV escapes tabs, line ends and backslashes at any position", arguments: special)
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

    @Test("several adjacent special characters are quoted or escaped")
    func several() throws {
        #expect(try lines(CSVPrinter(head: head()), "\"\"") == ["\"\"\"\"\"\",1\n"])
        #expect(try lines(CSVPrinter(head: head()), ",") == ["\",\",1\n"])
        #expect(try lines(TSVPrinter(head: head()), "\t\t\\") == ["\\t\\t\\\\\t1\n"])
        #expect(try lines(CSVPrinter(head: head()), "") == ["\"\",1\n"])
        #expect(try lines(TSVPrinter(head: head()), "") == ["\t1\n"])
    }

    @Test(
        "Booleans, null and numbers are printed as they were sent",
        arguments: [("true", "true"), ("false", "false"), ("null", "")])
    func literals(value: String, text: String) throws {
        let record = try JSONValue(parsing: #"{"A":\#(value),"B":-1.50e3}"#)
        #expect(try line(CSVPrinter(head: head()), record) == "\(text),-1.50e3\n")
        #expect(try line(TSVPrinter(head: head()), record) == "\(text)\t-1.50e3\n")
    }

    @Test(
        "a string that equals the null text is quoted, and null itself is not", arguments: ["true", "1", "N/A", "a,b"])
    func null(mark: String) throws {
        var options = Arguments()
        options[.nullText] = mark
        let printer = CSVPrinter(head: head(), options: options)
        #expect(try lines(printer, mark) == ["\"\(mark)\",\(mark == "1" ? "\"1\"" : "1")\n"])
        #expect(try line(printer, ["A": .null, "B": 2]) == "\(mark),2\n")
    }
}
