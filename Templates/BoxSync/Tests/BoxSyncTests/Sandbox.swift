// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation

/// A box, a folder for files, and the command as a process of its own that knows of both.
final class Sandbox: Sendable {
    let box: LocalBox
    let folder: URL
    /// What the command finds in its environment.
    let environment: [String: String]

    init() async throws {
        box = try await LocalBox.start()
        folder = FileManager.default.temporaryDirectory.appending(path: "boxsync-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        environment = [
            "HOME": folder.appending(path: "home").path, "BOXSYNC_HOST": box.origin, "BOXSYNC_TOKEN": box.accessToken,
            "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/bin:/usr/bin",
        ]
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Writes a file, and the folders that it is in.
    func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func read(_ path: String) throws -> String { try String(contentsOf: folder.appending(path: path), encoding: .utf8) }

    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(path: path).path) }

    /// Calls the box, without the command.
    var client: DropboxClient {
        get throws {
            let hosts = DropboxHosts(all: try HTTPURL(parsing: box.origin).origin)
            return DropboxClient(accessToken: Secret(box.accessToken), app: DropboxApp(hosts: hosts))
        }
    }

    /// The files of the box by their paths.
    func files() async throws -> [String: Files.FileMetadata] {
        var files: [String: Files.FileMetadata] = [:]
        for try await case .file(let file) in try client.files.listFolder(path: "", recursive: true).elements {
            files[file.pathDisplay ?? ""] = file
        }
        return files
    }

    /// How many requests came in for a route.
    func requests(_ route: String) -> Int { box.journal.entries.count { $0.pathHasSuffix(route) } }

    /// Waits until another process has sent so many requests to a route.
    func waitForRequests(_ count: Int, to route: String) async throws {
        while requests(route) < count { try await Task.sleep(for: .milliseconds(5)) }
    }
}
