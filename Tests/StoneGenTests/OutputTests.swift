// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import Testing

/// Files in the output directory.
@Suite struct OutputTests {
    @Test func sourcesAreWrittenOnceAndThenLeftAlone() throws {
        let workspace = try Workspace()
        let first = try workspace.generate()
        #expect(first.status == 0 && first.errors.isEmpty)
        let written = try workspace.files(in: "out")
        #expect(written.count >= 7)
        #expect(first.output == "out: \(written.count) files, \(written.count) written, 0 removed, 0 unchanged\n")
        let again = try workspace.generate()
        #expect(again.output == "out: \(written.count) files, 0 written, 0 removed, \(written.count) unchanged\n")
        #expect(try workspace.files(in: "out") == written)
    }

    @Test func onlyWhatDiffersIsWrittenAgain() throws {
        let workspace = try Workspace()
        _ = try workspace.generate()
        let before = try workspace.files(in: "out")
        try workspace.write(
            try #require(before["Common/Common.swift"]).text + "// changed\n", to: "out/Common/Common.swift")
        #expect(try workspace.generate().output.contains(" 1 written, 0 removed,"))
        let after = try workspace.files(in: "out")
        #expect(after.mapValues(\.text) == before.mapValues(\.text))
        #expect(after["NotesAPIRegistry.swift"] == before["NotesAPIRegistry.swift"])
    }

    @Test func aCheckTellsWhatDiffersAndWritesNothing() throws {
        let workspace = try Workspace()
        #expect(try workspace.generate("--check").status == 1)
        #expect(!workspace.exists("out"))
        _ = try workspace.generate()
        let clean = try workspace.generate("--check")
        #expect(clean.status == 0 && clean.output.isEmpty && clean.errors.isEmpty)
        try workspace.write("// mine\n", to: "out/Notes/Notes.swift")
        try workspace.remove("out/Common/Common.swift")
        let header = try workspace.text("out/NotesAPIRegistry.swift").split(separator: "\n").prefix(4)
        try workspace.write(header.joined(separator: "\n"), to: "out/Old/Old.swift")
        let before = try workspace.files(in: "out")
        let stale = try workspace.generate("--check")
        #expect(stale.status == 1 && stale.output.isEmpty)
        #expect(
            stale.errors == """
                out is not up to date with the specs; run again without --check:
                Common/Common.swift
                Notes/Notes.swift
                Old/Old.swift

                """)
        #expect(try workspace.files(in: "out") == before)
    }

    @Test func otherOptionsGiveOtherSources() throws {
        let workspace = try Workspace()
        _ = try workspace.generate()
        #expect(try workspace.generate("--check", "--docs", "none").status == 1)
        try workspace.write(try workspace.text("specs/notes_cfg.stone") + "\n", to: "specs/notes_cfg.stone")
        let stale = try workspace.generate("--check")
        #expect(stale.status == 1, "the hash of the specs is in each file")
    }

