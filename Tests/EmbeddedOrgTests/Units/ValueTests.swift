// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBase
import RestJSON
import RestSQLite
import RestTransport
import SOQLStore
import Testing

@Suite("Ids, digests and Base64")
struct IdentifierTests {
    @Test(
        "the suffix of an id encodes its capital letters",
        arguments: [
            ("001A0000006Vm9r", "001A0000006Vm9rIAC"), ("005000000000000", "005000000000000AAA"),
            ("00DZZZZZZZZZZZZ", "00DZZZZZZZZZZZZ255"), ("001A0000006Vm9rIAC", "001A0000006Vm9rIAC"),
        ])
    func suffixes(id: String, expected: String) {
        #expect(RecordID.normalized(id) == expected)
    }

    @Test(
        "invalid ids are rejected",
        arguments: [
            "", "001", "001A0000006Vm9rIAB", "001A0000006Vm9rI", "001A0000006Vm9\u{0665}", "001A0000006Vm9'",
            "001A0000006Vm9rIACx",
        ])
    func malformed(id: String) {
        #expect(RecordID.normalized(id) == nil)
    }

    @Test("ids have the order of their numbers")
    func order() {
        let ids = [1, 9, 10, 61, 62, 3_843, 3_844, 1_000_000].map { RecordID.make(prefix: "001", number: $0) }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy { $0.utf8.count == 18 && RecordID.normalized($0) == $0 })
    }

    @Test("HMAC-SHA256 matches RFC 4231, case 2, and SHA-256 matches FIPS 180-4")
    func digests() {
        let code = Digest.hmacSHA256(key: "Jefe", "what do ya want for nothing?")
        #expect(hex(code) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        #expect(hex(Digest.sha256("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Digest.areEqual("secret", "secret") && !Digest.areEqual("secret", "secreT") && !Digest.areEqual("", "x"))
    }

    @Test("base64 of every length matches Foundation's")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            #expect(Base64.encode(bytes) == bytes.base64)
            #expect(Base64.decode(bytes.base64) == bytes)
        }
        for text in ["a", "ab", "abc", "a===", "ab=c", "a b=", "====", "ab\u{E9}"] {
            #expect(Base64.decode(text) == nil)
        }
    }

    private func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}

@Suite("Invalid dates")
struct RefusedDateTests {
    @Test(
        "an invalid datetime is rejected",
        arguments: [
            "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "2026-01-01T24:00:00Z",
            "2026-01-01T00:60:00Z",
            "2026-01-01T00:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00:00+1", "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00+01:0", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.1234567890Z",
            "2026-01-01 00:00:00Z",
            "2026-1-01T00:00:00Z", "20260101T000000Z", "9999-12-31T23:59:59-01:00", "+026-01-01", "２026-01-01",
            "tomorrow", " ",
        ])
    func datetimes(text: String) async throws {
        let client = try await SharedOrg.client
        let response = try client.send(
            "POST", "\(OrgClient.data)/sobjects/Event", body: #"{"StartDateTime":"\#(text)"}"#)
        #expect(response.status == 400)
        #expect(response.errorCode == "JSON_PARSER_ERROR")
    }
}

@Suite("Extreme numbers do not end the process")
struct HostileNumberTests {
    /// The limits of every range in which a number may be calculated, and numbers beyond them.
    static let numbers = [
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "2147483648",
        "18446744073709551616", "0", "-0", "1000001", String(repeating: "9", count: 400), "3521614606208",
    ]

