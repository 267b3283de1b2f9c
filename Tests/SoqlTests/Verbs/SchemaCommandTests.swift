// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import RestXML
import SOQLCheck
import Testing

@testable import SoqlCommand

@Suite("soql check and soql schema pull")
struct CheckCommandTests {
    private static let text = """
        -- the banks
        SELECT Nme FROM Account WHERE Industry = 'Bankin' AND Name LIKE :name;

        SELECT Id FROM Account WHERE Id IN (:a, :b) AND CreatedDate = LAST_N_DAYS:n LIMIT :most;
        SELECT Id /* ö */, Owner.Nam
            FROM Contact WHERE Name = 'a;b'
        """

    private func pulled(into folder: TemporaryDirectory) async throws -> String {
        let schema = folder.path("schema.json")
        let outcome = try await Command.run("schema", "pull", "--sample", "-o", schema)
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        return schema
    }

    @Test("each finding has its position in a file of several statements, a caret and similar names")
    func text() async throws {
        let folder = try TemporaryDirectory()
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

    @Test("without a schema the grammar is checked, and valid queries exit with 0")
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

    @Test("JSON output has the same findings")
    func json() async throws {
        let outcome = try await Command.run("check", "-", "--format", "json", input: "SELECT Id FROM A; SELECT B B B")
        #expect(outcome.status == 1)
        let report = try JSONValue(parsing: outcome.output)
        #expect(report["statements"]?.int == 2 && report["errors"]?.int == 1 && report["warnings"]?.int == 0)
        let finding = try #require(report["findings"]?[0])
        #expect(finding["code"]?.string == "MALFORMED_QUERY" && finding["rule"]?.string == "syntax")
        #expect(finding["file"]?.string == "-" && finding["line"]?.int == 1 && finding["column"]?.int == 30)
    }

    @Test("an unreadable file or schema is a usage error")
    func usage() async throws {
        let folder = try TemporaryDirectory()
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

    @Test("a schema is written completely or not at all, always the same, to a file or a directory")
    func pull() async throws {
        let folder = try TemporaryDirectory()
        let (first, second) = (folder.path("1.json"), folder.path("2.json"))
        for file in [first, second] {
            let outcome = try await Command.run(
                "schema", "pull", "--sample", "contact", "Account", "account", "-o", file)
            #expect(outcome.status == 0 && outcome.errors == "2 objects saved in \(file)\n")
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

    @Test("an org that is started with a schema has its objects")
    func roundTrip() async throws {
        let folder = try TemporaryDirectory()
        let schema = try await pulled(into: folder)
        let bytes = Array(try Data(contentsOf: URL(filePath: schema)))
        #expect(throws: Never.self) { try OrgSchema(describe: bytes) }
    }
}

@Suite("soql models")
struct ModelsCommandTests {
    private func files(_ folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
        )
    }

    @Test("models of the embedded org and of its saved schema are the same, and files of removed objects are deleted")
    func writing() async throws {
        let folder = try TemporaryDirectory()
        let (output, schema) = (folder.path("Models"), folder.path("schema.json"))
        let outcome = try await Command.run("models", "account", "Contact", "--sample", "-o", output)
        #expect(outcome.status == 0 && outcome.output.isEmpty)
        #expect(outcome.errors == "\(output): 3 files, 3 written, 0 removed, 0 unchanged\n")
        let first = try files(output)
        #expect(first.keys.sorted() == ["Account.swift", "Contact.swift", "OtherObjects.swift"])
        #expect(try await Command.run("models", "Contact", "Account", "--sample", "-o", output, "--check").status == 0)

        _ = try await Command.run("schema", "pull", "Account", "Contact", "--sample", "-o", schema)
        let again = try await Command.run("models", "--schema", schema, "-o", output)
        #expect(again.status == 0 && again.errors.hasSuffix("0 written, 0 removed, 3 unchanged\n"))
        #expect(try files(output) == first)

        let stale = try await Command.run("models", "Account", "--schema", schema, "-o", output, "--check")
        #expect(stale.status == 1 && stale.errors.contains("Contact.swift"))
        #expect(try files(output) == first)
        let fewer = try await Command.run("models", "Account", "--schema", schema, "-o", output)
        #expect(fewer.status == 0)
        #expect(try files(output).keys.sorted() == ["Account.swift", "OtherObjects.swift"])
    }

    @Test("a file that soql did not generate stays, and nothing else is written")
    func foreign() async throws {
        let folder = try TemporaryDirectory()
        let output = folder.path("Models")
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
        try "// mine\n".write(toFile: output + "/Contact.swift", atomically: true, encoding: .utf8)
        let outcome = try await Command.run("models", "Account", "Contact", "--sample", "-o", output)
        #expect(outcome.status == 2 && outcome.errors.contains("Contact.swift was not written by soql models"))
        #expect(try files(output) == ["Contact.swift": "// mine\n"])
    }

    @Test("if the disk is full, all files stay as they were")
    func whole() async throws {
        let folder = try TemporaryDirectory()
        let (output, schema) = (folder.path("Models"), folder.path("schema.json"))
        _ = try await Command.run("schema", "pull", "Account", "User", "--sample", "-o", schema)
        #expect(try await Command.run("models", "User", "--schema", schema, "-o", output).status == 0)
        let before = try files(output)
        let line = "trap '' XFSZ; ulimit -f 20; exec \"$0\" models --schema \"$2\" -o \"$1\" 2>/dev/null"
        let words = ["-c", line, Command.executable.path, output, schema]
        let full = try await Command(words, program: URL(filePath: "/bin/sh")).finish()
        #expect(full.status == 2)
        #expect(try files(output) == before)
    }

    @Test(
        "an invalid schema is rejected before anything is written",
        arguments: [
            ("", "is not JSON"), (#"{"sobjects": [{"name": "Account", "fields": ["#, "is not JSON"),
            (#"{"sobjects": [], "version": 7}"#, "version 7"),
            (#"{"sobjects": [], "version": 1}"#, "no queryable objects"),
            (#"[{"name": "Thing", "fields": []}, {"name": "THING", "fields": []}]"#, "two objects have the name"),
        ])
    func rejections(schema: String, message: String) async throws {
        let folder = try TemporaryDirectory()
        let (file, output) = (folder.path("s.json"), folder.path("Models"))
        try schema.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await Command.run("models", "--schema", file, "-o", output)
        #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("unknown names get a suggestion, and the output directory is required")
    func usage() async throws {
        let folder = try TemporaryDirectory()
        let unknown = try await Command.run("models", "Acount", "--sample", "-o", folder.path("m"))
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'Account'?"))
        let nowhere = try await Command.run("models", "Account", "--sample")
        #expect(nowhere.status == 2 && nowhere.errors.contains("--output"))
    }
}

@Suite("soql schema graph")
struct SchemaGraphTests {
    /// Two objects that reference each other and themselves, and an object apart.
    private static let schema = #"""
        [{"name":"Axle","queryable":true,"fields":[
        {"name":"BoltId","type":"reference","referenceTo":["Bolt","Missing"],"nillable":true},
        {"name":"ParentId","type":"reference","referenceTo":["AXLE"],"nillable":false}]},
        {"name":"Bolt","queryable":true,"fields":[
        {"name":"AxleId","type":"reference","referenceTo":["Axle","Bolt"],"nillable":true}]},
        {"name":"Single","queryable":true,"fields":[{"name":"Name","type":"string"}]}]
        """#

    private func drawn(_ arguments: String...) async throws -> Command.Outcome {
        let folder = try TemporaryDirectory()
        try Self.schema.write(toFile: folder.path("s.json"), atomically: true, encoding: .utf8)
        let process = try Command(["schema", "graph", "--schema", folder.path("s.json")] + arguments)
        return await process.finish()
    }

    @Test("Mermaid has a line for each object and reference, with cycles")
    func mermaid() async throws {
        let graph = try await drawn()
        #expect(
            graph.output == """
                erDiagram
                    "Axle"
                    "Bolt"
                    "Single"
                    "Bolt" |o--o{ "Axle" : "BoltId"
                    "Axle" ||--o{ "Axle" : "ParentId"
                    "Axle" |o--o{ "Bolt" : "AxleId"
                    "Bolt" |o--o{ "Bolt" : "AxleId"

                """)
        #expect(graph.status == 0 && graph.errors.isEmpty)
        #expect(try await drawn("single").output == "erDiagram\n    \"Single\"\n")
    }

    @Test("names with special characters cannot change the drawing")
    func hostile() throws {
        var field = ObjectDescription.Field("<a>\u{1B}\"", kind: "reference")
        let name = "x\"%\\\n</text>"
        field.referenceTo = [name]
        let summary = ObjectDescription.Summary(
            name, label: "", labelPlural: "", keyPrefix: nil, isCreateable: true, isUpdateable: true, isDeletable: true,
            isUndeletable: true)
        let object = ObjectDescription(summary, fields: [field], childRelationships: [])
        let graph = SchemaGraph(try QuerySchema(objects: [object]))
        #expect(
            graph.mermaid == """
                erDiagram
                    "x___ </text>"
                    "x___ </text>" |o--o{ "x___ </text>" : "<a> _"

                """)
        let root = try #require(XMLElement(parsing: Array(graph.svg.utf8)))
        #expect(root.texts("text") == ["x\"%\\ </text>", "<a> \""])
    }

    @Test("an SVG is XML in which every object and reference is drawn once, and objects do not overlap")
    func svg() async throws {
        let graph = try await drawn("--format", "svg")
        let bytes = Array(graph.output.utf8)
        let root = try #require(XMLElement(parsing: bytes))
        #expect(root.texts("text") == ["Axle", "BoltId", "ParentId", "Bolt", "AxleId", "Single"])
        let titles = root.children.flatMap { $0.texts("title") }
        #expect(titles.count == 4 && titles.contains("Bolt.AxleId → Axle"))
        let boxes = graph.output.matches(of: /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/).map { found in
            let numbers: [Int] = [found.1, found.2, found.3, found.4].map { Int($0) ?? 0 }
            return (x: numbers[0]..<numbers[0] + numbers[2], y: numbers[1]..<numbers[1] + numbers[3])
        }
        #expect(boxes.count == 3)
        for (index, box) in boxes.enumerated() {
            for other in boxes.dropFirst(index + 1) { #expect(!box.x.overlaps(other.x) || !box.y.overlaps(other.y)) }
        }
        // Every object of the sample org, whose references have cycles.
        let all = try await Command.run("schema", "graph", "--sample", "--format", "svg")
        let everything = Array(all.output.utf8)
        let picture = try #require(XMLElement(parsing: everything))
        #expect(picture.children.count { $0.name == "rect" } > 30)
    }

    @Test("a file name with .svg selects the format, and an unknown object or format is a usage error")
    func files() async throws {
        let folder = try TemporaryDirectory()
        let file = folder.path("graph.svg")
        let graph = try await drawn("--output", file)
        #expect(graph.status == 0 && graph.errors == "3 objects and 4 references in \(file)\n" && graph.output.isEmpty)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("<svg "))
        for (arguments, message) in [
            (["Bot"], "did you mean 'Bolt'"), (["--format", "png"], "--format takes mermaid, svg, not 'png'"),
        ] {
            let failed = try await drawn(arguments[0], arguments.count > 1 ? arguments[1] : "Bolt")
            #expect(failed.status == 2 && failed.output.isEmpty && failed.errors.contains(message))
        }
    }
}
