// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Searches in the embedded org")
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

    private func search(_ sosl: String, _ client: OrgClient) throws -> RawClient.Response {
        try client.get("/search?q=\(sosl.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")")
    }

    private func names(_ term: String, _ client: OrgClient, scope: String = "ALL") throws -> [String] {
        let response = try search("FIND {\(term)} IN \(scope) FIELDS RETURNING Account(Name ORDER BY Name)", client)
        #expect(response.status == 200)
        return response.json["searchRecords"]?.array?.compactMap { $0["Name"]?.string } ?? []
    }

    @Test("whole words are found in any case, with wildcards, phrases, operators and escapes")
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
    }

    /// U+0600 joins the following character, and U+0301 the preceding one.
    @Test(
        "a mark that joins a brace, a quote or an escape does not hide it",
        arguments: ["\u{600}", "\u{301}", "\u{200D}"])
    func marks(mark: String) async throws {
        let client = try await client()
        let all = Self.names
        for term in ["quokka \(mark)\\} x*", "quokka \\}\(mark) x*", "\"quokka\" \(mark)\\\" x*"] {
            // The brace or quote is escaped, so the word after it is also searched for, and no record contains it.
            #expect(try names(term, client) == [])
            #expect(try names(String(term.dropLast(3)), client) == [all[1], all[0], all[4]])
        }
    }

    @Test("RETURNING selects objects, fields, conditions, order and limits, and LIMIT applies to all objects together")
    func returning() async throws {
        let client = try await client()
        let response = try search(
            "FIND {Quokka} RETURNING Account(Id, Name WHERE Name LIKE 'Quokka%' AND Industry = 'Banking' "
                + "ORDER BY Name DESC LIMIT 1), Contact (LastName, Account.Name), Lead", client)
        let records = response.json["searchRecords"]?.array ?? []
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
    }

    @Test("a deleted record is not found")
    func deleted() async throws {
        let client = try await client()
        let id = try #require(
            try search("FIND {quokkas} RETURNING Account", client).json["searchRecords"]?[0]?["Id"]?.string)
        #expect(try client.send("DELETE", "\(OrgClient.data)/sobjects/Account/\(id)").status == 204)
        #expect(try names("quokkas", client).isEmpty)
    }

    @Test(
        "an invalid search, and an unsupported one, is rejected",
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
        let response = try search(sosl, try await SharedOrg.client)
        #expect(response.status == 400)
        #expect(response.errorCode == code, "\(sosl)")
    }

    @Test("a parameterized search accepts its parameters as JSON")
    func parameters() async throws {
        let client = try await client()
        let body = """
            {"q":"Quokka & Bank","in":"NAME","fields":["Name"],"overallLimit":2000,"sobjects":[
            {"name":"Account","where":"Name != 'Quokka Bank'","orderBy":"Name","limit":5},{"name":"Contact"}]}
            """
        let posted = try client.send("POST", "\(OrgClient.data)/parameterizedSearch", body: body)
        #expect(posted.status == 200)
        #expect(posted.json["searchRecords"]?.array?.compactMap { $0["Name"]?.string } == [Self.names[4]])
        let limited = try client.send(
            "POST", "\(OrgClient.data)/parameterizedSearch",
            body: #"{"q":"Quokka","fields":["Name"],"defaultLimit":1,"sobjects":[{"name":"Account"}]}"#)
        #expect(limited.json["searchRecords"]?.array?.count == 1)
        #expect(limited.json["searchRecords"]?[0]?["Name"]?.string != nil)
        for body in ["{}", #"{"q":"ab","metadata":"LABELS"}"#, #"{"q":"ab","in":"x"}"#, #"{"q":"&"}"#] {
            #expect(try client.send("POST", "\(OrgClient.data)/parameterizedSearch", body: body).status == 400)
        }
    }

    @Test("the scope order is an array")
    func information() async throws {
        let client = try await SharedOrg.client
        let order = try client.get("/search/scopeOrder").json
        #expect(order.array?.contains { $0["type"]?.string == "Account" } == true)
        #expect(try client.get("/search/nothing").status == 404)
    }
}

