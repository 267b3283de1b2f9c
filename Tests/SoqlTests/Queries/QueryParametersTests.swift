// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import SOQLCheck
import Testing

@testable import soql

@Suite("Parameters of queries")
struct QueryParametersTests {
    private func bound(_ text: String, _ words: String...) throws -> String {
        try QueryParameters(words).bind(text).text
    }

    @Test(
        "a value has the kind of its name, and is never a part of the query",
        arguments: [
            ("n=D'Arcy; DROP --", #"A = 'D\'Arcy; DROP --'"#), ("n=5", "A = '5'"), ("n=", "A = ''"),
            ("n=@/etc/passwd", "A = '@/etc/passwd'"), ("n=a=b", "A = 'a=b'"), ("n:text=null", "A = 'null'"),
            ("n:number=-1.50", "A = -1.50"), ("n:boolean=true", "A = TRUE"), ("n:null=", "A = NULL"),
            ("n:null", "A = NULL"), ("n:date=2026-01-31", "A = 2026-01-31"), ("n:date=today", "A = TODAY"),
            ("n:date=LAST_N_DAYS:7", "A = LAST_N_DAYS:7"), ("n:time=12:30:00Z", "A = 12:30:00Z"),
            ("n:datetime=2026-01-31T12:00:00+02:00", "A = 2026-01-31T12:00:00+02:00"),
        ])
    func kinds(word: String, text: String) throws {
        #expect(try bound("A = :n", word).uppercased() == text.uppercased())
    }

    @Test("lists are divided by commas or stand on the lines of a file")
    func lists() throws {
        #expect(try bound("A IN :n", "n:list=a,b'c") == #"A IN ('a','b\'c')"#)
        #expect(try bound("A IN :n", "n:numbers=1,2.5") == "A IN (1,2.5)")
        #expect(try bound("A IN :n", "n:dates=2026-01-01,TODAY") == "A IN (2026-01-01,TODAY)")
        let file = FileManager.default.temporaryDirectory.appending(path: "list-\(UUID()).txt")
        try Data("\u{FEFF}a,b\r\n\r\nc'\n".utf8).write(to: file)
        #expect(try bound("A IN :n", "n:list=@\(file.path)") == #"A IN ('a,b','c\'')"#)
        try FileManager.default.removeItem(at: file)
    }

    @Test("only a colon before a name is a place: not in quotes, dates, times and formulas")
    func places() throws {
        let text = "A = ':n' AND B > 2026-01-01T10:20:30Z AND C = 10:20:30Z AND D = LAST_N_DAYS:5 AND E = :n"
        #expect(try bound(text, "n=x") == text.dropLast(2) + "'x'")
        #expect(try bound("A = LAST_N_DAYS:n", "n:number=5") == "A = LAST_N_DAYS:5")
        #expect(try bound("A = LAST_N_DAYS::n", "n:number=5") == "A = LAST_N_DAYS:5")
        #expect(try bound("LIMIT :n", "n:number=5") == "LIMIT 5")
    }

    @Test(
        "what is no parameter is refused",
        arguments: [
            ["n"], ["=x"], ["1=x"], ["a b=x"], ["a.b=x"], ["n:nmber=1"], ["n:number=x"], ["n:number=1 OR 2"],
            ["n:number=USD5"], ["n:date=2026-02-30"], ["n:date=2026-01-01T00:00:00Z"], ["n:boolean=1"],
            ["n:null=x"], ["n:list="], ["n:list=@/nonexistent"], ["n:numbers=1,,2"], ["n=1", "n=2"], ["n=1", "n:null"],
            ["n:time=25:00:00Z"], ["n:number=NULL"], ["n:boolean=NULL"],
        ])
    func refusals(words: [String]) {
        #expect(throws: UsageError.self) { try QueryParameters(words) }
    }

    @Test("a value that cannot stand where its name stands is refused with advice")
    func strays() {
        let cases = [
            ("SELECT :n FROM A", "n=x", "name"), ("A IN :n", "n=x", "list"), ("A = :n", "n:list=x", "list"),
            ("LIMIT :n", "n=x", "number"), ("LIMIT :n", "n:number=-1", "number"), ("A = 5:n", "n=x", "alone"),
        ]
        for (text, word, advice) in cases {
            let error = #expect(throws: UsageError.self) { try bound(text, word) }
            #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
        }
    }

    @Test("missing and unused parameters are met with the nearest name")
    func slips() throws {
        let missing = #expect(throws: UsageError.self) { try bound("A = :naem", "name=x") }
        #expect(missing?.message == "':naem' has no value; give --param naem=VALUE; did you mean 'name'?")
        let parameters = try QueryParameters(["naem=x"])
        let unused = #expect(throws: UsageError.self) { try parameters.checkUse(in: ["A = :name", "B = ':naem'"]) }
        #expect(unused?.message == "no query uses parameter 'naem'; did you mean 'name'?")
        try parameters.checkUse(in: ["x", "A = :naem"])
        try QueryParameters().checkUse(in: ["A = :name"])
    }

    @Test("a text that is no query goes to the server as it is, unless it should have parameters")
    func noQuery() throws {
        #expect(try bound("A = 'x") == "A = 'x")
        #expect(throws: UsageError.self) { try bound("A = :n AND B = 'x", "n=1") }
    }

    @Test("a place in the bound text leads to the place in the text as written")
    func mapping() throws {
        let query = try BoundQuery("A = :long\nAND Bü = :n AND x", QueryParameters(["long=1", "n=a longer value"]))
        #expect(query.soql.text == "A = '1'\nAND Bü = 'a longer value' AND x")
        let start = try #require(query.place(line: 2, column: 5))
        #expect(start == (2, 5))
        let value = try #require(query.place(line: 2, column: 14))
        #expect(value == (2, 10))
        let end = try #require(query.place(line: 2, column: 31))
        #expect(end == (2, 17))
        #expect(query.place(line: 3, column: 1) == nil && query.place(line: 0, column: .min) == nil)
    }

    @Test("a session sets, changes and removes values")
    func session() throws {
        var parameters = QueryParameters()
        try parameters.set("n", to: "a")
        try parameters.set("n:number", to: "3")
        #expect(try parameters.bind("LIMIT :n").text == "LIMIT 3")
        #expect(parameters.names == ["n"] && parameters.remove("n") && !parameters.remove("n"))
    }
}