    @Test func filesWhoseSpecIsGoneAreRemovedAndNoOthers() throws {
        let workspace = try Workspace()
        _ = try workspace.generate()
        try workspace.write("// by hand\n", to: "out/Notes/Extra.swift")
        try workspace.write("text", to: "out/Common/readme.md")
        try workspace.write("// Written by stonegen, says somebody.\n", to: "out/Services.swift")
        let call = try workspace.generate("--namespaces", "common")
        #expect(call.status == 0, "\(call.errors)")
        let left = try workspace.files(in: "out").keys.sorted()
        #expect(
            left
                == [
                    "Common/Common+Types.swift", "Common/Common.swift", "Common/readme.md", "NotesAPIRegistry.swift",
                    "Notes/Extra.swift", "Services.swift",
                ].sorted())
        try workspace.remove("out/Notes/Extra.swift")
        _ = try workspace.generate()
        _ = try workspace.generate("--namespaces", "common")
        #expect(!workspace.exists("out/Notes"), "a folder in which nothing is left goes as well")
    }

    @Test func foreignFilesAreNotOverwritten() throws {
        let workspace = try Workspace()
        try workspace.write("// by hand\n", to: "out/Notes/Notes.swift")
        try FileManager.default.createDirectory(
            at: workspace.url("out/NotesAPIRegistry.swift"), withIntermediateDirectories: true)
        try workspace.write("", to: "out/Common")
        let call = try workspace.generate()
        #expect(call.status == 2 && call.output.isEmpty)
        #expect(
            call.errors == """
                out/Common/Common+Types.swift cannot be created inside a file
                out/Common/Common.swift cannot be created inside a file
                out/Notes/Notes.swift was not written by stonegen
                out/NotesAPIRegistry.swift is a directory
                nothing was written; move these files, or choose another --output

                """)
        #expect(
            try workspace.files(in: "out").mapValues(\.text) == ["Notes/Notes.swift": "// by hand\n", "Common": ""])
    }

    @Test func theSourcesOfAnotherModuleAreLeftAlone() throws {
        let workspace = try Workspace()
        _ = try workspace.generate()
        let before = try workspace.files(in: "out")
        let call = try workspace.run("--spec", "specs", "--output", "out", "--module", "Other")
        #expect(call.status == 2)
        #expect(call.errors.hasPrefix("out/Common/Common+Types.swift was written for the module NotesAPI\n"))
        // A run whose output is the parent directory leaves them alone too, although its specs do not produce them.
        try workspace.write("namespace tasks\n\nstruct Task\n    name String\n", to: "tasks.stone")
        #expect(try workspace.run("--spec", "tasks.stone", "--output", "out", "--module", "Tasks").status == 0)
        #expect(try workspace.run("--spec", "tasks.stone", "--output", ".", "--module", "Tasks").status == 0)
        let after = try workspace.files(in: "out")
        #expect(before.allSatisfy { after[$0.key] == $0.value })
    }

    @Test func aLongListOfForeignFilesEndsWithAdvice() throws {
        let workspace = try Workspace()
        for number in 0..<60 {
            try workspace.write("namespace n\(number)x\n\nstruct Thing\n    name String\n", to: "many/\(number).stone")
        }
        #expect(try workspace.run("--spec", "many", "--output", "out", "--module", "One").status == 0)
        let call = try workspace.run("--spec", "many", "--output", "out", "--module", "Two")
        let lines = call.errors.split(separator: "\n")
        #expect(call.status == 2 && lines.count == 52)
        #expect(lines[50].hasPrefix("and ") && lines[51].hasPrefix("nothing was written; "))
    }

    @Test func linksInTheFolderAreNotFollowed() throws {
        let workspace = try Workspace()
        _ = try workspace.generate()
        #expect(try workspace.run("--spec", "specs", "--output", "elsewhere", "--module", "NotesAPI").status == 0)
        try workspace.write("// precious\n", to: "precious.swift")
        try workspace.remove("out/Notes", "out/Common/Common.swift")
        try workspace.link("out/Notes", to: "../elsewhere/Notes")
        try workspace.link("out/Common/Common.swift", to: "../../precious.swift")
        let before = try workspace.files(in: "elsewhere")
        let call = try workspace.generate("--docs", "none")
        #expect(call.status == 2)
        #expect(call.errors.contains("out/Notes/Notes.swift is in a directory that is a symbolic link\n"))
        #expect(call.errors.contains("out/Common/Common.swift is a symbolic link\n"))
        try workspace.remove("out/Common/Common.swift")
        // Files that the symbolic link leads to were not generated here, so they are not removed either.
        #expect(try workspace.generate("--namespaces", "common", "--docs", "none").status == 0)
        #expect(try workspace.files(in: "elsewhere") == before)
        #expect(try workspace.text("precious.swift") == "// precious\n")
    }

    @Test func theFolderItselfMayBeALink() throws {
        let workspace = try Workspace()
        try workspace.write("", to: "real/.keep")
        try workspace.link("out", to: "real")
        #expect(try workspace.generate().status == 0)
        #expect(workspace.exists("real/Notes/Notes.swift"))
    }

    @Test func sourcesMayLieBesideTheirSpecs() throws {
        let workspace = try Workspace()
        let before = try workspace.files(in: "specs")
        for _ in 0..<2 {
            #expect(try workspace.run("--spec", "specs", "--output", "specs", "--module", "NotesAPI").status == 0)
        }
        let after = try workspace.files(in: "specs")
        #expect(before.allSatisfy { after[$0.key] == $0.value } && after.count > before.count)
    }

    @Test func anOutputThatCannotBeAFolderIsAFault() throws {
        let workspace = try Workspace()
        try workspace.write("text", to: "file")
        try workspace.link("nowhere", to: "missing/folder")
        for path in ["file", "/dev/null", "nowhere"] {
            let call = try workspace.run("--spec", "specs", "--output", path, "--module", "M")
            #expect(call.status == 2)
            #expect(
                call.errors == "\(path) is not a directory; choose another --output\n")
        }
        let below = try workspace.run("--spec", "specs", "--output", "file/out", "--module", "M")
        #expect(below.status == 2 && below.errors.hasPrefix("file/out/"))
        #expect(try workspace.text("file") == "text")
    }

    @Test func aWriteThatFailsIsAFault() throws {
        let workspace = try Workspace()
        // The maximum length of a file, which the system reports like a full disk.
        let line = "trap '' XFSZ; ulimit -f 1; $stonegen \(Workspace.generation.joined(separator: " ")) >/dev/null 2>&1"
        #expect(try workspace.shell(line).status == 2)
        #expect(try workspace.files(in: "out").allSatisfy { $0.value.text.hasPrefix("// SPDX") })
        #expect(try workspace.generate().status == 0)
        #expect(try workspace.generate("--check").status == 0)
    }

    @Test func noOutputOfAFaultySpecIsTouched() throws {
        let workspace = try Workspace()
        _ = try workspace.generate()
        let before = try workspace.files(in: "out")
        try workspace.write("namespace notes\nstruct\n", to: "specs/zz.stone")
        #expect(try workspace.generate().status == 1)
        #expect(try workspace.files(in: "out") == before)
    }
}
