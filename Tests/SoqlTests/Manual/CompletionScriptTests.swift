// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestTesting
import Testing

@testable import soql

@Suite("Completion in real shells")
struct CompletionScriptTests {
    /// What a shell offers at the ends of lines.
    private func offers(_ shell: Shell, _ lines: [String], in folder: TemporaryFolder) throws -> [String] {
        let script = folder.path("soql.\(shell.rawValue)")
        try shell.script.write(toFile: script, atomically: true, encoding: .utf8)
        let driver = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "complete.\(shell.rawValue)")
        let process = Process.tool(adding: [
            "HOME": folder.path(""), "PATH": "\(Command.executable.deletingLastPathComponent().path):/usr/bin:/bin",
        ])
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [shell.rawValue, driver.path, script]
        process.currentDirectoryURL = URL(filePath: folder.path(""))
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        // Fish trims the blanks of a line unless lines end with NUL.
        let end = shell == .fish ? "\0" : "\n"
        try input.fileHandleForWriting.write(contentsOf: Data(lines.map { $0 + end }.joined().utf8))
        try input.fileHandleForWriting.close()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private static let verbs = ["check", "schema", "mcp", "login", "org", "help"]

    @Test("bash and fish offer verbs, options of the verb, choices and files", arguments: [Shell.bash, .fish])
    func offers(shell: Shell) throws {
        let folder = try TemporaryFolder()
        try "".write(toFile: folder.path("accounts.soql"), atomically: true, encoding: .utf8)
        let lines = [
            "soql ", "soql schema ", "soql check --", "soql check --format ", "soql check acc", "soql --batch",
            "soql org start --po", "soql completion ", "soql check --format=js", "soql check --schema acc",
        ]
        let offers = try offers(shell, lines, in: folder).map { Set($0.split(separator: " ").map(String.init)) }
        try #require(offers.count == lines.count)
        #expect(offers[0].isSuperset(of: Self.verbs) && !offers[0].contains("pull"))
        #expect(offers[1] == ["pull"])
        #expect(offers[2].isSuperset(of: ["--schema", "--format", "--help"]) && !offers[2].contains("--limit"))
        #expect(offers[3] == ["text", "json"])
        #expect(offers[4] == ["accounts.soql"] && offers[9] == ["accounts.soql"])
        #expect(offers[5] == ["--batch-size"] && offers[6] == ["--port"])
        #expect(offers[7] == ["bash", "zsh", "fish"])
        #expect(offers[8] == [shell == .bash ? "json" : "--format=json"])
    }

    @Test("zsh completes verbs, options of the verb, choices and files at a terminal")
    func zsh() throws {
        let folder = try TemporaryFolder()
        try "".write(toFile: folder.path("accounts.soql"), atomically: true, encoding: .utf8)
        let lines = [
            ("soql chec", "soql check "), ("soql check --form", "soql check --format="),
            ("soql check --format=js", "soql check --format=json "),
            ("soql check --format js", "soql check --format json "),
            ("soql schema pu", "soql schema pull "), ("soql org start --po", "soql org start --port="),
            ("soql completion fi", "soql completion fish "), ("soql check acc", "soql check accounts.soql "),
            ("soql --batch", "soql --batch-size="), ("soql --file acc", "soql --file accounts.soql "),
        ]
        #expect(try offers(.zsh, lines.map(\.0), in: folder) == lines.map(\.1))
    }

    @Test("every option of every verb is in every script and in the manual", arguments: Shell.allCases)
    func completeness(shell: Shell) {
        for verb in Verb.all {
            for option in verb.options {
                #expect(shell.script.contains(option.name.dropFirst(2)), "\(verb.name) \(option.name)")
                #expect(ManualPage.text.contains(option.name.replacing("-", with: "\\-")))
            }
        }
    }
}

@Suite("The manual page")
struct ManualTests {
    private func run(_ words: [String], _ text: String) throws -> (status: Int32, output: String) {
        let process = Process.tool()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }

    @Test("mandoc has nothing to say about it, and shows every verb")
    func lint() async throws {
        let page = try await Command.run("man").output
        let lint = try run(["mandoc", "-T", "lint", "-W", "style"], page)
        #expect(lint.output.isEmpty && lint.status == 0, "\(lint.output)")
        // Bold letters are printed twice.
        let shown = try run(["mandoc", "-T", "ascii", "-O", "width=200"], page).output.replacing(/.\x08/, with: "")
        for verb in Verb.all { #expect(shown.contains("soql \(verb.words.isEmpty ? "[options]" : verb.name)")) }
        #expect(page.contains(".TH SOQL 1"))
    }
}
