// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import Testing

@Suite("Numbers that nobody means end nothing")
struct HostileNumberTests {
    /// The ends of every range that a number may be computed in, and beyond.
    static let numbers = [
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "2147483648",
        "18446744073709551616", "0", "-0", "1000001", String(repeating: "9", count: 400), "3521614606208",
    ]

    @Test("numbers of records are kept as they are or refused", arguments: ["AnnualRevenue", "NumberOfEmployees"])
    func records(field: String) async throws {
        let client = try await SharedOrg.client
        var texts = Self.numbers
        for exponent in Self.numbers {
            texts += ["0e\(exponent)", "1e\(exponent)", "0.0e\(exponent)", "10e\(exponent)", "1.5E\(exponent)"]
            if !exponent.hasPrefix("-") { texts.append("0E+\(exponent)") }
        }
        texts += ["0e+0000000000000000000000000000001", "1e-0000000000000000000000000000001"]
        for text in texts {
            let answer = try client.send(
                "POST", "\(OrgClient.data)/sobjects/Account", body: #"{"Name":"n","\#(field)":\#(text)}"#)
            #expect([201, 400].contains(answer.status), "\(text.prefix(40))")
        }
    }

    @Test("a number's exponent is read however it is written")
    func exponents() async throws {
        let client = try await SharedOrg.client
        for (text, expected) in [
            ("0e9223372036854775807", 0.0), ("1.50e+1", 15), ("1e-0000000000000000000000000000001", 0.1), ("-0e-9", 0),
        ] {
            let id = try client.create("Account", #"{"Name":"n","AnnualRevenue":\#(text)}"#)
            #expect(try client.get("/sobjects/Account/\(id)").json["AnnualRevenue"]?.double == expected)
        }
    }

    @Test("numbers of queries are heeded or refused", arguments: numbers)
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
            let answer = try client.query("SELECT Id FROM Account WHERE " + text)
            #expect([200, 400].contains(answer.status), "\(text.prefix(60))")
        }
        let child = try client.query("SELECT Id, (SELECT Id FROM Contacts LIMIT \(number)) FROM Account LIMIT 1")
        #expect([200, 400].contains(child.status))
        let having = try client.query(
            "SELECT Type FROM Account GROUP BY Type HAVING SUM(NumberOfEmployees) > \(number)")
        #expect([200, 400].contains(having.status))
    }

    @Test("numbers of paths and fields are heeded or refused", arguments: numbers)
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

    @Test("the number of a record that leaves no next one is refused, not counted on")
    func lastRecord() async throws {
        try await withTemporaryFolder { folder in
            let configuration = LocalOrgConfiguration(storage: .file(folder + "/org.db"))
            await (try LocalOrg.start(configuration)).stop()
            let connection = try SQLiteConnection(path: folder + "/org.db")
            try connection.run("UPDATE Lead SET rowid = ?1 WHERE rowid = 1", [.integer(.max)])
            let client = try await OrgClient.start(configuration)
            let body = #"{"LastName":"x","Company":"y"}"#
            let answer = try client.send("POST", "\(OrgClient.data)/sobjects/Lead", body: body)
            #expect(answer.status == 400 && answer.errorCode == "STORAGE_LIMIT_EXCEEDED")
            #expect(try client.query("SELECT Id FROM Lead").status == 200)
            await client.org.stop()
        }
    }
}
