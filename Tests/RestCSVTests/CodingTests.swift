// SPDX-License-Identifier: Apache-2.0

import RestCSV
import Testing

@Suite("CSV rows as types")
struct CodingTests {
    struct Owner: Codable, Equatable {
        var name: String?
        var age: UInt8?

        enum CodingKeys: String, CodingKey {
            case name = "Name"
            case age = "Age"
        }
    }

    enum Rating: String, Codable {
        case hot = "Hot"
        case cold = "Cold"
    }

    struct Account: Codable, Equatable {
        var id: String
        var revenue: Double?
        var isActive = true
        var rating: Rating?
        var owner: Owner?

        enum CodingKeys: String, CodingKey {
            case id = "Id"
            case revenue = "Revenue"
            case isActive = "IsActive"
            case rating = "Rating"
            case owner = "Owner"
        }
    }

    static let columns = ["Id", "Revenue", "IsActive", "Rating", "Owner.Name", "Owner.Age"]
    private static let header = columns.joined(separator: ",") + "\n"

    static let accounts = [
        Account(id: "1", revenue: 1.5e300, rating: .hot, owner: Owner(name: "Jo, \"J\"", age: 255)),
        Account(id: "", revenue: -0.25, isActive: false, rating: .cold, owner: Owner(name: nil, age: 1)),
        Account(id: "3"),
    ]

    @Test(
        "records are read back as they were written, with absent values as empty fields or null",
        arguments: [false, true])
    func roundTrip(absentIsNull: Bool) throws {
        var writer = try CSVWriter(.platform(), columns: CodingTests.columns)
        for account in CodingTests.accounts { try writer.append(record: account, absentIsNull: absentIsNull) }
        let bytes = writer.takeBytes()
        let last = String(decoding: bytes, as: UTF8.self).split(separator: "\n").last
        #expect(last == (absentIsNull ? "3,#N/A,true,#N/A,#N/A,#N/A" : "3,,true,,,"))
        let rows = try CSVDocument(parsing: bytes, .platform()).rows
        #expect(try rows.decode(Account.self) == CodingTests.accounts)
    }

    @Test("an empty field is nil or an empty string, as the options say, and null is always nil")
    func empty() throws {
        let rows = try CSVDocument(parsing: "Name,Age\n,1\n#N/A,2\n", .platform()).rows
        #expect(try rows.decode(Owner.self).map(\.name) == [nil, nil])
        #expect(try rows.decode(Owner.self, options: .init(emptyIsNil: false)).map(\.name) == ["", nil])
    }

    static let faults: [(String, CSVError.Reason, Int, String?)] = [
        ("Id,Revenue,IsActive\n1,1.0,yes\n", .invalidValue, 3, "IsActive"),
        ("Id,Revenue,IsActive\n1,0x10,true\n", .invalidValue, 2, "Revenue"),
        ("Id,Revenue,IsActive\n1,nan,true\n", .invalidValue, 2, "Revenue"),
        ("Id,Revenue,IsActive\n1,1e999,true\n", .invalidValue, 2, "Revenue"),
        ("Id,Revenue,IsActive\n1, 1,true\n", .invalidValue, 2, "Revenue"),
        ("Id,Revenue,IsActive\n1,,\n", .missingValue, 3, "IsActive"),
        ("Id,Revenue,IsActive\n#N/A,,true\n", .missingValue, 1, "Id"),
        ("Id,Revenue\n1,\n", .missingColumn, 0, "IsActive"),
        ("Id,IsActive,Owner.Age\n1,true,256\n", .invalidValue, 3, "Owner.Age"),
        ("Id,IsActive,Owner.Age\n1,true,+1\n", .invalidValue, 3, "Owner.Age"),
        ("Id,IsActive,Owner.Age\n1,true,-1\n", .invalidValue, 3, "Owner.Age"),
        ("Id,IsActive,Rating\n1,true,Mild\n", .invalidValue, 0, nil),
    ]

    @Test("a field that does not match its type throws an error with its position", arguments: faults)
    func refused(text: String, reason: CSVError.Reason, column: Int, name: String?) throws {
        let rows = try CSVDocument(parsing: text, .platform()).rows
        let error = try #require(throws: CSVError.self) { _ = try rows.decode(Account.self) }
        #expect(error.reason == reason)
        #expect([error.row, error.column, error.line] == [2, column, 2])
        #expect(error.name == name)
    }

    @Test("a value without a column, or one that no field can represent, writes nothing")
    func unwritable() throws {
        var writer = try CSVWriter(columns: ["Id", "IsActive", "Revenue"])
        let before = writer.takeBytes()
        #expect(before == Array("Id,IsActive,Revenue\r\n".utf8))
        let unknown = #expect(throws: CSVError.self) { try writer.append(record: CodingTests.accounts[0]) }
        #expect(unknown?.reason == .unknownColumn)
        #expect(unknown?.name == "Rating")
        let infinite = #expect(throws: CSVError.self) { try writer.append(record: Account(id: "", revenue: .infinity)) }
        #expect(infinite?.reason == .invalidValue)
        #expect(infinite?.column == 3)
        #expect(throws: CSVError.self) { try writer.append(record: ["Id": ["a", "b"]]) }
        #expect(writer.count == 0)
    }
}

@Suite("CSV writer")
struct WriterTests {
    private func text(
        _ rows: [[String]], _ dialect: CSVDialect = .rfc4180, _ quoting: CSVWriter.Quoting = .whereNeeded
    ) throws -> String {
        var writer = try CSVWriter(dialect, quoting: quoting)
        for row in rows { try writer.append(row: row) }
        return String(decoding: writer.takeBytes(), as: UTF8.self)
    }

    @Test("fields are quoted only where necessary, for every length and position")
    func quotes() throws {
        #expect(try text([["a", "b c", "é"], ["", "", ""]]) == "a,b c,é\r\n,,\r\n")
        #expect(try text([["a"], [""]], .platform(), .always) == "\"a\"\n\"\"\n")
        #expect(try text([[""]]) == "\"\"\r\n")
        #expect(try text([["\u{FEFF}a"], ["\u{FEFF}b"]], .platform()) == "\"\u{FEFF}a\"\n\u{FEFF}b\n")
        var fields: [String] = []
        for special in [",", "\n", "\r"] {
            for length in 0..<40 {
                for place in 0...length {
                    let (before, after) = (String(repeating: "x", count: place), length - place)
                    fields.append(before + special + String(repeating: "y", count: after))
                }
            }
        }
        #expect(try text(fields.map { [$0] }, .platform()) == fields.map { "\"\($0)\"\n" }.joined())
        for length in 0..<40 {
            let field = String(repeating: "x", count: length)
            #expect(try text([["\"\(field)"]], .platform()) == "\"\"\"\(field)\"\n")
        }
    }

    @Test("a row is written field by field: numbers, null and empty fields")
    func fields() throws {
        var writer = try CSVWriter(.platform(delimiter: .pipe, lineEnding: .crlf), columns: ["A", "B|", "#N/A"])
        writer.append(-12)
        writer.appendNull()
        writer.appendEmpty()
        try writer.endRow()
        #expect(writer.takeBytes() == Array("A|\"B|\"|#N/A\r\n-12|#N/A|\r\n".utf8))
    }

    @Test("a rejected row is not written, and the next row is")
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
