// SPDX-License-Identifier: Apache-2.0

import RestCSV
import Testing

@Suite("CSV texts that are refused")
struct RefusedTextTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let text: [UInt8]
        let reason: CSVError.Reason
        /// Row, column, line and offset.
        let place: [Int]
        var dialect = CSVDialect.rfc4180
        var options = plain
        /// The rows before the fault.
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

    @Test("with the place, however the text is cut", arguments: texts)
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
        let single = read(pieces(refused.text, of: 1), refused.dialect, refused.options)
        #expect(single.error?.description == error.description)
        #expect(single.rows == whole.rows)
    }

    @Test("after a fault every call throws it again")
    func sticky() {
        var reader = CSVReader()
        let first = #expect(throws: CSVError.self) { _ = try reader.push(Array("a,a\n".utf8)) }
        let second = #expect(throws: CSVError.self) { _ = try reader.push(Array("b\n".utf8)) }
        let third = #expect(throws: CSVError.self) { _ = try reader.finish() }
        #expect(first?.description == second?.description)
        #expect(first?.description == third?.description)
        #expect(first?.name == "a")
    }

    @Test("an error names the place and the column, never a content")
    func words() {
        let error = #expect(throws: CSVError.self) { try CSVDocument(parsing: "Id\nsecret\"\n") }
        #expect(
            error?.description == "stray-quote at row 2, column 1 (line 2, byte 9): "
                + "expected quotes around the whole field, and those inside doubled")
    }
}