@Suite("The limits of searches")
struct SearchLimitTests {
    /// Returns `count` different words, of which the first 676 have two letters.
    private static func words(_ count: Int, separator: String = " ") -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return (0..<count).map { number in
            "\(letters[number % 26])\(letters[number / 26 % 26])\(number < 676 ? "" : String(number))"
        }.joined(separator: separator)
    }

    private func parameterized(_ text: String, _ client: OrgClient) throws -> RawClient.Response {
        let body = JSONValue(["q": JSONValue(text)]).description
        return try client.send("POST", "\(OrgClient.data)/parameterizedSearch", body: body)
    }

    @Test(
        "a search with too many words is rejected, also inside a composite request", arguments: [301, 2_000, 100_000])
    func manyWords(count: Int) async throws {
        let client = try await SharedOrg.client
        #expect(try parameterized(Self.words(count), client).errorCode == "MALFORMED_SEARCH")
        let search = "FIND {\(Self.words(count, separator: " OR "))} RETURNING Account"
        let text = search.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let part = #"{"method":"GET","url":"\#(OrgClient.data)/search?q=\#(text)","referenceId":"a"}"#
        let response = try client.send(
            "POST", "\(OrgClient.data)/composite", body: #"{"compositeRequest":[\#(part)]}"#)
        let found = response.json["compositeResponse"]?[0]
        #expect([400, 414].contains(found?["httpStatusCode"]?.int))
        #expect(["MALFORMED_SEARCH", "URI_TOO_LONG"].contains(found?["body"]?[0]?["errorCode"]?.string))
    }

    @Test(
        "a search with 300 words is answered, with any operator between them",
        arguments: [" ", " AND ", " OR ", " AND NOT "])
    func manyEnough(separator: String) async throws {
        let client = try await SharedOrg.client
        let search = "FIND {\(Self.words(300, separator: separator))} RETURNING Account"
        let text = search.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        #expect(try client.get("/search?q=\(text)").status == 200)
        #expect(try parameterized(Self.words(300), client).status == 200)
    }

    @Test("a repeated word does not count again, and the text of a search has a maximum length")
    func sameWord() async throws {
        let client = try await SharedOrg.client
        #expect(try parameterized(String(repeating: "zq ", count: 30_000), client).status == 200)
        #expect(try parameterized(String(repeating: "zq ", count: 100_000), client).errorCode == "MALFORMED_SEARCH")
    }

    @Test("a long word, too many objects and a large limit are rejected")
    func others() async throws {
        let client = try await SharedOrg.client
        #expect(try parameterized(String(repeating: "a", count: 4_001), client).errorCode == "MALFORMED_SEARCH")
        let objects = Array(repeating: #"{"name":"Account"}"#, count: 21).joined(separator: ",")
        let many = try client.send(
            "POST", "\(OrgClient.data)/parameterizedSearch", body: #"{"q":"ab","sobjects":[\#(objects)]}"#)
        #expect(many.errorCode == "MALFORMED_SEARCH")
        let returning = Array(repeating: "Account", count: 21).joined(separator: ",")
        let text = "FIND {ab} RETURNING \(returning)".replacing(" ", with: "+").replacing("{", with: "%7B")
            .replacing("}", with: "%7D")
        #expect(try client.get("/search?q=\(text)").errorCode == "MALFORMED_SEARCH")
        let limit = "FIND+%7Bab%7D+LIMIT+99999999999999999999999999"
        #expect(try client.get("/search?q=\(limit)").errorCode == "MALFORMED_SEARCH")
    }
}

@Suite("Searches reject what they do not support")
struct SearchRejectionTests {
    private func encoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test(
        "a clause that a search does not support is rejected",
        arguments: [
            "RETURNING Account(Id LIMIT 3 FOR VIEW)", "RETURNING Account(Id WHERE Name != null FOR REFERENCE)",
            "RETURNING Account(Id USING ListView=Recent)", "RETURNING Account(Id LIMIT 3 UPDATE VIEWSTAT)",
            "RETURNING Account(Id) WITH NETWORK = 'x'", "RETURNING Account(Id) UPDATE TRACKING",
            "WITH SNIPPET (target_length=100)",
        ])
    func clauses(clause: String) async throws {
        let client = try await SharedOrg.client
        let response = try client.get("/search?q=\(try encoded("FIND {Alder} \(clause)"))")
        #expect(response.status == 400 && response.errorCode != nil, "\(response.text)")
    }

    @Test(
        "a parameter that is unknown or has the wrong type is rejected",
        arguments: [
            #""in":5"#, #""defaultLimit":"x""#, #""defaultLimit":0"#, #""overallLimit":3000"#, #""snippet":"x""#,
            #""sobjects":[{"name":"Account","offset":5}]"#, #""sobjects":[{"name":"Account","limit":"x"}]"#,
            #""sobjects":[{"name":"Account","limit":-1}]"#,
        ])
    func parameters(parameter: String) async throws {
        let client = try await SharedOrg.client
        let response = try client.send(
            "POST", "\(OrgClient.data)/parameterizedSearch", body: #"{"q":"Alder",\#(parameter)}"#)
        #expect(response.status == 400 && response.errorCode == "MALFORMED_SEARCH", "\(response.text)")
    }

    @Test(
        "suggestions accept any string, also a quote with a mark that joins it", arguments: ["O'\u{301}x", #"a\b%_"#])
    func suggestions(name: String) async throws {
        let client = try await OrgClient.start()
        _ = try client.create("Account", JSONValue(["Name": JSONValue(name)]).description)
        let response = try client.get("/search/suggestions?sobject=Account&q=\(try encoded(name))").json
        #expect(response["autoSuggestResults"]?.array?.compactMap { $0["Name"]?.string } == [name])
    }
}
