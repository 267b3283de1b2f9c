// SPDX-License-Identifier: Apache-2.0

import Costs
import Foundation
import RestBase
import RestCSV
import RestTransport
import Testing

@Suite("CSV reader")
struct ReaderTests {
    /// The examples of RFC 4180 §2 in their order, and cases that strict readers often get wrong.
    static let texts: [(text: String, rows: [[String]])] = [
        ("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
        ("aaa,bbb,ccc\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
        ("\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx", [["aaa", "bbb", "ccc"], ["zzz", "yyy", "xxx"]]),
        ("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx", [["aaa", "b\r\nbb", "ccc"], ["zzz", "yyy", "xxx"]]),
        ("\"aaa\",\"b\"\"bb\",\"ccc\"", [["aaa", "b\"bb", "ccc"]]),
        ("", []),
        ("\n", [[""]]),
        ("\n\n", [[""], [""]]),
        ("\"\"", [[""]]),
        ("\"\"\"\"", [["\""]]),
        ("\"\"\"\"\"\",", [["\"\"", ""]]),
        (",", [["", ""]]),
        ("a,", [["a", ""]]),
        ("a\nb\r\nc", [["a"], ["b"], ["c"]]),
        (" a , b ", [[" a ", " b "]]),
        ("\u{FEFF}a,b\n", [["a", "b"]]),
        ("\u{FEFF}", []),
        ("\u{FEFF}\"a\"\n", [["a"]]),
        ("é,日本\n😀,\u{0}\n", [["é", "日本"], ["😀", "\u{0}"]]),
        ("\"\n,\r\"\n", [["\n,\r"]]),
        (String(repeating: "x", count: 200) + ",y\n1,2", [[String(repeating: "x", count: 200), "y"], ["1", "2"]]),
    ]

    @Test("the rows are the same for a whole text and for every cut in three chunks", arguments: texts)
    func cuts(text: String, rows: [[String]]) {
        let bytes = Array(text.utf8)
        #expect(SlowCSV.rows(bytes, .rfc4180) == rows)
        for first in 0...bytes.count {
            for second in first...bytes.count where second - first < 8 {
                let result = read([Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])])
                #expect(result.error == nil, "cut at \(first) and \(second)")
                #expect(result.rows == rows, "cut at \(first) and \(second)")
            }
        }
    }

    @Test("written rows are read back in every dialect and in chunks of every size", arguments: allDialects)
    func roundTrips(dialect: CSVDialect) throws {
        var random = SplitMix64(seed: UInt64(dialect.delimiter.byte))
        for round in 0..<18 {
            let rows = randomRows(&random, dialect)
            var writer = try CSVWriter(dialect, quoting: round % 3 == 0 ? .always : .whereNeeded)
            for row in rows { try writer.append(row: row) }
            let bytes = writer.takeBytes()
            #expect(SlowCSV.rows(bytes, dialect) == rows)
            for size in [1, 2, 3, 7, 63, 64, 65, 1_000] {
                let result = read(chunks(bytes, of: size), dialect)
                #expect(result.error == nil)
                #expect(result.rows == rows, "\(String(decoding: bytes, as: UTF8.self).debugDescription) by \(size)")
            }
        }
    }

    @Test("a row returns its fields by name, by index and as bytes")
    func fields() throws {
        let text = "Id,Owner.Name,Note\n1,#N/A,\"\"\n\"2\",\"a\"\"b\",\"#N/A\"\n"
        let document = try CSVDocument(parsing: text, .platform())
        #expect(document.header?.names == ["Id", "Owner.Name", "Note"])
        let (first, second) = (document.rows[0], document.rows[1])
        #expect(first["Id"] == "1")
        #expect(first["Owner.Name"] == nil)
        #expect(first[1] == "#N/A")
        #expect(first.isNull(at: 1))
        #expect(!first.isEmpty(at: 1))
        #expect(first["Note"] == "")
        #expect(first.isEmpty(at: 2))
        #expect(first.isQuoted(at: 2))
        #expect(!first.isQuoted(at: 0))
        #expect(first["Nothing"] == nil)
        #expect(first.number == 2)
        #expect(second["Owner.Name"] == "a\"b")
        #expect(Array(second.bytes[second.range(at: 1)]) == Array("a\"\"b".utf8))
        #expect(second.isNull(at: 2))
        #expect(try CSVDocument(parsing: text).rows[0]["Owner.Name"] == "#N/A")
    }

    @Test("rows of any width are read if the options allow it")
    func ragged() {
        let result = read("a\nb,c\n\nd,e,f", .rfc4180, .init(hasHeader: false, allowsAnyWidth: true))
        #expect(result.rows == [["a"], ["b", "c"], [""], ["d", "e", "f"]])
    }

