// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import Testing

@testable import BoxSyncCore

@Suite(.timeLimit(.minutes(2)))
struct VanishingTests {
    @Test("A file that vanishes before it is sent is named, and the others are sent")
    func vanished() async throws {
        let sandbox = try await Sandbox()
        for name in ["a", "b", "c"] { try sandbox.write("of \(name)", to: "here/\(name)") }
        let local = try await LocalFolder.walk(sandbox.folder.appending(path: "here").path, without: Exclusions([]))
        try FileManager.default.removeItem(at: sandbox.folder.appending(path: "here/b"))
        let plan = await UpPlan.make(local, RemoteFolder(), overwrites: false)
        let upload = FolderUpload(
            box: try sandbox.client, local: local, root: RemotePath("There"),
            journalPath: sandbox.folder.appending(path: "journal").path,
            bar: ProgressBar(Terminal(isQuiet: true)))
        var report = Report()
        for result in try await upload.send(plan.files) {
            if case .failure(let error) = result.value { report.add(result.id, error) }
        }
        #expect(report.problems.map(\.path) == ["b"])
        #expect(report.failure == nil)
        #expect(try await sandbox.files().keys.sorted() == ["/There/a", "/There/c"])
        // There is nothing to go on with: the next run looks anew.
        #expect(!sandbox.exists("journal"))
    }

    @Test("A file that vanishes before it is compared is named")
    func vanishedEarly() async throws {
        let sandbox = try await Sandbox()
        try sandbox.write("text", to: "here/a")
        let folder = sandbox.folder.appending(path: "here").path
        let local = try await LocalFolder.walk(folder, without: Exclusions([]))
        try FileManager.default.removeItem(atPath: "\(folder)/a")
        let file = Files.Metadata.file(
            Files.FileMetadata(
                name: "a", id: "id:\(String(repeating: "a", count: 22))", clientModified: .now, serverModified: .now,
                rev: "0123456789abcdef", size: 4, pathLower: "/there/a", pathDisplay: "/There/a"))
        let remote = RemoteFolder([file], below: RemotePath("There"), without: Exclusions([]))
        #expect(await UpPlan.make(local, remote, overwrites: true).problems.map(\.path) == ["a"])
        #expect(await DownPlan.make(remote, local, overwrites: true).problems.map(\.path) == ["a"])
    }
}
