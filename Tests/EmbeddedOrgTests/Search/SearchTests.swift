// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Searches of the embedded org")
struct SearchTests {
    private static let names = [
        "Quokka Bank", "Quokka & Wombat Traders", "quokkas United", "Wombat Bank (North)", "Éclair Quokka-Bank",
    ]

    private func client() async throws -> OrgClient {
        let client = try await OrgClient.start()
        for name in Self.names {
            let body = JSONValue(["Name": JSONValue(name), "Industry": "Banking", "Phone": "(987) 555-7731"])
            #expect(try client.send("POST", "\(OrgClient.data)/sobjects/Account", body: body.description).status == 201)
        }
        let contact = #"{"LastName":"Quokka","Email":"ada@wombat.example","Description":"likes a bank"}"#
        #expect(try client.send("POST", "\(OrgClient.data)/sobjects/Contact", body: contact).status == 201)
        return client
    }

    private func search(_ sosl: String, _ client: OrgClient) throws -> RawClient.Answer {
        try client.get("/search?q=\(sosl.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")")
    }

    private func names(_ term: String, _ client: OrgClient, scope: String = "ALL") throws -> [String] {
        let answer = try search("FIND {\(term)} IN \(scope) FIELDS RETURNING Account(Name ORDER BY Name)", client)
        #expect(answer.status == 200)
        return answer.json["searchRecords"]?.array?.compactMap { $0["Name"]?.string } ?? []
    }