    @Test("only a character that can separate fields is a delimiter")
    func delimiters() {
        #expect(CSVDialect.Delimiter(":")?.byte == 0x3A)
        for character in ["\"", "\n", "\r", "\r\n", "é", "\0"] as [Character] {
            #expect(CSVDialect.Delimiter(character) == nil)
        }
        #expect(CSVDialect.Delimiter.platformNames.count == 6)
    }
}

@Suite("Rejected CSV")
struct RefusedTextTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let text: [UInt8]
        let reason: CSVError.Reason
        /// Row, column, line and offset of the error.
        let place: [Int]
        var dialect = CSVDialect.rfc4180
        var options = plain
        /// The rows before the error.
        var rows: [[String]] = []

        var testDescription: String { "\(reason) in \(String(decoding: text, as: UTF8.self).debugDescription)" }

        init(
            _ text: String, _ reason: CSVError.Reason, _ place: [Int], _ dialect: CSVDialect = .rfc4180,
            _ options: CSVReader.Options = plain, rows: [[String]] = []
        ) {
            self.init(Array(text.utf8), reason, place, dialect, options, rows: rows)
        }

        init(
            _ text: [UInt8], _ reason: CSVError.Reason, _ place: [Int], _ dialect: CSVDialect = .rfc4180,
            _ options: CSVReader.Options = plain, rows: [[String]] = []
        ) {
            (self.text, self.reason, self.place, self.dialect) = (text, reason, place, dialect)
            (self.options, self.rows) = (options, rows)
        }
    }

    private static let named = CSVReader.Options(columns: ["Id", "Name"])
    private static let small = CSVReader.Options(
        hasHeader: false,
        limits: CSVLimits(maximumFieldBytes: 8, maximumRowBytes: 20, maximumColumns: 3))
    private static let lf = CSVDialect(lineEnding: .lf)
    private static let crlf = CSVDialect(lineEnding: .crlf)
    private static let cr = CSVDialect(lineEnding: .cr)

    static let texts: [Refused] = [
        Refused("a,b\"c\n", .strayQuote, [1, 2, 1, 3]),
        Refused("x,y\na, \"b\"\n", .strayQuote, [2, 2, 2, 7], rows: [["x", "y"]]),
        Refused("\"a\nb\",\"c\"d,e\n", .textAfterQuote, [1, 2, 2, 9]),
        Refused("\"a\" ", .textAfterQuote, [1, 1, 1, 3]),
        Refused("\"a\n\"\n\"b", .unterminatedQuote, [2, 1, 3, 5], rows: [["a\n"]]),
        Refused("a,\"", .unterminatedQuote, [1, 2, 1, 2]),
        Refused("a\rb", .lineEnding, [1, 1, 1, 1]),
        Refused("a\r", .lineEnding, [1, 1, 1, 1]),
        Refused("a\r\r\n", .lineEnding, [1, 1, 1, 1]),
        Refused("a\nb\r\n", .lineEnding, [2, 1, 2, 3], lf, rows: [["a"]]),
        Refused("a\r\nb\n", .lineEnding, [2, 1, 2, 4], crlf, rows: [["a"]]),
        Refused("a\rb\n", .lineEnding, [2, 1, 2, 3], cr, rows: [["a"]]),
        Refused("a,b\nc\n", .width, [2, 2, 2, 4], rows: [["a", "b"]]),
        Refused("a,b\n\"x\n\",y\nc,d,e\n", .width, [3, 3, 4, 11], rows: [["a", "b"], ["x\n", "y"]]),
        Refused("a,b\n\n", .width, [2, 2, 2, 4], rows: [["a", "b"]]),
        Refused("Id,Name,Id\n1,2,3\n", .duplicateColumn, [1, 3, 1, 8], .rfc4180, CSVReader.Options()),
        Refused("Id,Nam\n1,2\n", .unknownColumn, [1, 2, 1, 3], .rfc4180, named),
        Refused([0x61, 0x0A, 0x62, 0xFF, 0x0A], .invalidUTF8, [2, 1, 2, 3], rows: [["a"]]),
        Refused([0x61, 0x2C, 0xC3, 0x0A], .invalidUTF8, [1, 2, 1, 2]),
        Refused([0xED, 0xA0, 0x80, 0x0A], .invalidUTF8, [1, 1, 1, 0]),
        Refused([0xF5, 0x80, 0x80, 0x80], .invalidUTF8, [1, 1, 1, 0]),
        Refused("123456789", .tooLarge, [1, 1, 1, 8], .rfc4180, small),
        Refused("1,\"3\n5678901", .tooLarge, [1, 2, 2, 10], .rfc4180, small),
        Refused("1234567,1234567,123456\n", .tooLarge, [1, 3, 1, 20], .rfc4180, small),
        Refused("1\n,,,\n", .tooLarge, [2, 4, 2, 5], .rfc4180, small, rows: [["1"]]),
        Refused("12345678\r\n\"", .unterminatedQuote, [2, 1, 2, 10], .rfc4180, small, rows: [["12345678"]]),
        Refused("1\n1,,", .width, [2, 2, 2, 2], .rfc4180, small, rows: [["1"]]),
        Refused("1,,,", .tooLarge, [1, 4, 1, 4], .rfc4180, small),
        Refused("123456789\"\n", .tooLarge, [1, 1, 1, 8], .rfc4180, small),
    ]

    @Test("an error has the same position for every division into chunks", arguments: texts)
    func refused(_ refused: Refused) throws {
        let whole = read([refused.text], refused.dialect, refused.options)
        let error = try #require(whole.error)
        #expect(error.reason == refused.reason)
        #expect([error.row, error.column, error.line, error.offset] == refused.place)
        #expect(whole.rows == refused.rows)
        for cut in 0...refused.text.count {
            let parts = [Array(refused.text[..<cut]), Array(refused.text[cut...])]
            let result = read(parts, refused.dialect, refused.options)
            #expect(result.error?.description == error.description, "cut at \(cut)")
            #expect(result.rows == whole.rows, "cut at \(cut)")
        }
        let single = read(chunks(refused.text, of: 1), refused.dialect, refused.options)
        #expect(single.error?.description == error.description)
        #expect(single.rows == whole.rows)
    }

    @Test("after an error every call throws the same error")
    func sticky() {
        var reader = CSVReader()
        let first = #expect(throws: CSVError.self) { _ = try reader.push(Array("a,a\n".utf8)) }
        let second = #expect(throws: CSVError.self) { _ = try reader.push(Array("b\n".utf8)) }
        let third = #expect(throws: CSVError.self) { _ = try reader.finish() }
        #expect(first?.description == second?.description)
        #expect(first?.description == third?.description)
        #expect(first?.name == "a")
    }

    @Test("an error names the position and the column, but no content")
    func words() {
        let error = #expect(throws: CSVError.self) { try CSVDocument(parsing: "Id\nsecret\"\n") }
        #expect(
            error?.description == "stray-quote at row 2, column 1 (line 2, byte 9): "
                + "expected quotes around the whole field, and doubled quotes inside it")
    }
}

