// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBase
import RestSDK
import RestTesting
import SOQLCheck
import Testing

@testable import SoqlCommand

@Suite("Query parameters on the command line")
struct QueryParametersTests {
    private func bound(_ text: String, _ words: String...) throws -> String {
        try BoundQuery(text, QueryParameters(words)).soql.text
    }

    @Test(
        "a value has the type in its name, and is never part of the query",
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

    @Test("list values are separated by commas, or are the lines of a file")
    func lists() throws {
        #expect(try bound("A IN :n", "n:list=a,b'c") == #"A IN ('a','b\'c')"#)
        #expect(try bound("A IN :n", "n:numbers=1,2.5") == "A IN (1,2.5)")
        #expect(try bound("A IN :n", "n:dates=2026-01-01,TODAY") == "A IN (2026-01-01,TODAY)")
        let folder = try TemporaryDirectory()
        try folder.write("\u{FEFF}a,b\r\n\r\nc'\n", to: "list.txt")
        #expect(try bound("A IN :n", "n:list=@" + folder.path("list.txt")) == #"A IN ('a,b','c\'')"#)
    }

    @Test("only a colon before a name is a parameter, and not one in strings, dates, times and formulas")
    func places() throws {
        let text = "A = ':n' AND B > 2026-01-01T10:20:30Z AND C = 10:20:30Z AND D = LAST_N_DAYS:5 AND E = :n"
        #expect(try bound(text, "n=x") == text.dropLast(2) + "'x'")
        #expect(try bound("A = LAST_N_DAYS:n", "n:number=5") == "A = LAST_N_DAYS:5")
        #expect(try bound("A = LAST_N_DAYS::n", "n:number=5") == "A = LAST_N_DAYS:5")
        #expect(try bound("LIMIT :n", "n:number=5") == "LIMIT 5")
    }

    @Test(
        "invalid parameters are rejected",
        arguments: [
            ["n"], ["=x"], ["1=x"], ["a b=x"], ["a.b=x"], ["n:nmber=1"], ["n:number=x"], ["n:number=1 OR 2"],
            ["n:number=USD5"], ["n:date=2026-02-30"], ["n:date=2026-01-01T00:00:00Z"], ["n:boolean=1"],
            ["n:null=x"], ["n:list="], ["n:list=@/nonexistent"], ["n:numbers=1,,2"], ["n=1", "n=2"], ["n=1", "n:null"],
            ["n:time=25:00:00Z"], ["n:number=NULL"], ["n:boolean=NULL"],
        ])
    func rejections(words: [String]) {
        #expect(throws: UsageError.self) { try QueryParameters(words) }
    }

    @Test("a value at a position where it is not allowed is rejected with advice")
    func strays() {
        let cases = [
            ("SELECT :n FROM A", "n=x", "name"), ("A IN :n", "n=x", "list"), ("A = :n", "n:list=x", "list"),
            ("LIMIT :n", "n=x", "number"), ("LIMIT :n", "n:number=-1", "number"), ("A = 5:n", "n=x", "space"),
        ]
        for (text, word, advice) in cases {
            let error = #expect(throws: UsageError.self) { try bound(text, word) }
            #expect(error?.message.contains(advice) == true, "\(error?.message ?? "")")
        }
    }

    @Test("missing and unused parameters are errors with the nearest name")
    func slips() throws {
        let missing = #expect(throws: UsageError.self) { try bound("A = :naem", "name=x") }
        #expect(missing?.message == "':naem' has no value; give --param naem=VALUE; did you mean 'name'?")
        let parameters = try QueryParameters(["naem=x"])
        let unused = #expect(throws: UsageError.self) { try parameters.checkUse(in: ["A = :name", "B = ':naem'"]) }
        #expect(unused?.message == "no query uses parameter 'naem'; did you mean 'name'?")
        try parameters.checkUse(in: ["x", "A = :naem"])
        try QueryParameters().checkUse(in: ["A = :name"])
    }

    @Test("an invalid query is sent to the server, which reports the error")
    func noQuery() throws {
        #expect(try bound("A = 'x") == "A = 'x")
        #expect(try bound("A = :n AND B = 'x", "n=1") == "A = '1' AND B = 'x")
    }

    @Test("a position in the bound text is mapped to the original text")
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
        #expect(try BoundQuery("LIMIT :n", parameters).soql.text == "LIMIT 3")
        #expect(parameters.names == ["n"] && parameters.remove("n") && !parameters.remove("n"))
    }
}

@Suite("Parsing the command line")
struct CommandLineTests {
    private func options(_ words: String...) throws -> Queries {
        try Queries(Arguments(words, for: .query))
    }

    @Test("options can be before and after the query, with = or a space")
    func query() throws {
        let options = try options(
            "--format=json", "SELECT Id FROM Account", "--limit", "7", "--batch-size", "200", "--all-rows")
        #expect(options.source == .argument("SELECT Id FROM Account"))
        #expect(options.arguments.format(onTerminal: true) == .json)
        #expect(options.arguments.number(.limit) == 7)
        #expect(options.arguments.number(.batchSize) == 200)
        #expect(options.arguments.has(.allRows))
    }

    @Test("the query comes from an argument, a file or standard input")
    func sources() throws {
        #expect(try options("--file", "q.soql").source == .file("q.soql"))
        #expect(try options("-").source == .standardInput)
        #expect(try options().source == .standardInput)
        #expect(try options("--", "-x").source == .argument("-x"))
    }

