// SPDX-License-Identifier: Apache-2.0

import Dropbox
import EmbeddedBox
import Foundation
import RestBase
import RestTransport

/// A Dropbox test server in a separate process, and its clients.
struct DropboxBox {
    let process: ServerProcess

    /// Runs the test server if the parent process requests it.
    ///
    /// - Returns: whether this process was the server.
    static func serveIfAsked() async throws -> Bool {
        guard ServerProcess.isOurs else { return false }
        raiseDescriptorLimit()
        var configuration = LocalBoxConfiguration()
        configuration.uploadLimit = 8 << 30
        configuration.accessTokenLifetime = .seconds(24 * 60 * 60)
        configuration.journalCapacity = 10
        let box = try await LocalBox.start(configuration)
        try ServerProcess.serve(port: box.port, token: box.accessToken)
        await box.stop()
        return true
    }

    init(area: String) throws {
        process = try ServerProcess(area: area)
    }

    var origin: Origin { Origin(scheme: .http, host: "127.0.0.1", port: process.port) }

    /// Returns a client of the test server, or of a proxy in front of it.
    func client(at origin: Origin? = nil, _ change: (inout RestClient.Configuration) -> Void = { _ in })
        -> DropboxClient
    {
        Self.client(at: origin ?? self.origin, token: process.token, change)
    }

    static func client(
        at origin: Origin, token: String, _ change: (inout RestClient.Configuration) -> Void = { _ in }
    ) -> DropboxClient {
        var configuration = RestClient.Configuration()
        change(&configuration)
        return DropboxClient(
            accessToken: Secret(token), app: DropboxApp(hosts: DropboxHosts(all: origin)), configuration: configuration)
    }

    /// Returns the files in a directory by name.
    func contents(_ path: String) async throws -> [String: Files.FileMetadata] {
        var files: [String: Files.FileMetadata] = [:]
        for try await entry in client().files.listFolder(path: path, recursive: true).elements {
            if case .file(let file) = entry { files[file.name] = file }
        }
        return files
    }
}

/// Files with unique contents.
struct BenchFiles {
    let folder: URL
    let names: [String]
    let size: Int

    init(_ count: Int, size: Int, in parent: URL) throws {
        folder = parent.appendingPathComponent("files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        names = (0..<count).map { "file-\($0)" }
        self.size = size
        var random = SplitMix64(seed: UInt64(count &* 31 &+ size))
        for name in names {
            let path = folder.appendingPathComponent(name).path
            guard FileManager.default.createFile(atPath: path, contents: nil),
                let file = FileHandle(forWritingAtPath: path)
            else { throw CommandFailed(command: path, status: 1) }
            var left = size
            while left > 0 {
                var chunk = [UInt8](repeating: 7, count: min(left, 1 << 20))
                // Unique bytes in every chunk are sufficient.
                for place in stride(from: 0, to: chunk.count, by: 512) {
                    chunk[place] = UInt8(truncatingIfNeeded: random.next())
                }
                try file.write(contentsOf: Data(chunk))
                left -= chunk.count
            }
            try file.close()
        }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Returns the files as uploads to a directory.
    func uploads(to path: String) -> [UploadFile] {
        names.map { UploadFile(.file(path: self.path($0)), to: "\(path)/\($0)") }
    }
}