    @Test("a number in a record is stored exactly or rejected", arguments: ["AnnualRevenue", "NumberOfEmployees"])
    func records(field: String) async throws {
        let client = try await SharedOrg.client
        var texts = Self.numbers
        for exponent in Self.numbers {
            texts += ["0e\(exponent)", "1e\(exponent)", "0.0e\(exponent)", "10e\(exponent)", "1.5E\(exponent)"]
            if !exponent.hasPrefix("-") { texts.append("0E+\(exponent)") }
        }
        texts += ["0e+0000000000000000000000000000001", "1e-0000000000000000000000000000001"]
        for text in texts {
            let response = try client.send(
                "POST", "\(OrgClient.data)/sobjects/Account", body: #"{"Name":"n","\#(field)":\#(text)}"#)
            #expect([201, 400].contains(response.status), "\(text.prefix(40))")
        }
    }

    @Test("an exponent is parsed in every notation")
    func exponents() async throws {
        let client = try await SharedOrg.client
        for (text, expected) in [
            ("0e9223372036854775807", 0.0), ("1.50e+1", 15), ("1e-0000000000000000000000000000001", 0.1), ("-0e-9", 0),
        ] {
            let id = try client.create("Account", #"{"Name":"n","AnnualRevenue":\#(text)}"#)
            #expect(try client.get("/sobjects/Account/\(id)").json["AnnualRevenue"]?.double == expected)
        }
    }

    @Test("a number in a query is applied or rejected", arguments: numbers)
    func queries(number: String) async throws {
        let client = try await SharedOrg.client
        for text in [
            "CreatedDate = LAST_N_DAYS:\(number)", "CreatedDate > NEXT_N_WEEKS:\(number)",
            "CreatedDate < N_MONTHS_AGO:\(number)", "CreatedDate = LAST_N_QUARTERS:\(number)",
            "CreatedDate != NEXT_N_FISCAL_YEARS:\(number)", "AnnualRevenue > USD\(number)",
            "AnnualRevenue = 1e\(number)", "AnnualRevenue = \(number).5", "NumberOfEmployees IN (\(number))",
            "Name != 'x' LIMIT \(number)", "Name != 'x' OFFSET \(number)",
            "Name != 'x' LIMIT \(number) OFFSET \(number)", "DAY_IN_YEAR(CreatedDate) = \(number)",
            "CreatedDate > \(number)-01-01T00:00:00Z", "CreatedDate > 2026-01-01T00:00:00+\(number):00",
        ] {
            let response = try client.query("SELECT Id FROM Account WHERE " + text)
            #expect([200, 400].contains(response.status), "\(text.prefix(60))")
        }
        let child = try client.query("SELECT Id, (SELECT Id FROM Contacts LIMIT \(number)) FROM Account LIMIT 1")
        #expect([200, 400].contains(child.status))
        let having = try client.query(
            "SELECT Type FROM Account GROUP BY Type HAVING SUM(NumberOfEmployees) > \(number)")
        #expect([200, 400].contains(having.status))
    }

    @Test("a number in a path or a header is applied or rejected", arguments: numbers)
    func targets(number: String) async throws {
        let client = try await SharedOrg.client
        let wish = try client.send(
            "GET", "\(OrgClient.data)/query?q=SELECT+Id+FROM+Profile",
            fields: ["Sforce-Query-Options: batchSize=\(number)"])
        #expect(wish.status == 200)
        for path in [
            "/services/data/v\(number).0/limits", "\(OrgClient.data)/query/0r8AAAAAAAAAAAAAAA-\(number)",
            "\(OrgClient.data)/sobjects/Account/001bZ000\(number)",
        ] {
            #expect([400, 404].contains(try client.send("GET", path).status))
        }
        let dates = try client.send(
            "GET", "\(OrgClient.data)/sobjects/Account/001bZ0000000001",
            fields: ["If-Modified-Since: Sun, 06 Nov \(number) 08:49:37 GMT"])
        #expect([200, 400].contains(dates.status))
    }

    @Test("a repeated field is rejected")
    func repeatedFields() async throws {
        let client = try await SharedOrg.client
        let path = "\(OrgClient.data)/sobjects/Account/001bZ0000000001?fields="
        let names = Array(repeating: "Name", count: 2_500).joined(separator: ",")
        let response = try client.send("GET", path + names)
        #expect(response.status == 400 && response.errorCode == "INVALID_FIELD")
        #expect(try client.send("GET", path + "Name,Id").status == 200)
    }

    @Test("a record is rejected if no record number is left")
    func lastRecord() async throws {
        try await withTemporaryDirectory { folder in
            let configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            await (try LocalOrg.start(configuration)).stop()
            let connection = try SQLiteConnection(path: folder + "/org.db")
            try connection.run("UPDATE Lead SET rowid = ?1 WHERE rowid = 1", [.integer(.max)])
            let client = try await OrgClient.start(configuration)
            let body = #"{"LastName":"x","Company":"y"}"#
            let response = try client.send("POST", "\(OrgClient.data)/sobjects/Lead", body: body)
            #expect(response.status == 400 && response.errorCode == "STORAGE_LIMIT_EXCEEDED")
            #expect(try client.query("SELECT Id FROM Lead").status == 200)
        }
    }
}