    @Test("options can be before the verb, and an option's value is not taken for a verb")
    func leadingOptions() throws {
        let found = try Verb.find(in: ["--sample", "-q", "schema", "pull", "Account"])
        #expect(found.verb.name == "schema pull")
        #expect(found.rest == ["--sample", "-q", "Account"])
        let queries = [["--target-org", "create"], ["-o", "create"], ["--sample", "--", "create"], ["-"], ["--raw"]]
        for line in queries {
            let found = try Verb.find(in: line)
            #expect(found.verb.words.isEmpty && found.rest == line, "\(line)")
        }
        #expect(try Verb.find(in: ["--format=csv", "limits"]).verb.name == "limits")
        #expect(throws: UsageError.self) { try Verb.find(in: ["--sample", "org"]) }
    }

    @Test(
        "invalid arguments are usage errors",
        arguments: [
            ["--nonsense"], ["--format", "xml"], ["--format"], ["--limit", "-1"], ["--limit", "x"],
            ["--batch-size", "199"], ["--api-version", "x"], ["--cell-width", "-1"], ["--raw=yes"],
            ["a", "b"], ["a", "--file", "b"], ["--all-rows=yes"], ["org"], ["org", "stop"],
            ["org", "start", "--port", "70000"], ["org", "start", "x"], ["org", "start", "--tls-name", "a"],
            ["org", "start", "--tls"], ["org", "start", "--rotate=yes"],
            ["login", "x"], ["login", "--device", "--client-credentials"], ["login", "--jwt-key"],
            ["logout", "a", "b"], ["logout", "a", "--all"], ["accounts", "x"],
            ["accounts", "use"], ["accounts", "use", "a", "b"],
        ])
    func usage(words: [String]) {
        #expect(throws: UsageError.self) { try Invocation.command(for: words) }
    }

    @Test("the org command accepts port, file, record count, TLS and rotation, and port 0 means any free port")
    func org() throws {
        let words = [
            "--port", "4000", "--data", "f", "--records", "9", "--tls", "t", "--tls-name", "n", "--rotate",
        ]
        let configuration = try OrgRun.configuration(Arguments(words, for: .orgStart))
        #expect(configuration.port == 4_000 && configuration.records == 9)
        guard case .file("f") = configuration.storage else { throw UsageError("the storage is no file") }
        #expect(configuration.security?.names == ["n"] && configuration.security?.certificateFile == "t")
        #expect(configuration.refreshRotation == .strict)
        #expect(try OrgRun.configuration(Arguments(["--port", "0"], for: .orgStart)).port == nil)
        #expect(try LoginRun.callback(Arguments(["--port", "0"], for: .login)).ports.isEmpty == false)
    }

    @Test("a misspelled word gets the nearest suggestion, and none if it is too different")
    func nearest() {
        #expect("--limt".nearest(in: Verb.query.options.map(\.name)) == "--limit")
        #expect("accuonts".nearest(in: Verb.all.map(\.name)) == "accounts")
        #expect("--nonsense".nearest(in: Verb.query.options.map(\.name)) == nil)
        #expect("".nearest(in: ["a"]) == nil)
    }

    @Test("every verb is found by its words, has help in 80 columns, and unique options")
    func table() throws {
        for verb in Verb.all {
            #expect(try Verb.find(in: verb.words + ["x"]).verb.name == verb.name)
            let text = Help.text(of: verb)
            for option in verb.options { #expect(text.contains(option.form)) }
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
            let names = verb.options.flatMap { [$0.name] + ($0.short.map { [$0] } ?? []) }
            #expect(Set(names).count == names.count && !names.contains("--help"))
        }
        #expect(Help.overview.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}

@Suite("Text for terminals")
struct TextTests {
    @Test(
        "the width is the number of terminal columns",
        arguments: [("abc", 3), ("Zoë", 3), ("日本", 4), ("e\u{301}", 1), ("", 0)])
    func width(text: String, columns: Int) {
        #expect(text.columnWidth == columns)
    }

    @Test("control characters are removed, so they cannot control the terminal")
    func control() {
        #expect("a\u{1B}[31mb\n".singleLine == "a [31mb ")
    }

    @Test("the caret is under its column, and tabs are kept")
    func caret() {
        #expect(Caret(at: .init(row: 2, column: 4), in: "SELECT Id\n\tFROM x")?.text == "  \tFROM x\n  \t  ^")
        #expect(Caret(at: .init(row: 2, column: 4), in: "SELECT\r\nA = 1")?.text == "  A = 1\n     ^")
        #expect(Caret(at: .init(row: 1, column: 5), in: "'日本' x")?.text == "  '日本' x\n        ^")
        #expect(Caret(at: .init(row: 3, column: 1), in: "SELECT Id") == nil)
        #expect(Caret(at: .init(row: 0, column: 1), in: "SELECT Id") == nil)
        #expect(Caret(at: .init(row: 1, column: 99), in: "SELECT Id") == nil)
        // An invalid position in a server's message must not end the process.
        for place in ["\(Int.min):Column:1", "\(Int.max):Column:\(Int.max)", "1:Column:\(Int.min)"] {
            let fault = APIFault(errorCode: .malformedQuery, message: "ERROR at Row:\(place)")
            #expect(fault.position.flatMap { Caret(at: $0, in: "SELECT Id") } == nil)
        }
    }

    @Test("whitespace around a query is removed", arguments: [" a b \n", "a b", "\n\ta b"])
    func trimming(text: String) {
        #expect(text.trimmingBlanks == "a b")
        #expect("  ".trimmingBlanks.isEmpty)
    }
}
