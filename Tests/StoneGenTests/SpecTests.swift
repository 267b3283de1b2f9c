// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Specs that cannot be read, or have faults.
@Suite(.timeLimit(.minutes(2))) struct SpecTests {
    @Test func missingFilesAndFoldersAreFaults() throws {
        let workspace = try Workspace()
        try workspace.write("", to: "empty/readme.txt")
        try workspace.write("", to: "empty/._notes.stone")
        try workspace.link("loop", to: "loop")
        try workspace.write("", to: "odd/folder.stone/inner.stone")
        let expected = [
            "nowhere": "There is no file or folder nowhere.\n",
            "loop": "There is no file or folder loop.\n",
            "empty": "The folder empty has no file whose name ends in .stone.\n",
            "odd": "odd/folder.stone is a folder, but here must be a file.\n",
        ]
        for (path, message) in expected {
            let call = try workspace.run("--check-spec", "--spec", path)
            #expect(call.status == 2 && call.errors == message && call.output.isEmpty, "\(call.errors)")
        }
    }

    /// Who may read everything finds the folder empty: both is status 2, with advice.
    @Test func aFolderThatMayNotBeReadIsAFault() throws {
        let workspace = try Workspace()
        let call = try workspace.shell("mkdir closed; chmod 0 closed; $stonegen --check-spec --spec closed")
        #expect(call.status == 2)
        #expect(call.errors.hasPrefix("The folder closed ") && call.errors.contains { $0 == "." })
    }

    @Test func pipesAndDevicesAreNotRead() throws {
        let workspace = try Workspace()
        for line in ["mkfifo pipe; $stonegen --check-spec pipe", "$stonegen --check-spec /dev/zero"] {
            let call = try workspace.shell(line)
            #expect(call.status == 2)
            #expect(call.errors.hasSuffix("is neither a file nor a folder; save what it gives in a file.\n"))
        }
    }

    @Test func faultsOfAllFilesAreToldInOneRun() throws {
        let workspace = try Workspace()
        try workspace.write("namespace one\n\nstruct A\n    a Nope\n    b Int32 = \"x\"\n", to: "faulty/one.stone")
        try workspace.write("namespace two\r\nalias É = String\r\n", to: "faulty/two.stone")
        let call = try workspace.run("--spec", "faulty", "--output", "out", "--module", "M")
        #expect(call.status == 1 && call.output.isEmpty && !workspace.exists("out"))
        let blocks = call.errors.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(blocks.count == 11, "\(call.errors)")
        #expect(blocks[0].hasPrefix("faulty/one.stone:4:7: error: There is no type 'Nope'"))
        #expect(blocks[1] == "    a Nope" && blocks[2] == "      ^")
        #expect(blocks[3].hasPrefix("faulty/one.stone:5:5: error: "))
        #expect(blocks[6].hasPrefix("faulty/two.stone:2:7: error: ") && blocks[7] == "alias É = String")
        #expect(blocks[8] == "      ^" && blocks[9] == "3 errors")
    }

    @Test func noSpecSteersTheTerminal() throws {
        let workspace = try Workspace()
        try workspace.write("namespace a\nalias B = Nope # \u{1B}[31m\u{9B}2J\n", to: "a.stone")
        let call = try workspace.run("--check-spec", "a.stone")
        #expect(call.status == 1)
        #expect(call.errors.contains("alias B = Nope # \u{FFFD}[31m\u{FFFD}2J\n"))
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
            // The third line has the hash of the specs.
            files.mapValues { $0.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(3) }
        }
        #expect(texts[0] == texts[1])
    }

    struct Hostile: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            testDescription = name
            self.bytes = bytes
        }

        init(_ name: String, _ text: String) { self.init(name, Array(text.utf8)) }
    }

    static let hostile = [
        Hostile("types in types", "namespace a\nalias A = " + String(repeating: "List(", count: 100_000)),
        Hostile("levels", "namespace a\nstruct A\n" + String(repeating: "    ", count: 20_000) + "a String\n"),
        Hostile("a long line", "namespace a\n# " + String(repeating: "x", count: 1_000_000) + "\n"),
        Hostile("no UTF-8", Array("namespace a\nalias ".utf8) + [0xFF, 0xC3, 0x28] + Array(" = String\n".utf8)),
        Hostile("half a character at the end", Array("namespace a\n# ".utf8) + [0xF0, 0x9F]),
        Hostile("a row of halves", Array("namespace a\n".utf8) + [UInt8](repeating: 0x80, count: 500_000)),
        Hostile("UTF-16", [0xFF, 0xFE, 0x6E, 0, 0x61, 0]),
        Hostile("a byte order mark", "\u{FEFF}namespace a\n"),
        Hostile("nulls", [UInt8](repeating: 0, count: 50_000)),
        Hostile("quotation marks", "namespace a\n" + String(repeating: "\"", count: 99_999)),
        Hostile("a backslash at the end", "namespace a\nalias A = String(pattern=\"\\"),
        Hostile("faults in each line", String(repeating: "?\n", count: 100_000)),
        Hostile(
            "references that an escape breaks",
            "namespace a\nstruct A\n    \"" + String(repeating: ":x\\y:`z` ", count: 10_000) + "\"\n"),
    ]

    @Test(arguments: hostile) func hostileSpecsAreFaults(_ spec: Hostile) throws {
        let workspace = try Workspace()
        try workspace.write(spec.bytes, to: "hostile.stone")
        let call = try workspace.run("--check-spec", "hostile.stone")
        #expect(call.status == 1 && call.output.isEmpty)
        #expect(call.errors.hasPrefix("hostile.stone:"), "\(call.errors.prefix(200))")
        #expect(call.errors.hasSuffix(" error\n") || call.errors.hasSuffix(" errors\n"))
        // 1,000 faults at most, of each what stands near it.
        #expect(call.errors.utf8.count < 1_000_000)
    }

    @Test func aHugeFileIsNotRead() throws {
        let workspace = try Workspace()
        // It takes no room on the disk.
        let call = try workspace.shell("truncate -s 100G huge.stone; $stonegen --check-spec huge.stone")
        #expect(call.status == 2 && call.errors == "The file huge.stone is larger than 32 MiB; divide it.\n")
    }
}
