// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTesting
import Testing

@Suite("soql models")
struct ModelsCommandTests {
    private func files(_ folder: String) throws -> [String: String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        return Dictionary(
            uniqueKeysWithValues: try names.map { ($0, try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8)) }
        )
    }

    @Test("models of the embedded org and of its saved describe are the same, and what is gone is removed")
    func writing() async throws {
        let folder = try TemporaryFolder()
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

    @Test("a file of somebody else stays, and nothing is written beside it")
    func foreign() async throws {
        let folder = try TemporaryFolder()
        let output = folder.path("Models")
        try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: false)
        try "// mine\n".write(toFile: output + "/Contact.swift", atomically: true, encoding: .utf8)
        let outcome = try await Command.run("models", "Account", "Contact", "--sample", "-o", output)
        #expect(outcome.status == 2 && outcome.errors.contains("Contact.swift was not written by soql models"))
        #expect(try files(output) == ["Contact.swift": "// mine\n"])
    }

    @Test("all is written or nothing: a file for which the disk has no room leaves the others as they were")
    func whole() async throws {
        let folder = try TemporaryFolder()
        let (output, schema) = (folder.path("Models"), folder.path("schema.json"))
        _ = try await Command.run("schema", "pull", "Account", "User", "--sample", "-o", schema)
        #expect(try await Command.run("models", "User", "--schema", schema, "-o", output).status == 0)
        let before = try files(output)
        let process = Process.tool()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c",
            "trap '' XFSZ; ulimit -f 20; exec \"$0\" models --schema \"$2\" -o \"$1\" 2>/dev/null",
            Command.executable.path, output, schema,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 2)
        #expect(try files(output) == before)
    }

    @Test(
        "what cannot be understood is refused before anything is written",
        arguments: [
            ("", "is not JSON"), (#"{"sobjects": [{"name": "Account", "fields": ["#, "is not JSON"),
            (#"{"sobjects": [], "version": 7}"#, "version 7"), (#"{"sobjects": [], "version": 1}"#, "no object"),
            (#"[{"name": "Thing", "fields": []}, {"name": "THING", "fields": []}]"#, "two objects have the name"),
        ])
    func refusals(schema: String, message: String) async throws {
        let folder = try TemporaryFolder()
        let (file, output) = (folder.path("s.json"), folder.path("Models"))
        try schema.write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await Command.run("models", "--schema", file, "-o", output)
        #expect(outcome.status == 2 && outcome.errors.contains(message), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("unknown names are told with the nearest one; the folder is needed")
    func usage() async throws {
        let folder = try TemporaryFolder()
        let unknown = try await Command.run("models", "Acount", "--sample", "-o", folder.path("m"))
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean 'Account'?"))
        let nowhere = try await Command.run("models", "Account", "--sample")
        #expect(nowhere.status == 2 && nowhere.errors.contains("--output"))
    }
}