@Suite("CSV costs")
struct CostTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let chunk: Int
        var size = 8_000
        let make: @Sendable (Int) -> String

        func parts(_ size: Int) -> [[UInt8]] { chunks(Array(make(size).utf8), of: chunk) }
    }

    static let kinds = [
        Kind(testDescription: "one huge field in pieces of one byte", chunk: 1) { String(repeating: "x", count: $0) },
        Kind(testDescription: "one huge field in quotes in pieces of one byte", chunk: 1) {
            "\"" + String(repeating: "\n,", count: $0 / 2) + "\""
        },
        Kind(testDescription: "quotes everywhere", chunk: 1 << 12, size: 100_000) {
            "\"" + String(repeating: "\"\"", count: $0 / 2) + "\""
        },
        Kind(testDescription: "one row of empty fields in pieces of one byte", chunk: 1) {
            String(repeating: ",", count: $0)
        },
        Kind(testDescription: "empty rows in pieces of three bytes", chunk: 3) { String(repeating: "\n", count: $0) },
        Kind(testDescription: "a field that is not UTF-8, far behind", chunk: 1 << 12, size: 100_000) {
            String(repeating: "é\n", count: $0 / 3)
        },
    ]

    @Test("reading is linear: four times the size costs less than eight times the time, not sixteen", arguments: kinds)
    func reading(kind: Kind) throws {
        let options = CSVReader.Options(hasHeader: false, limits: CSVLimits(maximumColumns: 1 << 30))
        let (short, long) = (kind.parts(kind.size), kind.parts(4 * kind.size))
        let ratio = costRatio(below: 8) {
            _ = read(short, .rfc4180, options)
        } long: {
            _ = read(long, .rfc4180, options)
        }
        #expect(ratio < 8)
    }

    @Test("a reader buffers only one unfinished row, regardless of the input's size")
    func memory() throws {
        var reader = CSVReader()
        let chunk = Array("1,2,3\n4,5".utf8)
        for round in 0..<1_000 {
            let rows = try reader.push(round == 0 ? Array("a,b,c\n".utf8) : chunk + Array(",6\n".utf8))
            #expect(rows.count == (round == 0 ? 0 : 2))
            #expect(rows.first?.bytes.count ?? 0 <= chunk.count + 3)
        }
    }
}
