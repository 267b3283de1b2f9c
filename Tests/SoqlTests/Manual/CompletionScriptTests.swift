// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import Testing

@testable import SoqlCommand

@Suite("Completion in real shells")
struct CompletionScriptTests {
    private func offers(_ shell: Shell, _ lines: [String], in folder: TemporaryDirectory) async throws -> [String] {
        let script = folder.path("soql.\(shell.rawValue)")
        try shell.script.write(toFile: script, atomically: true, encoding: .utf8)
        let driver = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "complete.\(shell.rawValue)")
        // Fish trims the spaces of a line unless lines end with NUL.
        let end = shell == .fish ? "\0" : "\n"
        let search = "\(Command.executable.deletingLastPathComponent().path):/usr/bin:/bin"
        let run = try await Command(
            ["-c", #"cd "$HOME" && exec "$@""#, "sh", shell.rawValue, driver.path, script],
            environment: ["HOME": folder.path(""), "PATH": search], input: lines.map { $0 + end }.joined(),
            program: URL(filePath: "/bin/sh")
        ).finish()
        return run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    private static let verbs = ["check", "schema", "mcp", "login", "org", "help"]

    @Test("bash and fish offer verbs, options of the verb, choices and files", arguments: [Shell.bash, .fish])
    func offers(shell: Shell) async throws {
        let folder = try TemporaryDirectory()
        try "".write(toFile: folder.path("accounts.soql"), atomically: true, encoding: .utf8)
        let lines = [
            "soql ", "soql schema ", "soql check --", "soql check --format ", "soql check acc", "soql --batch",
            "soql org start --po", "soql completion ", "soql check --format=js", "soql check --schema acc",
        ]
        let offers = try await offers(shell, lines, in: folder).map { Set($0.split(separator: " ").map(String.init)) }
        try #require(offers.count == lines.count)
        #expect(offers[0].isSuperset(of: Self.verbs) && !offers[0].contains("pull"))
        #expect(offers[1] == ["pull", "graph"])
        #expect(offers[2].isSuperset(of: ["--schema", "--format", "--help"]) && !offers[2].contains("--limit"))
        #expect(offers[3] == ["text", "json"])
        #expect(offers[4] == ["accounts.soql"] && offers[9] == ["accounts.soql"])
        #expect(offers[5] == ["--batch-size"] && offers[6] == ["--port"])
        #expect(offers[7] == ["bash", "zsh", "fish"])
        #expect(offers[8] == [shell == .bash ? "json" : "--format=json"])
    }

    @Test("zsh completes verbs, options of the verb, choices and files on a terminal")
    func zsh() async throws {
        let folder = try TemporaryDirectory()
        try "".write(toFile: folder.path("accounts.soql"), atomically: true, encoding: .utf8)
        let lines = [
            ("soql chec", "soql check "), ("soql check --form", "soql check --format="),
            ("soql check --format=js", "soql check --format=json "),
            ("soql check --format js", "soql check --format json "),
            ("soql schema pu", "soql schema pull "), ("soql org start --po", "soql org start --port="),
            ("soql completion fi", "soql completion fish "), ("soql check acc", "soql check accounts.soql "),
            ("soql --batch", "soql --batch-size="), ("soql --file acc", "soql --file accounts.soql "),
        ]
        #expect(try await offers(.zsh, lines.map(\.0), in: folder) == lines.map(\.1))
    }

    @Test("every option of every verb is offered, and is in the manual")
    func completeness() async {
        let page = ManualPage.text
        for verb in Verb.all {
            let offers = await Offers(verb.words + ["--"]).lines
            for option in verb.options {
                #expect(offers.contains { $0.hasPrefix(option.name) }, "\(verb.name) \(option.name)")
                #expect(page.contains(option.name.replacing("-", with: "\\-")))
            }
        }
    }
}

@Suite("The manual page")
struct ManualTests {
    private func mandoc(_ words: String..., reading page: String) async throws -> Command.Outcome {
        try await Command(["mandoc"] + words, input: page, program: URL(filePath: "/usr/bin/env")).finish()
    }

    @Test("mandoc reports no problem, and shows every verb")
    func lint() async throws {
        let page = try await Command.run("man").output
        let lint = try await mandoc("-T", "lint", "-W", "style", reading: page)
        #expect(lint.output.isEmpty && lint.errors.isEmpty && lint.status == 0, "\(lint)")
        // Bold characters are printed twice.
        let shown = try await mandoc("-T", "ascii", "-O", "width=200", reading: page).output
            .replacing(/.\x08/, with: "")
        for verb in Verb.all { #expect(shown.contains("soql \(verb.words.isEmpty ? "[options]" : verb.name)")) }
        #expect(page.contains(".TH SOQL 1"))
    }
}
