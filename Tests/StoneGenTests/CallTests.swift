// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

/// Arguments of the command.
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
        // A file that is also in the directory is read once.
        let twice = try workspace.run("--check-spec", "--spec", "specs", "specs/notes_main.stone", "--spec", "./specs/")
        #expect(twice.output == counted.output && twice.status == 0)
    }

    struct Rejection: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let message: String

        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., message: String) {
            self.arguments = arguments
            self.message = message
        }
    }

    static let rejections = [
        Rejection("--chek-spec", "specs", message: "unknown option '--chek-spec'; did you mean '--check-spec'?"),
        Rejection("-x", message: "unknown option '-x'; run stonegen --help for a list"),
        Rejection("--spec=specs", message: "unsupported '='; separate option and value with a space: --spec specs"),
        Rejection("--outptu=out", message: "unknown option '--outptu=out'; did you mean '--output'?"),
        Rejection("--check-spec", "--spec", message: "--spec needs a value"),
        Rejection("--spec", "", message: "--spec needs a value"),
        Rejection("", message: "an argument is empty; remove it"),
        Rejection(
            "--output", "--module", "X", message: "--output needs a value, but is followed by the option --module"),
        Rejection("--check-spec", message: "no specs; use --spec DIR"),
        Rejection(
            "specs", message: "no action; use --output DIR to write Swift sources, or --check-spec to check the specs"),
        Rejection("specs", "--output", "out", message: "--output needs --module"),
        Rejection("specs", "--check-spec", "--check", message: "--check needs --output"),
        Rejection("specs", "--check-spec", "--docs", "none", message: "--docs needs --output"),
        Rejection("specs", "--check-spec", "--module", "X", message: "--module needs --output"),
        Rejection("specs", "--output", "a", "--output", "b", message: "--output is given twice; remove one"),
        Rejection("specs", "--output", "out", "--module", "X", "--docs", "some", message: "--docs takes none or full"),
        Rejection("specs", "--output", "out", "--module", "../X", message: "invalid module name '../X';"),
        Rejection("specs", "--output", "out", "--module", "1X", message: "invalid module name '1X';"),
        Rejection("specs", "--output", "out", "--module", "é", message: "invalid module name 'é';"),
        Rejection(
            "specs", "--output", "out", "--module", "X", "--namespaces", ", ,",
            message: "--namespaces needs names separated by commas"),
    ]

    @Test(arguments: rejections) func aFaultyCallIsRefused(_ rejection: Rejection) throws {
        let workspace = try Workspace()
        let call = try workspace.run(rejection.arguments)
        #expect(call.status == 2 && call.output.isEmpty)
        #expect(call.errors.hasPrefix(rejection.message), "\(call.errors)")
        #expect(!workspace.exists("out"))
    }
}

/// Selecting namespaces and routes by name.
@Suite struct SelectionTests {
    @Test func aNamespaceAloneIsWritten() throws {
        let workspace = try Workspace()
        #expect(try workspace.generate("--namespaces", " common,").status == 0)
        let paths = try workspace.files(in: "out").keys
        #expect(paths.contains("Common/Common.swift") && !paths.contains { $0.hasPrefix("Notes/") })
    }

    @Test func theRoutesOfAListAreWritten() throws {
        let workspace = try Workspace()
        try workspace.write(
            "# what the app calls\r\n\r\n  notes/folders/list # pages\r\nnotes/create_v2\r\n", to: "routes")
        let call = try workspace.generate("--routes", "routes")
        #expect(call.status == 0, "\(call.errors)")
        let routes = try workspace.text("out/Notes/Notes+Routes.swift")
        #expect(routes.contains("func foldersList(") && routes.contains("func createV2("))
        #expect(!routes.contains("func create(") && !routes.contains("func ping("))
    }

    @Test func unknownNamespacesAreToldWithTheNearest() throws {
        let workspace = try Workspace()
        let call = try workspace.generate("--namespaces", "nots,common,comon")
        #expect(call.status == 2 && call.output.isEmpty)
        #expect(
            call.errors == """
                unknown namespace 'nots'; did you mean 'notes'?
                unknown namespace 'comon'; did you mean 'common'?

                """)
        #expect(!workspace.exists("out"))
    }

    @Test func unknownRoutesAreToldWithTheNearest() throws {
        let workspace = try Workspace()
        try workspace.write("notes/create\nnotes/create:2\n\nnotes/folder/list\n", to: "routes.txt")
        let call = try workspace.generate("--routes", "routes.txt")
        let lines = call.errors.split(separator: "\n")
        #expect(call.status == 2 && lines.count == 2)
        #expect(
            lines.first?.hasPrefix("routes.txt:2: unknown route 'notes/create:2'; did you mean 'notes/create")
                == true)
        #expect(
            lines.last?.hasPrefix(
                "routes.txt:4: unknown route 'notes/folder/list'; did you mean 'notes/folders/list'")
                == true)
        #expect(!workspace.exists("out"))
    }

    @Test func aRouteOutsideOfTheNamespacesIsAFault() throws {
        let workspace = try Workspace()
        try workspace.write("notes/create", to: "routes")
        let call = try workspace.generate("--routes", "routes", "--namespaces", "common")
        #expect(call.status == 2)
        #expect(call.errors.hasPrefix("routes:1: route 'notes/create' is not in --namespaces;"))
    }

    @Test func manyUnknownNamesAreCutOff() throws {
        let workspace = try Workspace()
        try workspace.write((0..<5_000).map { "a/\($0)\n" }.joined(), to: "routes")
        let call = try workspace.generate("--routes", "routes")
        #expect(call.status == 2)
        #expect(call.errors.split(separator: "\n").count == 51)
        #expect(call.errors.hasSuffix("and 4950 more errors\n"))
    }

    @Test(arguments: ["", "\n# none\n"]) func aListWithoutNamesIsAFault(_ text: String) throws {
        let workspace = try Workspace()
        try workspace.write(text, to: "routes")
        let call = try workspace.generate("--routes", "routes")
        #expect(call.status == 2 && call.errors == "routes has no routes; list one per line\n")
    }

    @Test func aListThatIsNotThereIsAFault() throws {
        let call = try Workspace().generate("--routes", "routes")
        #expect(call.status == 2 && call.errors == "routes does not exist\n")
        let folder = try Workspace().generate("--routes", "specs")
        #expect(folder.status == 2 && folder.errors == "specs is a directory; give a file\n")
    }
}

