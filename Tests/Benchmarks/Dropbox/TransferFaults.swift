// SPDX-License-Identifier: Apache-2.0

import Dropbox
import Foundation
import RestTesting
import RestTransport
import Synchronization

/// Measures whether transfers through a proxy that breaks one exchange in five have the right content if they succeed.
func transferFaultFigures() async throws {
    if try await DropboxBox.serveIfAsked() { return }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("faults-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let box = try DropboxBox(area: "dropbox.faults")
    defer { _ = try? box.process.stop() }
    let proxy = try FaultProxy(to: box.process.port, plan: FaultPlan(seed: 17, probability: 0.2))
    let bench = TransferFaults(
        files: try TransferFaults.contents(in: directory), directory: directory, box: box,
        client: box.client(at: proxy.origin) { configuration in
            // The maximum wait for a silent proxy.
            configuration.transportLimits.idleTimeout = .seconds(2)
            configuration.transportLimits.firstByteTimeout = .seconds(2)
        })
    let next = Atomic(0)
    let total = extent(10_000, short: 40)
    try await concurrently(32, total: total) { await bench.transfer(next.add(1, ordering: .relaxed).oldValue) }
    await proxy.stop()
    let (wrong, failed) = bench.tally.withLock { ($0.wrong, $0.failed) }
    Figure(
        name: "dropbox.faults.wrong", value: Double(wrong), unit: "transfers", relation: .atMost, bound: 0,
        note: "\(total) transfers, \(failed) said that they failed"
    ).print()
}

/// Uploads and downloads of files of several sizes.
private struct TransferFaults: Sendable {
    struct Content: Sendable {
        let path: String
        let hash: String
    }

    struct Tally {
        var wrong = 0
        var failed = 0
    }

    final class Count: Sendable {
        private let tally = Mutex(Tally())
        func withLock<Result>(_ body: (inout sending Tally) -> sending Result) -> Result { tally.withLock(body) }
    }

    let files: [Content]
    let directory: URL
    let box: DropboxBox
    let client: DropboxClient
    let tally = Count()

    static func contents(in directory: URL) throws -> [Content] {
        try [0, 100, 20_000, 300_000].map { size in
            let files = try BenchFiles(1, size: size, in: directory)
            let data = try Data(contentsOf: URL(fileURLWithPath: files.path("file-0")))
            return Content(path: files.path("file-0"), hash: ContentHash(of: Array(data)).text ?? "")
        }
    }

    /// Uploads one file with one request or a session, and downloads it.
    func transfer(_ number: Int) async {
        let content = files[number % files.count]
        let path = "/transfer-\(number)"
        var options = UploadOptions()
        options.retryPolicy.attemptTimeout = .seconds(10)
        var stored: Files.FileMetadata?
        if number % 2 == 0 {
            stored = try? await client.upload(
                .file(path: content.path), to: path, mode: .overwrite, options: options
            ).value
        } else {
            let file = UploadFile(.file(path: content.path), to: path, mode: .overwrite)
            stored = try? await client.upload([file], options: options).results[0].value.get()
        }
        note(stored.map { $0.contentHash == content.hash })
        guard stored != nil else { return }
        let local = directory.appendingPathComponent("down-\(number)").path
        defer { try? FileManager.default.removeItem(atPath: local) }
        let file = try? await client.download(path, to: local).value
        guard file != nil else { return note(nil) }
        note((try? await ContentHash.ofFile(at: local).text) == content.hash)
    }

    private func note(_ isRight: Bool?) {
        tally.withLock { tally in
            tally.failed += isRight == nil ? 1 : 0
            tally.wrong += isRight == false ? 1 : 0
        }
    }
}
