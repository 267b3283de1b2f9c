// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation
import Testing

@testable import BoxSyncCore

@Suite(.timeLimit(.minutes(2)))
struct DownloadingTests {
    @Test("A folder comes back as it went")
    func roundTrip() async throws {
        let sandbox = try await Sandbox()
        for name in ["a.txt", "Sub/b.txt", "Sub/Deep/c.txt"] { try sandbox.write("of \(name)", to: "here/\(name)") }
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "here/Empty"), withIntermediateDirectories: true)
        #expect(try await Program.run("up", "here", "There", in: sandbox).status == 0)
        // A name that is here in another case stays as it is.
        try sandbox.write("of Sub/b.txt", to: "back/sub/B.txt")
        let down = try await Program.run("down", "there", "back", in: sandbox)
        #expect((down.status, down.errors) == (0, "2 files fetched, 1 the same\n"))
        let found = try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder.appending(path: "back").path)
        #expect(found.sorted() == ["Empty", "a.txt", "sub", "sub/B.txt", "sub/Deep", "sub/Deep/c.txt"])
        #expect(try sandbox.read("back/sub/Deep/c.txt") == "of Sub/Deep/c.txt")
        let date = try FileManager.default.attributesOfItem(atPath: sandbox.folder.appending(path: "back/a.txt").path)
        let original = try FileManager.default.attributesOfItem(
            atPath: sandbox.folder.appending(path: "here/a.txt").path)
        let (here, back) = (original[.modificationDate] as? Date, date[.modificationDate] as? Date)
        #expect(here?.timeIntervalSince1970.rounded(.down) == back?.timeIntervalSince1970)
    }

    /// An entry of a list as a server that means harm could write it.
    private func entry(_ path: String, name: String, number: Int) -> String {
        """
        {".tag": "file", "name": "\(name)", "id": "id:\(String(repeating: "a", count: 20))\(number)", "size": 4,
        "client_modified": "2026-01-01T00:00:00Z", "server_modified": "2026-01-01T00:00:00Z", "rev": "0123456789abcdef",
        "path_lower": "\(path)", "path_display": "\(path)", "is_downloadable": true,
        "content_hash": "\(ContentHash(of: Array("evil".utf8)).text ?? "")"}
        """
    }

    @Test("No name from a server leads out of the folder")
    func hostileNames() async throws {
        let sandbox = try await Sandbox()
        let target = sandbox.folder.appending(path: "box/target")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        try sandbox.write("mine", to: "box/victim")
        try FileManager.default.createSymbolicLink(
            atPath: target.appending(path: "link").path, withDestinationPath: "..")
        try FileManager.default.createSymbolicLink(
            atPath: target.appending(path: "file").path, withDestinationPath: "../victim")
        let paths = [
            ("/there/a", ".."), ("/there/b", "../victim"), ("/there/../victim", "victim"), ("/there/c", "../../victim"),
            ("/there/d", "\(sandbox.folder.path)/box/victim"), ("/there/link/victim", "victim"),
            ("/there/file", "file"),
            ("/there/e", "."), ("/there/f", ""), ("/there/g/../../h", "victim"), ("/there//victim", "victim"),
            ("/there/i", "nul\\u0000"), ("/there/j", String(repeating: "é", count: 128)), ("/victim", "victim"),
            ("/there/good", "good"),
        ]
        let entries = paths.enumerated().map { entry($1.0, name: $1.1, number: $0) }.joined(separator: ",")
        let faults = sandbox.box.faults
        faults.add(
            .body(
                #"{"entries": [\#(entries)], "cursor": "c", "has_more": false}"#, status: 200,
                contentType: "application/json"),
            matching: "list_folder")
        // What it gives for each of them.
        faults.add(
            .body(
                "evil", status: 200, contentType: "application/octet-stream",
                fields: ["Dropbox-API-Result": entry("/a", name: "a", number: 0).filter { $0 != "\n" }]),
            next: 100, matching: "files/download")
        let before = try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder.appending(path: "box").path)
        let outcome = try await Program.run("down", "--overwrite", "There", "box/target", in: sandbox)
        #expect(outcome.status == 4)
        let named = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("boxsync: ") }
        #expect(named.count == paths.count - 2, "\(outcome.errors)")
        #expect(try sandbox.read("box/victim") == "mine")
        let after = try FileManager.default.subpathsOfDirectory(atPath: sandbox.folder.appending(path: "box").path)
        #expect(Set(after).subtracting(before) == ["target/good"])
        #expect(FileManager.default.fileExists(atPath: target.appending(path: "link").path))
    }

    @Test("A disk that is full leaves what was there")
    func fullDisk() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write(String(repeating: "new ", count: 250_000), to: "here/large")
        try sandbox.write("new", to: "here/small")
        #expect(try await Program.run("up", "here", "There", in: sandbox).status == 0)
        try sandbox.write("old", to: "back/large")
        // Writing beyond the limit fails then, and ends no process.
        let outcome = try await Program(
            ["down", "--overwrite", "There", "back"], in: sandbox, shell: "trap '' XFSZ; ulimit -f 100"
        ).outcome()
        #expect(outcome.status == 4, "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("boxsync: large: "))
        #expect(try sandbox.read("back/large") == "old")
        #expect(try sandbox.read("back/small") == "new")
        let found = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.appending(path: "back").path)
        #expect(found.sorted() == ["large", "small"])
    }
}
