// SPDX-License-Identifier: Apache-2.0

import Testing

/// What the command makes of its arguments.
@Suite struct CallTests {
    @Test(arguments: ["--help", "-h"]) func helpIsPrinted(_ option: String) throws {
        let help = try Workspace().run(option)
        #expect(help.status == 0 && help.errors.isEmpty)
        #expect(help.output.hasPrefix("Usage: stonegen "))
        for option in [
            "--spec", "--check-spec", "--output", "--module", "--namespaces", "--routes", "--docs", "--check",
        ] {
            #expect(help.output.contains("  \(option) "))
        }
    }

    @Test func aCallWithoutArgumentsTellsTheUsage() throws {
        let call = try Workspace().run()
        #expect(call.status == 2 && call.output.isEmpty)
        #expect(call.errors.hasPrefix("Usage: stonegen "))
    }

    @Test func definitionsAreCounted() throws {
        let workspace = try Workspace()
        let counted = try workspace.run("--check-spec", "--spec", "specs")
        #expect(counted.status == 0 && counted.errors.isEmpty)
        let lines = counted.output.split(separator: "\n")
        #expect(lines.first == "namespaces: 2")
        #expect(lines.count == 7 && lines.allSatisfy { ($0.split(separator: " ").last.flatMap { Int($0) } ?? 0) > 0 })
        // A file that is in the folder as well is read once.
        let twice = try workspace.run("--check-spec", "--spec", "specs", "specs/notes_main.stone", "--spec", "./specs/")
        #expect(twice.output == counted.output && twice.status == 0)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let message: String

        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., message: String) {
            self.arguments = arguments
            self.message = message
        }
    }

    static let refusals = [
        Refusal("--chek-spec", "specs", message: "There is no option '--chek-spec'; did you mean '--check-spec'? See"),
        Refusal("-x", message: "There is no option '-x'; did you mean "),
        Refusal("--spec=specs", message: "Put a blank between an option and its value: --spec specs"),
        Refusal("--outptu=out", message: "There is no option '--outptu=out'; did you mean '--output'?"),
        Refusal("--check-spec", "--spec", message: "--spec needs a value."),
        Refusal("--spec", "", message: "--spec needs a value."),
        Refusal("", message: "An argument is empty; leave it out."),
        Refusal("--output", "--module", "X", message: "--output needs a value, but behind it is the option --module."),
        Refusal("--check-spec", message: "No specs are given; add --spec FOLDER."),
        Refusal(
            "specs", message: "Add --output FOLDER to write Swift sources, or --check-spec to check the specs alone."),
        Refusal("specs", "--output", "out", message: "--output needs --module."),
        Refusal("specs", "--check-spec", "--check", message: "--check needs --output."),
        Refusal("specs", "--check-spec", "--docs", "none", message: "--docs needs --output."),
        Refusal("specs", "--check-spec", "--module", "X", message: "--module needs --output."),
        Refusal("specs", "--output", "a", "--output", "b", message: "--output is given twice; keep one of them."),
        Refusal("specs", "--output", "out", "--module", "X", "--docs", "some", message: "--docs is none or full."),
        Refusal("specs", "--output", "out", "--module", "../X", message: "'../X' cannot be the name of a module;"),
        Refusal("specs", "--output", "out", "--module", "1X", message: "'1X' cannot be the name of a module;"),
        Refusal("specs", "--output", "out", "--module", "é", message: "'é' cannot be the name of a module;"),
        Refusal(
            "specs", "--output", "out", "--module", "X", "--namespaces", ", ,",
            message: "--namespaces needs names with commas between them."),
    ]

    @Test(arguments: refusals) func aFaultyCallIsRefused(_ refusal: Refusal) throws {
        let workspace = try Workspace()
        let call = try workspace.run(refusal.arguments)
        #expect(call.status == 2 && call.output.isEmpty)
        #expect(call.errors.hasPrefix(refusal.message), "\(call.errors)")
        #expect(!workspace.exists("out"))
    }
}
