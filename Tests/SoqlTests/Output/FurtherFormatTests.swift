// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestSDK
import Testing

@testable import soql

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
        set: (inout OutputOptions) -> Void = { _ in }
    ) throws -> String {
        var style = PrintStyle()
        set(&style.options)
        let head = ResultHead(columns: Columns(query: query, sample: records.first), totalSize: records.count)
        var (printer, bytes) = (format.printer(head, style), [UInt8]())
        printer.begin(JSONArray(records)[...], into: &bytes)
        for record in records { try printer.row(record, into: &bytes) }
        printer.end(isDone: true, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("children are JSON, rows of their own, or skipped")
    func children() throws {
        let json = #"a|b,"[{""LastName"":""x""},{""LastName"":""y""}]""#
        #expect(try printed(.csv) == "Name,Contacts\n\(json)\n,\n")
        #expect(try printed(.csv) { $0.children = .rows } == "Name,Contacts.LastName\na|b,x\na|b,y\n,\n")
        #expect(try printed(.csv) { $0.children = .skip } == "Name\na|b\n\"\"\n")
        #expect(try printed(.tsv) { $0.children = .skip } == "Name\na|b\n\n")
        #expect(try printed(.table) { $0.children = .skip }.contains("Contacts") == false)
        #expect(try printed(.table) { $0.children = .json }.contains(#"[{"LastName":"x"}"#))
        #expect(try printed(.ndjson).contains("LastName"))
        #expect(try printed(.ndjson) { $0.children = .skip }.contains("LastName") == false)
    }

    @Test("null in csv: nothing, or the text of --null; texts that are the same stand in quotes")
    func csvNull() throws {
        let records: [JSONValue] = [["A": nil, "B": ""], ["A": "NA", "B": "x"]]
        #expect(try printed(.csv, "SELECT A, B FROM A", records) == "A,B\n,\"\"\nNA,x\n")
        #expect(try printed(.csv, "SELECT A, B FROM A", records) { $0.nullText = "NA" } == "A,B\nNA,\n\"NA\",x\n")
        #expect(try printed(.csv, "SELECT A, B FROM A", records) { $0.hasHeader = false } == ",\"\"\nNA,x\n")
    }

    @Test("csv of parsed text is what it is of values")
    func parsedCSV() throws {
        let text = #"{"A":"plain","B":12.50,"C":"a,\"b\"\n","D":true,"E":{"F":1},"G":"x\u00e9"}"#
        let parsed = try printed(.csv, "SELECT A, B, C, D, E, G FROM A", [JSONValue(parsing: text)])
        #expect(parsed == "A,B,C,D,E,G\nplain,12.50,\"a,\"\"b\"\"\n\",true,\"{\"\"F\"\":1}\",xé\n")
    }

    @Test("tsv escapes what would break a line or a field")
    func tsv() throws {
        let text = try printed(.tsv, "SELECT A, B FROM A", [["A": "a\tb\nc\\d\r", "B": nil]]) { $0.nullText = "\\N" }
        #expect(text == "A\tB\na\\tb\\nc\\\\d\\r\t\\N\n")
    }

    @Test("markdown shows characters as they are, and numbers right")
    func markdown() throws {
        let text = try printed(.markdown, "SELECT A, B__c FROM A", [["A": "a|b\r\n<i>*x*", "B__c": 5]])
        #expect(text == "| A | B\\_\\_c |\n| --- | ---: |\n| a\\|b<br>\\<i\\>\\*x\\* | 5 |\n")
    }

    @Test(
        "a file's ending tells its format",
        arguments: zip(
            ["a.json", "a.b.CSV", "a.md", "a", "a.jsonl"],
            [
                OutputFormat.json, .csv, .markdown, .csv, .ndjson,
            ]))
    func endings(file: String, format: OutputFormat) {
        var options = OutputOptions()
        options.file = file
        #expect(options.format(onTerminal: false) == format)
        options.format = .json
        #expect(options.format(onTerminal: false) == .json)
    }

    @Test("colours: the option first, then NO_COLOR, CLICOLOR_FORCE, CLICOLOR and the terminal")
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
