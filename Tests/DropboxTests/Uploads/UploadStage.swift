// SPDX-License-Identifier: Apache-2.0

#if canImport(EmbeddedBox)
import RestBase
import Dropbox
import EmbeddedBox
import RestTesting
import RestTransport

/// An embedded box, a client of its user, and files to upload.
struct UploadStage {
    let box: LocalBox
    let folder: TemporaryFolder

    init(_ configuration: LocalBoxConfiguration = LocalBoxConfiguration()) async throws {
        box = try await LocalBox.start(configuration)
        folder = try TemporaryFolder()
    }

    var app: DropboxApp {
        DropboxApp(hosts: DropboxHosts(all: Origin(scheme: .http, host: "127.0.0.1", port: box.port)))
    }

    /// A client whose waits between attempts take no time.
    func client(_ token: String? = nil) -> DropboxClient {
        var configuration = RestClient.Configuration()
        configuration.clock = ManualClock(alarmsBeyond: .seconds(100))
        return DropboxClient(accessToken: Secret(token ?? box.accessToken), app: app, configuration: configuration)
    }

    /// Writes a file whose content nobody else has.
    func file(_ name: String, size: Int, seed: UInt64 = 0) throws -> UploadFile {
        let path = folder.path(name)
        let writer = try FileWriter(path: path)
        var random = SplitMix64(seed: seed &+ UInt64(name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }))
        var left = size
        while left > 0 {
            // Equal blocks may be stored as one, so no two are.
            let count = min(left, 1 << 16)
            var piece = [UInt8](repeating: UInt8(truncatingIfNeeded: left), count: count)
            for place in 0..<min(64, count) { piece[place] = UInt8(truncatingIfNeeded: random.next()) }
            try writer.write(piece)
            left -= count
        }
        try writer.finish()
        return UploadFile(.file(path: path), to: "/" + name)
    }

    /// What is at the box, by its path in lower case.
    func contents() async throws -> [String: Files.FileMetadata] {
        var files: [String: Files.FileMetadata] = [:]
        for try await entry in client().files.listFolder(path: "", recursive: true).elements {
            if case .file(let file) = entry { files[file.pathLower ?? ""] = file }
        }
        return files
    }

    /// How many revisions a file has.
    func revisions(_ path: String) async throws -> Int {
        try await client().files.listRevisions(path: path).value.entries.count
    }

    /// How often routes were called whose path has the text.
    func calls(_ path: String) -> Int { box.journal.entries.count { $0.target.contains(path) } }

    /// Waits until routes were called that often whose path has the text.
    func wait(for count: Int, of path: String) async throws {
        while calls(path) < count { try await Task.sleep(for: .milliseconds(2)) }
    }
}
#endif
