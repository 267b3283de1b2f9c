// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation
import Testing

@testable import boxsync

/// Folders and an embedded box, without a network.
@Suite(.timeLimit(.minutes(2)))
final class SyncTests: Sendable {
    private let server: LocalBox
    private let root: URL

    init() async throws {
        server = try await LocalBox.start()
        root = FileManager.default.temporaryDirectory.appending(path: "boxsync-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    private func sync(_ folder: String, token: String? = nil) throws -> Sync {
        let hosts = DropboxHosts(all: try HTTPURL(parsing: server.origin).origin)
        let box = DropboxClient(accessToken: Secret(token ?? server.accessToken), app: DropboxApp(hosts: hosts))
        return Sync(box: box, folder: root.appending(path: folder).path, remote: "There/")
    }

    private func up(_ folder: String, overwrites: Bool = false) async throws -> Report {
        try await sync(folder).up(overwrites: overwrites, journals: root.path)
    }

    private func write(_ text: String, to path: String) throws {
        let file = root.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func read(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The content of the journal of an upload.
    private func journal() throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path)
        return try names.first { $0.hasSuffix(".journal") }.map { try read($0) } ?? ""
    }

    private func requests(_ route: String) -> Int { server.journal.entries.count { $0.pathHasSuffix(route) } }

    @Test("A folder comes back as it went")
    func roundTrip() async throws {
        for name in ["a.txt", "Sub/b.txt", "Sub/Deep/c.txt"] { try write("of \(name)", to: "here/\(name)") }
        let sent = try await up("here")
        #expect(sent.done == 3 && sent.problems.isEmpty)
        try write("of Sub/b.txt", to: "back/Sub/b.txt")
        let fetched = try await sync("back").down()
        #expect(fetched.done == 2 && fetched.same == 1 && fetched.problems.isEmpty)
        #expect(try read("back/Sub/Deep/c.txt") == "of Sub/Deep/c.txt")
        let again = try await up("back")
        #expect(again.done == 0 && again.same == 3)
    }

    @Test("A file that differs stays, unless it may be replaced")
    func conflicts() async throws {
        try write("old", to: "here/a.txt")
        _ = try await up("here")
        try write("new", to: "here/a.txt")
        #expect(try await up("here").problems == ["a.txt: it differs at Dropbox; --overwrite replaces it there"])
        #expect(try await sync("here").down().problems == ["a.txt: it differs here; --overwrite replaces it"])
        #expect(try await up("here", overwrites: true).done == 1)
        #expect(try await sync("back").down().done == 1)
        #expect(try read("back/a.txt") == "new")
    }

    @Test("What cannot be taken along is named, and the rest is there")
    func namesTheRest() async throws {
        for name in ["good.txt", ".git/config"] { try write(name, to: "here/\(name)") }
        let link = root.appending(path: "here/link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/etc/passwd")
        let report = try await up("here")
        #expect(report.done == 1 && report.problems == ["link: it is no regular file, and links are not followed"])
        await #expect(throws: PageError<Files.ListFolderError, Files.ListFolderContinueError>.self) {
            try await self.sync("here", token: "no").up(journals: self.root.path)
        }
    }

    @Test("No name from a server leads out of the folder")
    func hostileNames() async throws {
        try write("mine", to: "victim")
        try write("", to: "target/file")
        for (name, target) in [("folder", ".."), ("link", "../victim")] {
            let link = root.appending(path: "target/\(name)").path
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        let target = try sync("target")
        let names = [
            "..", "../victim", "a/../../victim", "", ".", "/victim", "a//b", "a\0b", "folder/victim", "link",
            "file/below", String(repeating: "é", count: 128),
        ]
        for name in names { #expect(try target.place(for: name) == nil, "\(name)") }
        #expect(try target.place(for: "new/good")?.hasSuffix("/target/new/good") == true)
        #expect(try read("victim") == "mine")
    }

    @Test("An upload that was ended goes on where it was")
    func resuming() async throws {
        for number in 0..<300 {
            try write(String(repeating: "\(number) is here. ", count: 13_500), to: "here/\(number % 7)/file \(number)")
        }
        server.faults.add(.delay(.seconds(100)), next: 1_000, matching: "append_batch", skipping: 2)
        let first = Task { try await up("here") }
        // The journal has the parts that Dropbox has confirmed.
        while try requests("append_batch") < 3 || !journal().contains("parts") {
            try await Task.sleep(for: .milliseconds(5))
        }
        first.cancel()
        await #expect(throws: RestError.self) { try await first.value }
        server.faults.clear()
        server.journal.clear()
        let second = try await up("here")
        #expect(second.done == 300 && second.problems.isEmpty)
        let sent = server.journal.entries.filter { $0.pathHasSuffix("append_batch") }.reduce(0) { $0 + $1.bodySize }
        let all = (0..<300).reduce(0) { $0 + "\($1) is here. ".utf8.count * 13_500 }
        #expect(sent < all)
        #expect(try await up("here").same == 300)
    }
}