    @Test("whole words are found without regard to case, with wildcards, phrases, operators and escapes")
    func terms() async throws {
        let client = try await client()
        let all = Self.names
        let cases: [(String, [String])] = [
            ("quokka", [all[1], all[0], all[4]]),
            ("quok*", [all[1], all[0], all[2], all[4]]),
            ("quokka?", [all[2]]),
            ("quokka bank", [all[0], all[4]]),
            ("\"bank quokka\"", []),
            ("\"quokka bank\"", [all[0], all[4]]),
            (#"quokka\-bank"#, [all[0], all[4]]),
            (#"bank \(north\)"#, [all[3]]),
            ("quokka AND wombat", [all[1]]),
            ("quokka AND NOT wombat", [all[0], all[4]]),
            ("quokkas OR (wombat AND NOT traders)", [all[3], all[2]]),
            ("quokkas OR wombat north", [all[3], all[2]]),
            ("ÉCLAIR", [all[4]]),
            (#"\(987\) 555\-7731 AND north"#, [all[3]]),
            ("nowhere", []), ("uokk", []),
        ]
        for (term, expected) in cases {
            #expect(Set(try names(term, client)) == Set(expected), "\(term)")
        }
        #expect(try names("7731", client, scope: "PHONE").count == 5)
        #expect(try names("7731", client, scope: "NAME").isEmpty)
        await client.org.stop()
    }

    /// U+0600 joins the character after it, U+0301 the one before.
    @Test(
        "a mark that joins a brace, a quote or an escape does not hide it",
        arguments: ["\u{600}", "\u{301}", "\u{200D}"])
    func marks(mark: String) async throws {
        let client = try await client()
        let all = Self.names
        for term in ["quokka \(mark)\\} x*", "quokka \\}\(mark) x*", "\"quokka\" \(mark)\\\" x*"] {
            // The brace or quote is escaped, so the word behind it is asked for, too, and nothing has it.
            #expect(try names(term, client) == [])
            #expect(try names(String(term.dropLast(3)), client) == [all[1], all[0], all[4]])
        }
    }

    @Test("RETURNING chooses objects, fields, conditions, order and limits; LIMIT counts over all objects")
    func returning() async throws {
        let client = try await client()
        let answer = try search(
            "FIND {Quokka} RETURNING Account(Id, Name WHERE Name LIKE 'Quokka%' AND Industry = 'Banking' "
                + "ORDER BY Name DESC LIMIT 1), Contact (LastName, Account.Name), Lead", client)
        let records = answer.json["searchRecords"]?.array ?? []
        #expect(records.map { $0["attributes"]?["type"]?.string } == ["Account", "Contact"])
        #expect(records[0]["Name"]?.string == "Quokka Bank")
        #expect(records[1]["LastName"]?.string == "Quokka")
        let limited = try search("FIND {Quokka} RETURNING Account, Contact LIMIT 3", client)
        #expect(limited.json["searchRecords"]?.array?.count == 3)
        let everywhere = try search("FIND {\"likes a bank\"}", client).json["searchRecords"]
        #expect(everywhere?.array?.count == 1)
        #expect(everywhere?[0]?["attributes"]?["type"]?.string == "Contact")
        #expect(everywhere?[0]?["Id"]?.string != nil)
        let mail = try search("FIND {wombat} IN EMAIL FIELDS RETURNING Contact", client)
        #expect(mail.json["searchRecords"]?.array?.count == 1)
        await client.org.stop()
    }

    @Test("a deleted record is not found")
    func deleted() async throws {
        let client = try await client()
        let id = try #require(
            try search("FIND {quokkas} RETURNING Account", client).json["searchRecords"]?[0]?["Id"]?.string)
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(id)").status == 204)
        #expect(try names("quokkas", client).isEmpty)
        await client.org.stop()
    }

    @Test(
        "what is no search, and what the embedded org does not know, is refused",
        arguments: [
            ("", "MALFORMED_SEARCH"), ("FIND", "MALFORMED_SEARCH"), ("FIND {", "MALFORMED_SEARCH"),
            ("FIND 'x'", "MALFORMED_SEARCH"), ("FIND {ab} IN ODD FIELDS", "MALFORMED_SEARCH"),
            ("FIND {ab} WITH DATA CATEGORY x", "MALFORMED_SEARCH"), ("FIND {ab} LIMIT 0", "MALFORMED_SEARCH"),
            ("FIND {ab} LIMIT 2001", "MALFORMED_SEARCH"), ("FIND {ab} RETURNING", "MALFORMED_SEARCH"),
            ("FIND {ab} RETURNING Account(", "MALFORMED_SEARCH"),
            ("FIND {ab} RETURNING Account(WHERE Name = 'x')", "MALFORMED_SEARCH"),
            ("FIND {ab} RETURNING Account(COUNT())", "MALFORMED_SEARCH"),
            ("FIND {ab} RETURNING Account((SELECT Id FROM Contacts))", "MALFORMED_SEARCH"),
            ("FIND {a}", "INVALID_SEARCH"), ("FIND {*}", "INVALID_SEARCH"), ("FIND {}", "MALFORMED_SEARCH"),
            ("FIND {ab AND}", "MALFORMED_SEARCH"), ("FIND {NOT ab}", "MALFORMED_SEARCH"),
            ("FIND {(ab}", "MALFORMED_SEARCH"), ("FIND {ab)}", "MALFORMED_SEARCH"),
            ("FIND {ab-cd}", "MALFORMED_SEARCH"), ("FIND {\"ab}", "MALFORMED_SEARCH"),
            ("FIND {\(String(repeating: "(", count: 1_000))ab}", "MALFORMED_SEARCH"),
            ("FIND {ab} RETURNING Account(Nope)", "INVALID_FIELD"), ("FIND {ab} RETURNING Nope", "INVALID_TYPE"),
            ("FIND {ab} RETURNING Account(Id WHERE)", "MALFORMED_QUERY"),
        ])
    func refused(sosl: String, code: String) async throws {
        let answer = try search(sosl, try await SharedOrg.client)
        #expect(answer.status == 400)
        #expect(answer.errorCode == code, "\(sosl)")
    }

    @Test("a parameterized search takes its parameters in the address or as JSON")
    func parameters() async throws {
        let client = try await client()
        let body = """
            {"q":"Quokka & Bank","in":"NAME","fields":["Name"],"overallLimit":2000,"sobjects":[
            {"name":"Account","where":"Name != 'Quokka Bank'","orderBy":"Name","limit":5},{"name":"Contact"}]}
            """
        let posted = try client.send("POST", "\(OrgClient.data)/parameterizedSearch", body: body)
        #expect(posted.status == 200)
        #expect(posted.json["searchRecords"]?.array?.compactMap { $0["Name"]?.string } == [Self.names[4]])
        let read = try client.get(
            "/parameterizedSearch?q=Quokka&sobject=Account&Account.fields=Id,Name&Account.limit=1&sobject=Contact")
        #expect(read.json["searchRecords"]?.array?.count == 2)
        #expect(read.json["searchRecords"]?[0]?["Name"]?.string != nil)
        for body in ["{}", #"{"q":"ab","metadata":"LABELS"}"#, #"{"q":"ab","in":"x"}"#, #"{"q":"&"}"#] {
            #expect(try client.send("POST", "\(OrgClient.data)/parameterizedSearch", body: body).status == 400)
        }
        await client.org.stop()
    }

    @Test("scope order and layout are arrays")
    func information() async throws {
        let client = try await SharedOrg.client
        let order = try client.get("/search/scopeOrder").json
        #expect(order.array?.contains { $0["type"]?.string == "Account" } == true)
        let layout = try client.get("/search/layout?q=Account,Nope").json
        #expect(layout[0]?["searchColumns"]?.array?.contains { $0["name"]?.string == "Name" } == true)
        #expect(layout[1]?["errorMsg"]?.string != nil)
        #expect(try client.get("/search/nothing").status == 404)
    }
}
