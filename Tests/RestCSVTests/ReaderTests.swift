// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestCSV
import RestTransport
import Testing

@Suite("CSV reader")
struct ReaderTests {
    /// The examples of RFC 4180 §2, by its numbers, and what strict readers often get wrong.
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

    @Test("a text at once, and cut at every two places", arguments: texts)
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

    @Test("what is written reads back, in every dialect and in pieces of every size", arguments: allDialects)
    func roundTrips(dialect: CSVDialect) throws {
        var random = SplitMix64(seed: UInt64(dialect.delimiter.byte))
        for round in 0..<60 {
            let rows = randomRows(&random, dialect)
            var writer = try CSVWriter(dialect, quoting: round % 3 == 0 ? .always : .whereNeeded)
            for row in rows { try writer.append(row: row) }
            let bytes = writer.takeBytes()
            #expect(SlowCSV.rows(bytes, dialect) == rows)
            for size in [1, 2, 3, 7, 63, 64, 65, 1_000] {
                let result = read(pieces(bytes, of: size), dialect)
                #expect(result.error == nil)
                #expect(result.rows == rows, "\(String(decoding: bytes, as: UTF8.self).debugDescription) by \(size)")
            }
        }
    }

    @Test("a row tells its fields by name, by place and as bytes")
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

    @Test("rows of any width, when they are asked for")
    func ragged() {
        let result = read("a\nb,c\n\nd,e,f", .rfc4180, .init(hasHeader: false, allowsAnyWidth: true))
        #expect(result.rows == [["a"], ["b", "c"], [""], ["d", "e", "f"]])
    }

    @Test("only what can stand between fields is a delimiter")
    func delimiters() {
        #expect(CSVDialect.Delimiter(":")?.byte == 0x3A)
        for character in ["\"", "\n", "\r", "\r\n", "é", "\0"] as [Character] {
            #expect(CSVDialect.Delimiter(character) == nil)
        }
        #expect(CSVDialect.Delimiter.platformNames.count == 6)
    }
}
