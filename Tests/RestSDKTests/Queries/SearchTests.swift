// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import RestTransport
import SOQLSyntax
import Testing

@testable import RestSDK

@Suite("Searches of the client")
struct ClientSearchTests {
    @Test("a value inside the braces is a search term, and elsewhere a literal")
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

    @Test("values that would change a search find only themselves")
    func injection() async throws {
        try await withClient { client, _ in
            let names = [
                "Quokka} RETURNING Contact(Id)", "Quokka* OR Bank", #"Quokka " AND NOT x"#, "Quokka (and) not",
                #"Quokka\"#,
            ]
            _ = try await client.send(.create(names.map { Record.Draft("Account", ["Name": JSONValue($0)]) })).get()
            for name in names {
                let found = try await client.send(
                    .search(
                        "FIND {\(name)} IN NAME FIELDS RETURNING Account(Id, Name WHERE Name = \(name))"))
                #expect(found.compactMap { $0["Name"]?.string } == [name])
                #expect(found.first?.type == "Account")
            }
            let all = try await client.send(.search("FIND {\(prefix: "quok")} RETURNING Account(Id, Name)"))
            #expect(all.count == names.count)
        }
    }

    @Test("a parameterized search of any length is sent in a body, and is a read")
    func parameterized() async throws {
        try await withClient { client, org in
            _ = try await client.send(
                .create([
                    Record.Draft("Account", ["Name": "Quokka & Sons", "Site": "A"]),
                    Record.Draft("Account", ["Name": "Quokka & Sons", "Site": "B"]),
                ])
            ).get()
            var search = ParameterizedSearch("Quokka & Sons", in: .name)
            search.objects = [
                .init("Account", fields: ["Id", "Site"], condition: "Site != \("A")", order: "Site", limit: 10),
                .init("Lead"),
            ]
            search.overallLimit = 100
            #expect(try await client.send(.search(search)).map { $0["Site"]?.string ?? "" } == ["B"])
            search.text += String(repeating: " quokka", count: 3_000)
            #expect(try await client.send(.search(search)).count == 1)
            #expect(!RestRequest.Typed.search(search).request.isWrite)
            #expect(org.journal.entries.contains { $0.target.hasSuffix("/parameterizedSearch") })
        }
    }

    @Test("the scope order is an array")
    func information() async throws {
        try await withClient { client, _ in
            let order = try await client.send(.searchScopeOrder)
            #expect(order.payload.array?.isEmpty == false)
        }
    }

    @Test("suggestions are requested with the text and the object, and layouts with the objects")
    func suggestions() throws {
        let origin = Origin(scheme: .https, host: "example.my.salesforce.com")
        let client = try RestClient(instanceURL: "\(origin)", accessToken: "t")
        let http = try client.httpRequest(for: .searchSuggestions("a&b", of: "Account"), instance: origin)
        #expect(http.method == .get)
        #expect(http.url.target == "/services/data/v66.0/search/suggestions?q=a%26b&sobject=Account")
        let layout = try client.httpRequest(for: .searchLayout(of: ["Account", "Lead"]), instance: origin)
        #expect(layout.url.target == "/services/data/v66.0/search/layout?q=Account%2CLead")
    }

    @Test("an invalid search fails with the server's message, and a malformed response is not an empty list")
    func failures() async throws {
        try await withClient { client, _ in
            let error = await #expect(throws: RestError.self) { try await client.send(.search("FIND {quokka} IN")) }
            #expect(error?.faults.first?.errorCode == .malformedSearch)
        }
        for (body, count) in [(#"{"searchRecords":[]}"#, 0), (#"[{"Id":"1"}]"#, 1), ("{}", nil), ("[1]", nil)] {
            let stub = StubTransport()
            stub.enqueue(body)
            let client = try RestClient.of(stub)
            guard let count else {
                await expectFailure(.decoding) { try await client.send(.search("FIND {quokka}")) }
                continue
            }
            #expect(try await client.send(.search("FIND {quokka}")).count == count)
        }
    }
}

@Suite("SOSL injection")
struct SOSLInjectionTests {
    @Test("ten thousand hostile strings are search terms in FIND, and literals elsewhere", arguments: 0..<4)
    func values(share: Int) throws {
        for value in HostileText.many[(share * 2_500)..<(share + 1) * 2_500] {
            let search: SOSL = """
                FIND {alpha AND (\(value) OR "the \(value)") AND NOT \(prefix: value)} IN NAME FIELDS
                RETURNING A(Id WHERE N = \(value) AND M LIKE \(value) LIMIT 5), B(Id WHERE N IN \([value])) LIMIT 9
                """
            guard
                value.unicodeScalars.contains(where: { Character($0).isLetter && !$0.isMark || Character($0).isNumber })
            else {
                try #require(search.problem != nil)
                continue
            }
            try #require(search.problem == nil, "\(value.debugDescription)")
            try #require(SearchTree(search.text) == expected(value), "\(value.debugDescription)")
        }
    }

