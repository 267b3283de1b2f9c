// SPDX-License-Identifier: Apache-2.0

import EmbeddedBox
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2)))
struct UploadingTests {
    @Test("What cannot be at Dropbox is named, and the rest is there")
    func namesTheRest() async throws {
        let sandbox = try await Sandbox()
        for name in ["good.txt", "CASE.txt", "case.txt", "back\\slash", ".git/config", "sub/skipped.tmp", "sub/é"] {
            try sandbox.write(name, to: "here/\(name)")
        }
        let here = sandbox.folder.appending(path: "here").path
        try FileManager.default.createSymbolicLink(atPath: "\(here)/link", withDestinationPath: "/etc/passwd")
        try FileManager.default.createDirectory(atPath: "\(here)/empty/inner", withIntermediateDirectories: true)
        let outcome = try await Program.run("up", "--exclude", "*.tmp", "here", "/There/", in: sandbox)
        #expect(outcome.status == 4)
        #expect(
            Set(outcome.errors.split(separator: "\n")) == [
                "boxsync: back\\slash: Dropbox takes no name with a backslash",
                "boxsync: case.txt: Dropbox has one file for this name and 'CASE.txt'",
                "boxsync: link: links are not followed", "3 files sent, 0 the same, 3 left out",
            ])
        #expect(try await sandbox.files().keys.sorted() == ["/There/CASE.txt", "/There/good.txt", "/There/sub/é"])
        #expect(try await Program.run("ls", "There/empty", in: sandbox).output == "          inner/\n")
    }

    @Test("A file that differs stays, unless it may be replaced")
    func conflicts() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("old", to: "here/a.txt")
        #expect(try await Program.run("up", "here", "There", in: sandbox).status == 0)
        try sandbox.write("new", to: "here/a.txt")
        let refused = try await Program.run("up", "here", "There", in: sandbox)
        #expect(refused.status == 4)
        #expect(refused.errors.hasPrefix("boxsync: a.txt: it differs at Dropbox; --overwrite replaces it there\n"))
        let rehearsed = try await Program.run("up", "--overwrite", "--dry-run", "here", "There", in: sandbox)
        #expect(rehearsed.output == "replace  3 B  a.txt\n")
        #expect(try await Program.run("get", "There/a.txt", "old.txt", in: sandbox).status == 0)
        #expect(try sandbox.read("old.txt") == "old")
        #expect(try await Program.run("up", "--overwrite", "here", "There", in: sandbox).status == 0)
        #expect(try await Program.run("get", "There/a.txt", "new.txt", in: sandbox).status == 0)
        #expect(try sandbox.read("new.txt") == "new")
    }

    @Test("Standard input becomes a file")
    func standardInput() async throws {
        let sandbox = try await Sandbox()
        let text = String(repeating: "a line\n", count: 1_500_000)
        try sandbox.write(text, to: "lines")
        let input = try FileHandle(forReadingFrom: sandbox.folder.appending(path: "lines"))
        let put = try await Program(["put", "-", "/lines"], in: sandbox, input: input).outcome()
        #expect(put.status == 0)
        #expect(try await Program.run("get", "/lines", "back", in: sandbox).status == 0)
        let isSame = try sandbox.read("back") == text
        #expect(isSame)
        #expect(try await Program.run("get", "/lines", "back", in: sandbox).status == 1)
    }

    @Test("What is wrong with everything is said once")
    func generalFailures() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("a", to: "here/a")
        let refused = try await Program(["up", "here", "There"], in: sandbox, changes: ["BOXSYNC_TOKEN": "no"])
            .outcome()
        #expect(refused.status == 3)
        #expect(refused.errors == "boxsync: Dropbox refuses the login; run 'boxsync login'\n")
        let loggedOut = try await Program(["ls"], in: sandbox, changes: ["BOXSYNC_TOKEN": ""]).outcome()
        #expect(loggedOut.status == 3)
        let gone = try await Program.run("up", "gone", "There", in: sandbox)
        #expect((gone.status, gone.errors) == (1, "boxsync: gone is no folder, or cannot be read\n"))
        #expect(try await Program.run("up", "here", in: sandbox).status == 2)
        #expect(try await Program.run("down", "Nowhere", "here", in: sandbox).status == 1)
    }
}
