// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestTransport

/// Prints the metrics of transfers: many small files compared with Dropbox's Python SDK, and a large file with curl.
func dropboxFigures() async throws {
    if try await DropboxBox.serveIfAsked() { return }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("dropbox-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await largeFigures(directory)
    try await batchFigures(directory)
}

private let connections = 4

/// Measures a large file in sessions, compared with one request of `curl -T`, each to a new server.
private func largeFigures(_ directory: URL) async throws {
    let files = try BenchFiles(1, size: extent(4 << 30, short: 9 << 20), in: directory)
    defer { try? FileManager.default.removeItem(at: files.folder) }
    guard let curl = JSONPeer.executable("curl") else { return Figure.absent("dropbox.large", peer: "curl") }
    guard ProcessMemory.resetPeak() else { return Figure.absent("dropbox.large.memory", peer: "the kernel's peak") }
    let pairs = try await Pairs(
        3,
        peerSeconds: {
            // The previous server's file is removed, and the disk must not be busy with it.
            sync()
            let box = try DropboxBox(area: "dropbox")
            defer { _ = try? box.process.stop() }
            let time = try await seconds { try sendByCurl(curl, files, box) }
            guard try await box.contents("").count == 1 else { throw CommandFailed(command: "curl", status: 0) }
            return time
        },
        ourSeconds: {
            sync()
            let box = try DropboxBox(area: "dropbox")
            defer { _ = try? box.process.stop() }
            var stored: Files.FileMetadata?
            let time = try await seconds {
                stored = try await box.client().upload(.file(path: files.path("file-0")), to: "/large").value
            }
            guard stored?.size == UInt64(files.size) else { throw CommandFailed(command: "upload", status: 0) }
            return time
        })
    pairs.figure("dropbox.large", atLeast: 0.9).print()
    Figure(
        name: "dropbox.large.memory", value: Double(ProcessMemory.peak ?? 0) / Double(1 << 20), unit: "MiB",
        relation: .atMost, bound: 64
    ).print()
}

private func sendByCurl(_ curl: String, _ files: BenchFiles, _ box: DropboxBox) throws {
    let fields = [
        "Authorization: Bearer \(box.process.token)", "Content-Type: application/octet-stream",
        #"Dropbox-API-Arg: {"path":"/large"}"#,
    ]
    try run(
        curl,
        ["-sS", "--fail", "-X", "POST", "-T", files.path("file-0")] + fields.flatMap { ["-H", $0] } + [
            "http://127.0.0.1:\(box.process.port)/2/files/upload"
        ])
}

/// Measures many small files in one batch, compared with the fastest loop of the Python SDK with as many connections.
private func batchFigures(_ directory: URL) async throws {
    let files = try BenchFiles(extent(10_000, short: 20), size: 10_000, in: directory)
    let box = try DropboxBox(area: "dropbox")
    defer { _ = try? box.process.stop() }
    guard let python = DropboxPeer(directory) else {
        return Figure.absent("dropbox.batch", peer: "the package dropbox of Python")
    }
    var options = UploadOptions()
    options.requestsAtOnce = connections
    var round = 0
    var isEach = true
    let pairs = try await Pairs(
        3, peerSeconds: { try python.seconds(box, files, connections: connections) },
        ourSeconds: {
            round += 1
            let uploads = files.uploads(to: "/ours-\(round)")
            var results: [UploadResult] = []
            let time = await seconds { results = await box.client().upload(uploads, options: options).results }
            let there = try await box.contents("/ours-\(round)")
            isEach = isEach && there.count == files.names.count
            for result in results {
                guard case .success(let file) = result.value, there[file.name]?.contentHash == file.contentHash else {
                    isEach = false
                    continue
                }
            }
            return time
        })
    pairs.figure("dropbox.batch", atLeast: 5).print()
    Figure(
        name: "dropbox.batch.missing", value: isEach ? 0 : 1, unit: "batches", relation: .atMost, bound: 0,
        note: "\(files.names.count) files, \(connections) connections"
    ).print()
}
