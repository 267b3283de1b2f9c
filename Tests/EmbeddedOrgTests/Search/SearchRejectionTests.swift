// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Searches ignore nothing that they are asked")
struct SearchRejectionTests {
    private func encoded(_ text: String) throws -> String {
        try #require(text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    }

    @Test(
        "a clause that a search does not have is rejected",
        arguments: [
            "RETURNING Account(Id LIMIT 3 FOR VIEW)", "RETURNING Account(Id WHERE Name != null FOR REFERENCE)",
            "RETURNING Account(Id USING ListView=Recent)", "RETURNING Account(Id LIMIT 3 UPDATE VIEWSTAT)",
            "RETURNING Account(Id) WITH NETWORK = 'x'", "RETURNING Account(Id) UPDATE TRACKING",
            "WITH SNIPPET (target_length=100)",
        ])
    func clauses(clause: String) async throws {
        let client = try await SharedOrg.client
        let answer = try client.get("/search?q=\(try encoded("FIND {Alder} \(clause)"))")
        #expect(answer.status == 400 && answer.errorCode != nil, "\(answer.text)")
    }

    @Test(
        "a parameter that is unknown or has another type is rejected",
        arguments: [
            #""in":5"#, #""defaultLimit":"x""#, #""defaultLimit":0"#, #""overallLimit":3000"#, #""snippet":"x""#,
            #""sobjects":[{"name":"Account","offset":5}]"#, #""sobjects":[{"name":"Account","limit":"x"}]"#,
            #""sobjects":[{"name":"Account","limit":-1}]"#,
        ])
    func parameters(parameter: String) async throws {
        let client = try await SharedOrg.client
        let answer = try client.send(
            "POST", "\(OrgClient.data)/parameterizedSearch", body: #"{"q":"Alder",\#(parameter)}"#)
        #expect(answer.status == 400 && answer.errorCode == "MALFORMED_SEARCH", "\(answer.text)")
    }

    @Test("suggestions take any text, also a quote with a mark that joins it", arguments: ["O'\u{301}x", #"a\b%_"#])
    func suggestions(name: String) async throws {
        let client = try await OrgClient.start()
        _ = try client.create("Account", JSONValue(["Name": JSONValue(name)]).description)
        let answer = try client.get("/search/suggestions?sobject=Account&q=\(try encoded(name))").json
        #expect(answer["autoSuggestResults"]?.array?.compactMap { $0["Name"]?.string } == [name])
        await client.org.stop()
    }
}