    private func expected(_ value: String) -> SearchTree? {
        let words = SearchTree.words(value)
        let term: [SearchTree.Part] =
            [.word("alpha"), .sign("AND"), .sign("(")] + words.map { .word($0) }
            + [.sign("OR"), .phrase(["the"] + words), .sign(")"), .sign("AND"), .sign("NOT")] + words.map { .word($0) }
            + [.sign("*")]
        let quoted = SOQLLiteral.text(value)
        let rest =
            "A(Id WHERE N = \(quoted) AND M LIKE \(quoted) LIMIT 5), B(Id WHERE N IN (\(quoted))) LIMIT 9"
        return SearchTree(term: term, rest: "IN NAME FIELDS\nRETURNING " + rest)
    }

    @Test("at every other position, ten thousand hostile strings are rejected", arguments: Self.refusing)
    func others(place: HostilePlace) throws {
        for value in HostileText.many {
            try #require(place.problem(with: value, .search) != nil, "\(value.debugDescription)")
        }
    }

    private static let refusing = [
        HostilePlace("FIND {a", "}"), .init("FIND {", "b}"), .init("FIND {", "*}"), .init("FIND {-", "}"),
        .init(#"FIND {\"#, "}"), .init(#"FIND {"\"#, "\"}"), .init(#"FIND {a\("#, "}"), .init("FIND "),
        .init("FIND '", "'"),
        .init("FIND {a} IN ", " FIELDS"), .init("FIND {a} RETURNING "), .init("FIND {a} RETURNING A(", ")"),
        .init("FIND {a} RETURNING A(Id, ", ")"), .init("FIND {a} RETURNING A(Id WHERE N = '", "')"),
        .init("FIND {a} RETURNING A(Id ORDER BY ", ")"), .init("FIND {a} LIMIT "),
        .init("FIND {a} WITH DATA CATEGORY B AT "),
    ]

    @Test("two adjacent values are rejected, because they could form one word")
    func touching() {
        #expect(("FIND {\("an")\("d")}" as SOSL).problem?.contains("a space") == true)
        #expect(("FIND {\(prefix: "an")\("d")}" as SOSL).problem != nil)
        #expect((#"FIND {"\#("an")\#("d")"}"# as SOSL).problem == nil)
    }

    @Test("the description shows no value")
    func description() {
        let search: SOSL = "FIND {\("secret") OR \(prefix: "sec")} RETURNING A(Id WHERE N IN \(["secret"]) LIMIT \(5))"
        #expect("\(search)" == "FIND {? OR ?} RETURNING A(Id WHERE N IN ? LIMIT ?)")
        #expect(String(reflecting: search) == search.description)
    }
}

/// A search as the server reads it: the text in the braces, split at operators, and the text after it.
struct SearchTree: Equatable {
    enum Part: Equatable {
        case word(String), sign(String), phrase([String])
    }

    var term: [Part] = []
    var rest = ""

    init(term: [Part], rest: String) {
        (self.term, self.rest) = (term, rest)
    }

    init?(_ text: String) {
        var scalars = text.unicodeScalars[...]
        guard text.hasPrefix("FIND {") else { return nil }
        scalars.removeFirst(6)
        var word = ""
        var words: [String]?
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                guard let escaped = scalars.popFirst() else { return nil }
                word.unicodeScalars.append(escaped)
                continue
            case _ where !" ()\"}*".unicodeScalars.contains(scalar):
                guard !scalar.properties.isWhitespace, !"?&|!{[]^~:'+-".unicodeScalars.contains(scalar) else {
                    return nil
                }
                word.unicodeScalars.append(scalar)
                continue
            default: break
            }
            if !word.isEmpty { words == nil ? term.append(Self.part(word)) : words?.append(word) }
            word = ""
            switch scalar {
            case "}":
                rest = String(String.UnicodeScalarView(scalars.drop { $0 == " " }))
                guard words == nil else { return nil }
                return
            case "\"":
                if let phrase = words { term.append(phrase.count == 1 ? .word(phrase[0]) : .phrase(phrase)) }
                words = words == nil ? [] : nil
            case " ": break
            default: words == nil ? term.append(.sign(String(scalar))) : ()
            }
        }
        return nil
    }

    private static func part(_ word: String) -> Part {
        ["AND", "OR", "NOT"].contains(word.uppercased()) ? .sign(word.uppercased()) : .word(word)
    }

    static func words(_ text: String) -> [String] {
        text.unicodeScalars.split { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
            .map { String(String.UnicodeScalarView($0)) }
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }
}
