// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Testing

@Suite("What soqlgen writes")
struct QuerySourceTests {
    @Test("a query becomes a function with its comment, a row, and the types of objects")
    func query() throws {
        let folder = try GenFolder()
        let outcome = try folder.generate([
            "my-banks.soql": """
            -- SPDX-License-Identifier: Apache-2.0
            -- The banks
            --   of a size.
            /* With their
             * contacts. */
            SELECT Id, Industry, (SELECT Born FROM Contacts) -- all
            FROM Account
            -- some
            WHERE Size = :var AND Name = '\\u00e9' AND Industry IN :in
            """
        ])
        #expect(outcome.status == 0 && outcome.faults.isEmpty)
        #expect(outcome.output == "out: 2 files, 2 written, 0 removed, 0 unchanged\n")
        let text = try folder.text("out/Queries.swift")
        let start = try #require(text.firstRange(of: "nonisolated extension RestClient"))
        #expect(
            text[start.lowerBound...].hasPrefix(
                ##"""
                nonisolated extension RestClient {
                    /// The banks of a size. With their contacts.
                    ///
                    /// - Parameters:
                    ///   - var: compared with `Account.Size`; `nil` finds records without a value.
                    ///   - in: compared with `Account.Industry`; an empty list is rejected.
                    /// - Returns: the rows, which are fetched page by page as they are read.
                    func myBanks(`var`: Int?, in: [Account.Industry]) -> QueryRecords<MyBanksRow> {
                        self.records(.myBanks(var: `var`, in: `in`), as: MyBanksRow.self)
                    }
                }

                nonisolated extension SOQL {
                    /// The query in `my-banks.soql` with its values.
                    static func myBanks(`var`: Int?, in: [Account.Industry]) -> SOQL {
                        #"""
                        SELECT Id, Industry, (SELECT Born FROM Contacts)
                        FROM Account
                        WHERE Size = \#(`var`) AND Name = '\u00e9' AND Industry IN \#(`in`)
                        """#
                    }
                }

                /// One row of the query in `my-banks.soql`.
                struct MyBanksRow: SOQL.Row, Equatable {
                    /// Id (`Account.Id`).
                    let id: RecordID<Account>

                """##), "\(text)")
        // A label has no way out of its comment.
        #expect(text.contains("    /// Industry */ } (`Account.Industry`).\n    let industry: Account.Industry?\n"))
        let objects = try folder.text("out/QueryObjects.swift")
        #expect(objects.contains("enum Industry: Picklist {") && objects.contains("case noneValue\n"))
    }

    @Test("the same queries give the same bytes, and what has not changed is not written again")
    func stable() throws {
        let folder = try GenFolder()
        let queries: KeyValuePairs = ["B.soql": "SELECT COUNT() FROM Account", "A.soql": "SELECT Id FROM Contact"]
        #expect(try folder.generate(queries).status == 0)
        let first = try folder.text("out/Queries.swift")
        let again = try folder.run([
            "--schema", "schema.json", "--module", "App", "--output", "out", "A.soql", "B.soql",
        ])
        #expect(again.output == "out: 2 files, 0 written, 0 removed, 2 unchanged\n")
        #expect(try folder.text("out/Queries.swift") == first)
        #expect(try folder.generate(queries, "--check").status == 0)
        let stale = try folder.generate(["A.soql": "SELECT Born FROM Contact"], "--check")
        #expect(
            stale.status == 1
                && stale.faults.first == "out is not up to date with the queries; run again without --check:")
    }

    @Test("options say who sees the functions, and where the types of objects are")
    func options() throws {
        let folder = try GenFolder()
        let query: KeyValuePairs = ["Banks.soql": "SELECT Industry FROM Account"]
        try folder.write("{\"access\": \"public\", \"models\": \"OrgModels\"}", to: "options.json")
        #expect(try folder.generate(query, "--options", "options.json").status == 0)
        let text = try folder.text("out/Queries.swift")
        #expect(text.contains("\npublic import OrgModels\npublic import RestModels\n"))
        #expect(text.contains("    public func banks() -> QueryRecords<BanksRow> {\n"))
        #expect(text.contains("    public let industry: Account.Industry?\n"))
        #expect(try !folder.text("out/QueryObjects.swift").contains("Account"))
        let plain: KeyValuePairs = ["Banks.soql": "SELECT Name FROM Account"]
        #expect(try folder.generate(plain, "--options", "options.json").status == 0)
        #expect(try !folder.text("out/Queries.swift").contains("OrgModels"))
        #expect(try !folder.text("out/QueryObjects.swift").contains("import"))
        try folder.write("{\"models\": false}", to: "options.json")
        #expect(try folder.generate(query, "--options", "options.json").status == 0)
        #expect(try folder.text("out/Queries.swift").contains("\nimport RestModels\n"))
        #expect(try !folder.text("out/QueryObjects.swift").contains("enum"))
    }

    /// A value in a query, in which § stands for three quotes; the signs that its literal needs; how it is written.
    private static let values: [(String, String, String)] = [
        ("'a§# x'", "##", "'a§# x'"), ("'a§## §# \\\\'", "###", "'a§## §# \\\\'"), ("'\\\"\\'§'", "#", "'\\\"\\'§'"),
        ("'x\u{2028}y\u{85} \u{1}'", "", "'x\\u{2028}y\\u{85} \\u{1}'"),
    ]

    @Test("no text of a query ends the literal that it stands in, or changes there", arguments: values)
    func literals(value: String, sign: String, written: String) throws {
        let folder = try GenFolder()
        let query = "SELECT Id FROM Account WHERE Name = \(value) LIMIT :most"
        let run = try folder.generate(["Odd.soql": query.replacing("§", with: "\"\"\"")])
        #expect(run.status == 0, "\(run)")
        let expected = """
                    \(sign)§
                    SELECT Id FROM Account WHERE Name = \(written) LIMIT \\\(sign)(most)
                    §\(sign)

            """
        let text = try folder.text("out/Queries.swift")
        #expect(text.contains(expected.replacing("§", with: "\"\"\"")), "\(text)")
    }

    @Test("a line end in a text is no query, as on the platform")
    func lineInText() throws {
        let run = try GenFolder().generate(["Odd.soql": "SELECT Id FROM Account WHERE Name = 'a  \n b'"])
        #expect(run.status == 1 && run.faults.contains { $0.contains("Odd.soql:1:") }, "\(run)")
    }

    @Test("types of models that the module has are not written again")
    func models() throws {
        let folder = try GenFolder()
        let head = """
            // SPDX-License-Identifier: Apache-2.0
            // swift-format-ignore-file
            // Written by soql models 1 (kind: models; %);
            // Do not change it; run soql models again when the org has changed.

            """
        let other = "public enum Contact: RecordObject { public static let objectName = \"Contact\" }\n"
        let query: KeyValuePairs = [
            "A.soql": "SELECT Id, Industry, (SELECT Id FROM Contacts) FROM Account WHERE Industry = :industry"
        ]
        for (file, text, written) in [
            ("Account.swift", head.replacing("%", with: "object: Account; describe: 00"), ["Contact"]),
            ("OtherObjects.swift", head.replacing("%", with: "references") + other, ["Account"]),
            ("Mine.swift", "struct Account {}\n", ["Account", "Contact"]),
        ] {
            try folder.write(text, to: file)
            let outcome = try folder.generate(query, "--model", file)
            #expect(outcome.status == 0 && outcome.faults.isEmpty)
            let objects = try folder.text("out/QueryObjects.swift")
            #expect(
                ["Account", "Contact"].filter { objects.contains("enum \($0): RecordObject") } == written, "\(file)")
        }
    }
}
