// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

@Suite("Errors of soqlgen")
struct QueryFaultTests {
    @Test(
        "an error is reported at its position, and nothing is written",
        arguments: [
            ("SELECT Id FROM Account\nWHERE Nme = 'x'", "2:7: error: No such column 'Nme' on entity 'Account'."),
            (
                "SELECT Id FROM Acount",
                "1:16: error: the schema has no object 'Acount'; run 'soql schema pull Account Contact Acount' to add it"
                    + "; did you mean 'Account'?"
            ),
            (
                "-- ü\n// two\nSELECT Id FROM Account WHERE Size = :x\nOR Name = :x",
                "4:11: error: ':x' is Account.Name (string) here, but Account.Size (int) at line 3, column 37;"
            ),
            (
                "SELECT Id FROM Opportunity",
                "1:16: error: the schema has no object 'Opportunity'; run 'soql schema pull"
            ),
            (
                "-- ü\nSELECT Id FROM Account WHERE Size = 'x'",
                "2:37: error: value of filter criterion for field 'Size'"
            ),
            (
                "SELECT Id FROM Account\n\nWHERE Size = :x OR Name = :x",
                "3:27: error: ':x' is Account.Name (string) here"
            ),
            ("SELECT Id FROM Account WHERE Name = :X OR Name = :x", "1:50: error: ':x' and ':X' differ only in case"),
            ("SELECT Id FROM Account WHERE Name = :self", "1:37: error: a parameter cannot be called 'self'"),
            ("SELECT Id FROM Account WHERE Shape = :x", "1:38: error: the schema has no type for ':x'"),
            ("", "1:1: error: the file has no query"), ("-- nothing\n", "1:1: error: the file has no query"),
            ("SELECT Id FROM Account;\n  SELECT Id FROM Contact", "2:3: error: a second query begins here"),
            ("SELECT Id FROM Account WHERE Name = 'x", "1:37: error: the quote is not closed"),
            ("SELECT FROM Account", "1:8: error: unexpected token: 'FROM'"),
        ])
    func places(query: String, expected: String) throws {
        let folder = try GenDirectory()
        let outcome = try folder.generate(["Good.soql": "SELECT Id FROM Account", "Bad.soql": query])
        #expect(outcome.status == 1 && outcome.faults.count == 1)
        #expect(outcome.faults.first?.hasPrefix("Bad.soql:\(expected)") == true, "\(outcome.faults)")
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test("after an error the written files are unchanged, and a field that left the schema is reported")
    func removed() throws {
        let folder = try GenDirectory()
        let query: KeyValuePairs = ["Q/Names.soql": "SELECT Name FROM Account WHERE Size = :size"]
        #expect(try folder.generate(query).status == 0)
        let before = try folder.text("out/Queries.swift")
        try folder.write(GenDirectory.schema.replacing("\"Size\"", with: "\"Employees\""), to: "schema.json")
        let outcome = try folder.generate(query)
        #expect(outcome.status == 1 && outcome.faults[0].hasPrefix("Q/Names.soql:1:32: error: No such column 'Size'"))
        #expect(try folder.text("out/Queries.swift") == before)
        #expect(folder.names(in: "out") == ["Queries.swift", "QueryObjects.swift"])
    }

    @Test("all errors of all files are reported, and unknown picklist values as warnings")
    func several() throws {
        let outcome = try GenDirectory().generate([
            "A.soql": "SELECT A, B FROM Account", "b.soql": "SELECT Id FROM Account WHERE Industry = 'Bankin'",
            "C.soql": "SELECT C FROM Contact",
        ])
        #expect(
            outcome.faults.map { $0.split(separator: " ")[0] } == [
                "A.soql:1:8:", "A.soql:1:11:", "C.soql:1:8:", "b.soql:1:41:",
            ])
        #expect(outcome.faults.last?.hasSuffix("has no value 'Bankin'; did you mean 'Banking'?") == true)
        #expect(outcome.faults.last?.contains(": warning: ") == true && outcome.status == 1)
    }

