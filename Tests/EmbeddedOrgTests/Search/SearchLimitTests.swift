// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// Searches that are too large: refused, and never a crash.
@Suite("The limits of searches")
struct SearchLimitTests {
    /// So many words that are all different; 676 of them have two letters.
    private static func words(_ count: Int, separator: String = " ") -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz")
        return (0..<count).map { number in
            "\(letters[number % 26])\(letters[number / 26 % 26])\(number < 676 ? "" : String(number))"
        }.joined(separator: separator)
    }

    private func parameterized(_ text: String, _ client: OrgClient) throws -> RawClient.Answer {
        let body = JSONValue(["q": JSONValue(text)]).description
        return try client.send("POST", "\(OrgClient.data)/parameterizedSearch", body: body)
    }

    @Test("100,000 words are refused, also inside of a composite request", arguments: [301, 2_000, 100_000])
    func manyWords(count: Int) async throws {
        let client = try await SharedOrg.client
        #expect(try parameterized(Self.words(count), client).errorCode == "MALFORMED_SEARCH")
        let search = "FIND {\(Self.words(count, separator: " OR "))} RETURNING Account"
        let text = search.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let part = #"{"method":"GET","url":"\#(OrgClient.data)/search?q=\#(text)","referenceId":"a"}"#
        let answer = try client.send(
            "POST", "\(OrgClient.data)/composite", body: #"{"compositeRequest":[\#(part)]}"#)
        let found = answer.json["compositeResponse"]?[0]
        #expect([400, 414].contains(found?["httpStatusCode"]?.int))
        #expect(["MALFORMED_SEARCH", "URI_TOO_LONG"].contains(found?["body"]?[0]?["errorCode"]?.string))
    }

    @Test("300 words are answered, however they are joined", arguments: [" ", " AND ", " OR ", " AND NOT "])
    func manyEnough(separator: String) async throws {
        let client = try await SharedOrg.client
        let search = "FIND {\(Self.words(300, separator: separator))} RETURNING Account"
        let text = search.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        #expect(try client.get("/search?q=\(text)").status == 200)
        #expect(try parameterized(Self.words(300), client).status == 200)
    }

    @Test("a word that comes again asks for nothing more, and a text of any words has a greatest length")
    func sameWord() async throws {
        let client = try await SharedOrg.client
        #expect(try parameterized(String(repeating: "zq ", count: 30_000), client).status == 200)
        #expect(try parameterized(String(repeating: "zq ", count: 100_000), client).errorCode == "MALFORMED_SEARCH")
    }

    @Test("a long word, many parentheses, many objects and many parameters are refused")
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
        let parameters = String(repeating: "&sobject=Account", count: 120)
        #expect(try client.get("/parameterizedSearch?q=ab\(parameters)").errorCode == "MALFORMED_SEARCH")
        let limit = "FIND+%7Bab%7D+LIMIT+99999999999999999999999999"
        #expect(try client.get("/search?q=\(limit)").errorCode == "MALFORMED_SEARCH")
    }
}
