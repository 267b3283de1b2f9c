// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@testable import soql

@Suite("soql check and soql schema pull")
struct CheckCommandTests {
    private static let text = """
        -- the banks
        SELECT Nme FROM Account WHERE Industry = 'Bankin' AND Name LIKE :name;

        SELECT Id FROM Account WHERE Id IN (:a, :b) AND CreatedDate = LAST_N_DAYS:n LIMIT :most;
        SELECT Id /* ö */, Owner.Nam
            FROM Contact WHERE Name = 'a;b'
        """

    private func pulled(into folder: TemporaryFolder) async throws -> String {
        let schema = folder.path("schema.json")
        let outcome = try await Command.run("schema", "pull", "--sample", "-o", schema)
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        return schema
    }

    @Test("the place of each finding in a file of several statements, with carets and near names")
    func text() async throws {
        let folder = try TemporaryFolder()
        let (file, schema) = (folder.path("q.soql"), try await pulled(into: folder))
        try Self.text.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await Command.run("check", file, "--schema", schema)
        #expect(outcome.status == 1)
        #expect(outcome.errors == "soql: 2 errors in 1 of 1 file\n")
        let lines = outcome.output.split(separator: "\n")
        #expect(lines[0].hasPrefix("\(file):2:8: error: No such column 'Nme' on entity 'Account'."))
        #expect(lines[0].hasSuffix("[unknown-field]"))
        #expect(lines[2] == "         ^~~" && lines[3].hasPrefix("  did you mean 'Name'"))
        #expect(lines[4].hasPrefix("\(file):2:42: warning: the picklist Industry has no value 'Bankin'"))
        #expect(lines[7] == "  did you mean 'Banking'?")
        #expect(lines[8].hasPrefix("\(file):5:26: error: No such column 'Nam' on entity 'User'."))
    }

    @Test("without a schema the grammar is checked, and what is right exits with 0")
    func grammar() async throws {
        let good = try await Command.run("check", "-", input: Self.text)
        #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty)
        let bad = try await Command.run(
            "check", "-", input: "SELECT Id FROM A;\nSELECT FROM B;SELECT Id FROM C WHERE D = 'e")
        #expect(bad.status == 1)
        #expect(bad.output.contains("-:2:8: error: unexpected token: 'FROM'"))
        #expect(bad.output.contains("-:2:42: error: the quote is not closed [syntax]"))
        #expect(bad.errors == "soql: 2 errors in 1 of 1 file\n")
    }

    @Test("JSON tells the same")
    func json() async throws {
        let outcome = try await Command.run("check", "-", "--format", "json", input: "SELECT Id FROM A; SELECT B B B")
        #expect(outcome.status == 1)
        let report = try JSONValue(parsing: outcome.output)
        #expect(report["statements"]?.int == 2 && report["errors"]?.int == 1 && report["warnings"]?.int == 0)
        let finding = try #require(report["findings"]?[0])
        #expect(finding["code"]?.string == "MALFORMED_QUERY" && finding["rule"]?.string == "syntax")
        #expect(finding["file"]?.string == "-" && finding["line"]?.int == 1 && finding["column"]?.int == 30)
    }

    @Test("a file or a schema that cannot be read is a usage fault")
    func usage() async throws {
        let folder = try TemporaryFolder()
        let (file, schema) = (folder.path("q"), folder.path("s"))
        try "SELECT Id FROM A".write(toFile: file, atomically: true, encoding: .utf8)
        try #"{"sobjects":[{"name":"A","fie"#.write(toFile: schema, atomically: true, encoding: .utf8)
        for words in [
            ["check"], ["check", "/nonexistent"], ["check", file, "--schema", schema],
            ["check", file, "--schema", "/no"],
            ["check", file, "--format", "xml"],
        ] {
            let outcome = try await Command(words).finish()
            #expect(outcome.status == 2 && outcome.output.isEmpty, "\(words): \(outcome.errors)")
        }
    }

    @Test("a schema is written whole or not at all, the same each time, to a file or a folder")
    func pull() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.path("1.json"), folder.path("2.json"))
        for file in [first, second] {
            let outcome = try await Command.run(
                "schema", "pull", "--sample", "contact", "Account", "account", "-o", file)
            #expect(outcome.status == 0 && outcome.errors == "2 objects saved in \(file).\n")
        }
        let text = try String(contentsOfFile: first, encoding: .utf8)
        #expect(try text == String(contentsOfFile: second, encoding: .utf8))
        #expect(try await Command.run("schema", "pull", "--sample", "Contact", "Account").output == text)

        let missing = try await Command.run("schema", "pull", "--sample", "Account", "Contct", "-o", first)
        #expect(missing.status == 2 && missing.errors.contains("no object 'Contct'; did you mean 'Contact'?"))
        #expect(try String(contentsOfFile: first, encoding: .utf8) == text)

        let objects = folder.path("objects")
        try FileManager.default.createDirectory(atPath: objects, withIntermediateDirectories: false)
        #expect(try await Command.run("schema", "pull", "--sample", "Account", "User", "-o", objects).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: objects).sorted() == ["Account.json", "User.json"])
        let checked = try await Command.run(
            "check", "-", "--schema", "\(objects)/Account.json", "--schema", "\(objects)/User.json",
            input: "SELECT Owner.Nam FROM Account")
        #expect(checked.status == 1 && checked.output.contains("-:1:14: error: No such column 'Nam' on entity 'User'"))
        let lacking = try await Command.run(
            "check", "-", "--schema", "\(objects)/Account.json", input: "SELECT Owner.Nam FROM Account")
        #expect(lacking.status == 0 && lacking.output.contains("warning: the schema has no User"))

        let nowhere = try await Command.run("schema", "pull", "--sample", "Account", "-o", "/nonexistent/s.json")
        #expect(nowhere.status == 1 && !nowhere.errors.isEmpty)
    }

    @Test("an org that was started with a schema has its objects")
    func roundTrip() async throws {
        let folder = try TemporaryFolder()
        let schema = try await pulled(into: folder)
        let bytes = Array(try Data(contentsOf: URL(filePath: schema)))
        #expect(throws: Never.self) { try OrgSchema(describe: bytes) }
    }
}
