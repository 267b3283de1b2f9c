// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import Foundation
import StoneCompiler
import StoneRuntime
import SwiftSource

/// Prints the metrics of Stone.
///
/// Specs are read and written as Swift, compared with Python's Stone. A directory page is compared with Foundation's
/// coders and Dropbox's Python SDK.
func stoneFigures() async throws {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("stone-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try await specFigures(directory)
    try await pageFigures(directory)
}

/// Measures compiling specs, and generating Swift sources.
private func specFigures(_ directory: URL) async throws {
    let sources = try StoneSpecs.sources()
    print("stone: \(sources.count) files of \(sources.reduce(0) { $0 + $1.bytes.count }) bytes, \(StoneSpecs.name)")
    let parse = { try meanSeconds { consume(try StoneAPI(compiling: sources)) } }
    let generate = { try meanSeconds { consume(try swiftFiles(of: sources)) } }
    let files = try StoneSpecs.write(sources, to: directory).path
    await pairs("stone.parse", JSONPeer.stone(.parse, input: files, directory: directory), parse, atMost: 0.1)
    await pairs(
        "stone.generate", JSONPeer.stone(.generate, input: files, directory: directory), generate, atMost: 0.4)
    Figure(name: "stone.generate.seconds", value: try generate(), unit: "s").print()
}

private func swiftFiles(of sources: [StoneSource]) throws -> [SwiftFile] {
    try SwiftEmitter.files(of: StoneAPI(compiling: sources), SwiftOptions(module: "Bench"))
}

private func pairs(_ name: String, _ peer: JSONPeer?, _ ours: () throws -> Double, atMost bound: Double) async {
    guard let peer, let pairs = try? await Pairs(3, peerSeconds: { peer.seconds() ?? .nan }, ourSeconds: ours) else {
        return Figure.absent(name, peer: "the package stone of Python")
    }
    pairs.figure(name, atMost: bound).print()
}

/// Measures decoding and encoding a page of `files/list_folder`.
private func pageFigures(_ directory: URL) async throws {
    let page = FolderPage(entries: extent(1_000, short: 20))
    let data = Data(page.bytes)
    print("stone: page of \(page.bytes.count) bytes")
    let ours = try Files.ListFolderResult(json: page.bytes)
    let theirs = try FolderPage.decoder.decode(PlainPage.self, from: data)
    guard theirs.isLike(ours), try Files.ListFolderResult(json: ours.json()) == ours else {
        throw JSONBenchmarkError.differentResults
    }
    let decode = { try meanSeconds { consume(try Files.ListFolderResult(json: page.bytes)) } }
    try await Pairs(
        7, peerSeconds: { try meanSeconds { consume(try FolderPage.decoder.decode(PlainPage.self, from: data)) } },
        ourSeconds: decode
    )
    .figure("stone.page.decode", atLeast: 5).print()
    try await Pairs(
        7, peerSeconds: { try meanSeconds { consume(try FolderPage.encoder.encode(theirs)) } },
        ourSeconds: { try meanSeconds { consume(try ours.json()) } }
    )
    .figure("stone.page.encode", atLeast: 4).print()
    let file = directory.appendingPathComponent("page.json")
    try data.write(to: file)
    guard let peer = JSONPeer.stone(.page, input: file.path, directory: directory) else {
        return Figure.absent("stone.page.python", peer: "the package dropbox of Python")
    }
    try await Pairs(5, peerSeconds: { peer.seconds() ?? .nan }, ourSeconds: decode)
        .figure("stone.page.python", atLeast: 20).print()
}
