// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestTransport

/// Measures whether uploads survive killed processes: each file must be at the server once, with its content.
func uploadKillFigures() async throws {
    if try await DropboxBox.serveIfAsked() { return }
    if let worker = UploadWorker() { return try await worker.run() }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("kills-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let batch = try BenchFiles(extent(2_000, short: 30), size: 10_000, in: directory)
    try await kill(extent(200, short: 2), during: batch, "dropbox.kills.batch", directory)
    let large = try BenchFiles(1, size: extent(512 << 20, short: 9 << 20), in: directory)
    try await kill(extent(50, short: 2), during: large, "dropbox.kills.large", directory)
}

/// Uploads the files repeatedly, and kills the process at random times until `wanted` kills are reached.
///
/// Each time, another process continues until all files are uploaded.
private func kill(_ wanted: Int, during files: BenchFiles, _ name: String, _ directory: URL) async throws {
    let box = try DropboxBox(area: "dropbox.kills")
    defer { _ = try? box.process.stop() }
    var (kills, rounds, lost, doubled, ends) = (0, 0, 0, 0, 0)
    // The duration of a complete run, within which the process is killed.
    var whole: Duration = .seconds(2)
    while kills < wanted {
        rounds += 1
        let target = "/round-\(rounds)"
        let worker = UploadWorker(
            port: box.process.port, token: box.process.token, folder: files.folder.path, target: target,
            journal: directory.appendingPathComponent("journal-\(rounds)").path)
        var status: Int32 = SIGKILL
        while status == SIGKILL {
            let isLast = kills >= wanted
            let delay = isLast ? nil : UInt32.random(in: 0..<UInt32(max(1_000, whole / .microseconds(1))))
            let start = ContinuousClock.now
            status = await worker.start(killedAfter: delay)
            if status == SIGKILL { kills += 1 } else { whole = (ContinuousClock.now - start) / 2 }
        }
        if status != 0 { ends += 1 }
        let there = try await box.contents(target)
        for name in files.names {
            let hash = try await ContentHash.ofFile(at: files.path(name)).text
            if there[name]?.contentHash != hash { lost += 1 }
        }
        doubled += max(0, there.count - files.names.count)
        for path in there.values.compactMap(\.pathLower) where files.names.count == 1 || path.hashValue % 20 == 0 {
            doubled += try await box.client().files.listRevisions(path: path).value.entries.count - 1
        }
    }
    Figure(
        name: "\(name).lost", value: Double(lost + ends), unit: "files", relation: .atMost, bound: 0,
        note: "\(kills) kills in \(rounds) uploads of \(files.names.count) files"
    ).print()
    Figure(name: "\(name).doubled", value: Double(doubled), unit: "files", relation: .atMost, bound: 0).print()
}

/// A process that uploads the files of a directory with a journal.
struct UploadWorker: Codable {
    let port: Int
    let token: String
    let folder: String
    let target: String
    let journal: String

    private static let variable = "RESTSDK_UPLOAD_WORKER"
    private static let killVariable = "RESTSDK_UPLOAD_KILL"

    init(port: Int, token: String, folder: String, target: String, journal: String) {
        (self.port, self.token, self.folder) = (port, token, folder)
        (self.target, self.journal) = (target, journal)
    }

    init?() {
        guard let text = ProcessInfo.processInfo.environment[Self.variable],
            let worker = try? JSONDecoder().decode(UploadWorker.self, from: Data(text.utf8))
        else { return nil }
        self = worker
    }

    /// Starts the process, and kills it after `delay` microseconds.
    func start(killedAfter delay: UInt32?) async -> Int32 {
        guard let text = try? JSONEncoder().encode(self) else { return -1 }
        var environment = [Self.variable: String(decoding: text, as: UTF8.self)]
        environment[Self.killVariable] = delay.map { "\($0)" }
        return await runArea("dropbox.kills", environment)
    }

    func run() async throws {
        if let delay = ProcessInfo.processInfo.environment[Self.killVariable].flatMap({ UInt32($0) }) {
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
        }
        let box = DropboxBox.client(at: Origin(scheme: .http, host: "127.0.0.1", port: port), token: token)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        let files = names.map { UploadFile(.file(path: "\(folder)/\($0)"), to: "\(target)/\($0)") }
        for result in await box.upload(files, journal: try UploadJournal(path: journal)).results {
            _ = try result.value.get()
        }
    }
}