    @Test(
        "a file whose name cannot become a function, or whose function already exists, is an error",
        arguments: [
            (["2024.soql"], "2024.soql:1:1: error: '2024' cannot name"), (["a+b.soql"], "a+b.soql:1:1: error: 'a+b'"),
            (["init.soql"], "init.soql:1:1: error: a function cannot be called 'init'"),
            (["Banks.soql", "banks.soql"], "banks.soql:1:1: error: 'Banks.soql' already defines this function"),
            (["x/my-banks.soql", "x/my_banks.soql"], "x/my_banks.soql:1:1: error: 'x/my-banks.soql' already defines"),
        ])
    func names(files: [String], expected: String) throws {
        let folder = try GenDirectory()
        for file in files { try folder.write("SELECT Id FROM Account", to: file) }
        let outcome = try folder.run(["--schema", "schema.json", "--module", "App", "--output", "out"] + files)
        #expect(outcome.status == 1 && outcome.faults.count == 1)
        #expect(outcome.faults.first?.hasPrefix(expected) == true, "\(outcome.faults)")
    }

    @Test(
        "an invalid schema is reported at its position",
        arguments: [
            ("{\"version\": 2, \"sobjects\": []}", "1:1: error: the file has version 2"),
            ("{\"version\": 1, \n \"sobjects\": [", "2:15: error: the schema is not JSON"),
            ("[{\"name\": \"A\"}]", "1:1: error: A: it has no 'fields'"), ("", "1:1: error: the schema is not JSON"),
            (
                "[{\"name\": \"A\", \"fields\": []}, {\"name\": \"a\", \"fields\": []}]",
                "1:1: error: two objects have the name a"
            ),
        ])
    func schemas(text: String, expected: String) throws {
        let folder = try GenDirectory()
        try folder.write(text, to: "schema.json")
        let outcome = try folder.generate(["A.soql": "SELECT Id FROM Account"])
        #expect(outcome.status == 1 && outcome.faults.first?.hasPrefix("schema.json:\(expected)") == true, "\(outcome)")
        #expect(folder.names(in: "out").isEmpty)
    }

    @Test("an invalid command line is a usage error")
    func usage() throws {
        let folder = try GenDirectory()
        #expect(try folder.run([]).status == 2 && folder.run(["--help"]).status == 0)
        #expect(
            try folder.run(["--chek"]).faults == [
                "unknown option '--chek'; did you mean '--check'?"
            ])
        let missing = try folder.run(["--schema", "no.json", "--module", "App", "--output", "out", "A.soql"])
        #expect(missing.status == 1 && missing.faults == ["no.json:1:1: error: the file does not exist"])
        try folder.write("{\"acces\": \"public\"}", to: "options.json")
        let options = try folder.generate(["A.soql": "SELECT Id FROM Account"], "--options", "options.json")
        #expect(options.faults == ["options.json:1:1: error: unknown option 'acces'; did you mean 'access'?"])
    }
}

/// A temporary directory in which a test runs the built `soqlgen`.
final class GenDirectory: ProgramDirectory {
    static let schema = """
        {"version": 1, "sobjects": [
          {"name": "Account", "label": "Account", "fields": [
            {"name": "Id", "type": "id", "nillable": false}, {"name": "Name", "type": "string", "nillable": false},
            {"name": "Size", "type": "int"}, {"name": "Shape", "type": "unheardOf"},
            {"name": "Industry", "label": "Industry\\n*/ }", "type": "picklist",
             "picklistValues": [{"value": "Banking"}, {"value": "None"}]}],
           "childRelationships": [{"childSObject": "Contact", "field": "AccountId", "relationshipName": "Contacts"}]},
          {"name": "Contact", "fields": [
            {"name": "Id", "type": "id", "nillable": false}, {"name": "Born", "type": "date"},
            {"name": "AccountId", "type": "reference", "referenceTo": ["Account"], "relationshipName": "Account"}]}]}
        """

    /// Creates the directory with a schema.
    override init() throws {
        try super.init()
        try write(Self.schema, to: "schema.json")
    }

    /// Writes queries into files and generates their sources into `out`.
    func generate(_ queries: KeyValuePairs<String, String>, _ more: String...) throws -> Outcome {
        for (name, text) in queries { try write(text, to: name) }
        return try run(["--schema", "schema.json", "--module", "App", "--output", "out"] + more + queries.map(\.key))
    }

    /// Runs the command in the directory until it ends.
    func run(_ arguments: [String]) throws -> Outcome { try run(BuiltProgram.url("soqlgen"), arguments) }

    /// Returns the names in a directory, or an empty array if it does not exist.
    func names(in folder: String) -> [String] {
        let names = try? FileManager.default.contentsOfDirectory(atPath: url(folder).path)
        return (names ?? []).sorted()
    }
}

extension ProgramDirectory.Outcome {
    var faults: [String] { errors.split(separator: "\n").map(String.init) }
}
