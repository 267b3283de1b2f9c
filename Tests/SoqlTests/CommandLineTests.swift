// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLCheck
import Testing

@testable import soql

@Suite("Reading the command line")
struct CommandLineTests {
    private func options(_ words: String...) throws -> QueryOptions {
        try QueryOptions(Arguments(words, for: .query))
    }

    @Test("options may stand before and after the query, with = or a blank")
    func query() throws {
        let options = try options(
            "--format=json", "SELECT Id FROM Account", "--limit", "7", "--batch-size", "200", "--all-rows")
        #expect(options.source == .argument("SELECT Id FROM Account"))
        #expect(options.output.format == .json)
        #expect(options.limit == 7)
        #expect(options.batchSize == 200)
        #expect(options.includesDeleted)
    }

    @Test("the query comes from an argument, a file or standard input")
    func sources() throws {
        #expect(try options("--file", "q.soql").source == .file("q.soql"))
        #expect(try options("-").source == .standardInput)
        #expect(try options().source == .standardInput)
        #expect(try options("--", "-x").source == .argument("-x"))
    }

    @Test("options may stand in front of the verb; the value of one is no verb")
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
        "what makes no sense is a usage fault",
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

    @Test("the org command takes port, file and number of records")
    func org() throws {
        let options = try OrgOptions(
            Arguments(["--port", "4000", "--data", "f", "--records", "9"], for: .orgStart))
        #expect(options.port == 4_000)
        #expect(options.dataFile == "f")
        #expect(options.records == 9)
    }

    @Test("the org command takes users, certificates, TLS, rotation and origins")
    func orgLogins() throws {
        let words = [
            "--users", "u", "--certificate", "a", "--certificate", "b", "--tls", "t", "--tls-name", "n", "--rotate",
            "--cors", "https://a.example",
        ]
        let options = try OrgOptions(Arguments(words, for: .orgStart))
        #expect(options.usersFile == "u" && options.certificateFiles == ["a", "b"])
        #expect(options.tlsFile == "t" && options.tlsNames == ["n"])
        #expect(options.rotates && options.origins == ["https://a.example"])
    }

    @Test("a port of 0 is any free one")
    func anyPort() throws {
        #expect(try OrgOptions(Arguments(["--port", "0"], for: .orgStart)).port == nil)
        #expect(try LoginOptions(Arguments(["--port", "0"], for: .login)).callback.ports.isEmpty == false)
    }

    @Test("a misspelt word is met with the nearest one, and nothing with a far one")
    func nearest() {
        #expect("--limt".nearest(in: Verb.query.options.map(\.name)) == "--limit")
        #expect("accuonts".nearest(in: Verb.all.map(\.name)) == "accounts")
        #expect("--nonsense".nearest(in: Verb.query.options.map(\.name)) == nil)
        #expect("".nearest(in: ["a"]) == nil)
    }

    @Test("every verb is found by its words, tells its options in 80 columns, and names each option once")
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
        "widths count what a terminal shows", arguments: [("abc", 3), ("Zoë", 3), ("日本", 4), ("e\u{301}", 1), ("", 0)])
    func width(text: String, columns: Int) {
        #expect(text.columnWidth == columns)
    }

    @Test("control characters cannot steer the terminal")
    func control() {
        #expect("a\u{1B}[31mb\n".singleLine == "a [31mb ")
    }

    @Test("the caret stands under its column, tabs kept")
    func caret() {
        #expect(Caret(at: .init(row: 2, column: 4), in: "SELECT Id\n\tFROM x")?.text == "  \tFROM x\n  \t  ^")
        #expect(Caret(at: .init(row: 2, column: 4), in: "SELECT\r\nA = 1")?.text == "  A = 1\n     ^")
        #expect(Caret(at: .init(row: 1, column: 5), in: "'日本' x")?.text == "  '日本' x\n        ^")
        #expect(Caret(at: .init(row: 3, column: 1), in: "SELECT Id") == nil)
        #expect(Caret(at: .init(row: 0, column: 1), in: "SELECT Id") == nil)
        #expect(Caret(at: .init(row: 1, column: 99), in: "SELECT Id") == nil)
        // Whatever place a server claims in its message, showing it ends no process.
        for place in ["\(Int.min):Column:1", "\(Int.max):Column:\(Int.max)", "1:Column:\(Int.min)"] {
            let fault = APIFault(errorCode: .malformedQuery, message: "ERROR at Row:\(place)")
            #expect(fault.position.flatMap { Caret(at: $0, in: "SELECT Id") } == nil)
        }
    }

    @Test("blanks around a query are not part of it", arguments: [" a b \n", "a b", "\n\ta b"])
    func trimming(text: String) {
        #expect(text.trimmingBlanks == "a b")
        #expect("  ".trimmingBlanks.isEmpty)
    }
}