/// Specs that cannot be read or have errors.
@Suite(.timeLimit(.minutes(2))) struct SpecTests {
    @Test func missingFilesAndFoldersAreFaults() throws {
        let workspace = try Workspace()
        try workspace.write("", to: "empty/readme.txt")
        try workspace.write("", to: "empty/._notes.stone")
        try workspace.link("loop", to: "loop")
        try workspace.write("", to: "odd/folder.stone/inner.stone")
        let expected = [
            "nowhere": "nowhere does not exist\n",
            "loop": "loop does not exist\n",
            "empty": "empty has no .stone files\n",
            "odd": "odd/folder.stone is a directory; give a file\n",
        ]
        for (path, message) in expected {
            let call = try workspace.run("--check-spec", "--spec", path)
            #expect(call.status == 2 && call.errors == message && call.output.isEmpty, "\(call.errors)")
        }
    }

    /// The status is 2 with advice even for root, who can read the directory and finds it empty.
    @Test func aFolderThatMayNotBeReadIsAFault() throws {
        let workspace = try Workspace()
        let call = try workspace.shell("mkdir closed; chmod 0 closed; $stonegen --check-spec --spec closed")
        #expect(call.status == 2)
        #expect(call.errors.hasPrefix("closed "))
    }

    @Test func pipesAndDevicesAreNotRead() throws {
        let workspace = try Workspace()
        for line in ["mkfifo pipe; $stonegen --check-spec pipe", "$stonegen --check-spec /dev/zero"] {
            let call = try workspace.shell(line)
            #expect(call.status == 2)
            #expect(call.errors.hasSuffix("is not a file or directory; save its content in a file\n"))
        }
    }

    @Test func faultsOfAllFilesAreToldInOneRun() throws {
        let workspace = try Workspace()
        try workspace.write("namespace one\n\nstruct A\n    a & String\n    b %\n", to: "faulty/one.stone")
        try workspace.write("namespace two\r\nalias É = String\r\n", to: "faulty/two.stone")
        let call = try workspace.run("--spec", "faulty", "--output", "out", "--module", "M")
        #expect(call.status == 1 && call.output.isEmpty && !workspace.exists("out"))
        let blocks = call.errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(blocks.count == 11, "\(call.errors)")
        #expect(blocks[0].hasPrefix("faulty/one.stone:4:7: error: unexpected character '&'"))
        #expect(blocks[1] == "    a & String" && blocks[2] == "      ^")
        #expect(blocks[3].hasPrefix("faulty/one.stone:5:7: error: "))
        #expect(blocks[6].hasPrefix("faulty/two.stone:2:7: error: ") && blocks[7] == "alias É = String")
        #expect(blocks[8] == "      ^" && blocks[9] == "3 errors")
    }

    @Test func linesMayEndAsOnWindows() throws {
        let workspace = try Workspace()
        for name in try FileManager.default.contentsOfDirectory(atPath: workspace.url("specs").path) {
            let text = try workspace.text("specs/\(name)")
            try workspace.write(
                text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"),
                to: "windows/\(name)")
        }
        #expect(try workspace.generate("--docs", "none").status == 0)
        let windows = try workspace.run(
            "--spec", "windows", "--output", "out2", "--module", "NotesAPI", "--docs", "none")
        #expect(windows.status == 0, "\(windows.errors)")
        let texts = try [workspace.files(in: "out"), workspace.files(in: "out2")].map { files in
            // The third line is the hash of the specs.
            files.mapValues { $0.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3) }
        }
        #expect(texts[0] == texts[1])
    }

    @Test func aHugeFileIsNotRead() throws {
        let workspace = try Workspace()
        // The file is sparse, so it needs no disk space.
        let call = try workspace.shell("truncate -s 100G huge.stone; $stonegen --check-spec huge.stone")
        #expect(call.status == 2 && call.errors == "huge.stone is larger than 32 MiB; split it\n")
    }
}
