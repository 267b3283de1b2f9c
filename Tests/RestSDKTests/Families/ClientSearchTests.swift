// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import RestTransport
import Testing

@Suite("Searches of the client")
struct ClientSearchTests {
    @Test("a value between the braces is a text to look for, elsewhere a literal")
    func binding() {
        let name = #"A&B (x) "q" 'y' {z} \ -+*?|!^~:[]"#
        let search: SOSL =
            "FIND {\(name)} RETURNING Account(Id WHERE Name = \(name) AND Site IN \(["a'b", "c"]) LIMIT \(5))"
        #expect(
            search.text == #"""
                FIND {A\&B \(x\) \"q\" \'y\' \{z\} \\ \-\+\*\?\|\!\^\~\:\[\]} RETURNING \#
                Account(Id WHERE Name = 'A&B (x) "q" \'y\' {z} \\ -+*?|!^~:[]' AND Site IN ('a\'b','c') LIMIT 5)
                """#)
        #expect(("FIND {\("cats and NOT dogs")}" as SOSL).text == #"FIND {cats "and" "NOT" dogs}"#)
        #expect(
            (#"FIND {"\#("cats and dogs")" AND \#(prefix: "Smi-")}"# as SOSL).text
                == #"FIND {"cats and dogs" AND Smi\-*}"#)
        #expect(
            ("FIND {\(-12)} RETURNING A(Id WHERE N = \(-1))" as SOSL).text
                == #"FIND {\-12} RETURNING A(Id WHERE N = -1)"#)
        #expect(("FIND {\("line\nbreak")}" as SOSL).text == "FIND {line break}")
        #expect(("FIND {\(raw: "a OR b")} RETURNING A" as SOSL).text == "FIND {a OR b} RETURNING A")
    }

    @Test("values that would change a search find themselves and nothing else")
    func injection() async throws {
        try await withClient { client, _ in
            let names = [
                "Quokka} RETURNING Contact(Id)", "Quokka* OR Bank", #"Quokka " AND NOT x"#, "Quokka (and) not",
                #"Quokka\"#,
            ]
            _ = try await client.create(names.map { RecordDraft("Account", ["Name": JSONValue($0)]) }).get()
            for name in names {
                let found = try await client.search(
                    "FIND {\(name)} IN NAME FIELDS RETURNING Account(Id, Name WHERE Name = \(name))")
                #expect(found.compactMap { $0["Name"]?.string } == [name])
                #expect(found.first?.type == "Account")
            }
            let all = try await client.search("FIND {\(prefix: "quok")} RETURNING Account(Id, Name)")
            #expect(all.count == names.count)
        }
    }

    @Test("a parameterized search of any length goes in a body and is a read")
    func parameterized() async throws {
        try await withClient { client, org in
            _ = try await client.create([
                RecordDraft("Account", ["Name": "Quokka & Sons", "Site": "A"]),
                RecordDraft("Account", ["Name": "Quokka & Sons", "Site": "B"]),
            ]).get()
            var search = ParameterizedSearch("Quokka & Sons", in: .name)
            search.objects = [
                .init("Account", fields: ["Id", "Site"], condition: "Site != \("A")", order: "Site", limit: 10),
                .init("Lead"),
            ]
            search.overallLimit = 100
            #expect(try await client.search(search).map { $0["Site"]?.string } == ["B"])
            search.text += String(repeating: " quokka", count: 3_000)
            #expect(try await client.search(search).count == 1)
            #expect(!RestRequest.search(search).isWrite)
            #expect(org.journal.entries.contains { $0.target.hasSuffix("/parameterizedSearch") })
        }
    }

    @Test("scope order and layout are arrays")
    func information() async throws {
        try await withClient { client, _ in
            let order = try await client.send(.searchScopeOrder)
            #expect(order.payload.array?.isEmpty == false)
            let layout = try await client.send(.searchLayout(of: ["Account"]))
            #expect(layout.payload[0]?["searchColumns"] != nil)
        }
    }

    @Test("suggestions are asked for with the text and the object")
    func suggestions() throws {
        let origin = Origin(scheme: .https, host: "example.my.salesforce.com")
        let client = try RestClient(instanceURL: "\(origin)", accessToken: "t")
        let http = try client.httpRequest(for: .searchSuggestions("a&b", of: "Account"), instance: origin)
        #expect(http.method == .get)
        #expect(http.url.target == "/services/data/v66.0/search/suggestions?q=a%26b&sobject=Account")
    }

    @Test("a search that is none fails with the server's words, and an answer of another shape is no empty list")
    func failures() async throws {
        try await withClient { client, _ in
            let error = await #expect(throws: RestError.self) { try await client.search("FIND {quokka} IN") }
            #expect(error?.faults.first?.errorCode == .malformedSearch)
        }
        for (body, count) in [(#"{"searchRecords":[]}"#, 0), (#"[{"Id":"1"}]"#, 1), ("{}", nil), ("[1]", nil)] {
            let stub = StubTransport()
            stub.enqueue(body)
            let client = try RestClient(
                instanceURL: "https://example.my.salesforce.com", accessToken: "t",
                configuration: RestClient.Configuration(transport: stub))
            guard let count else {
                let error = await #expect(throws: RestError.self) { try await client.search("FIND {quokka}") }
                #expect(error?.code == .decoding)
                continue
            }
            #expect(try await client.search("FIND {quokka}").count == count)
        }
    }
}
