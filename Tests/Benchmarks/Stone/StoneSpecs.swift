// SPDX-License-Identifier: Apache-2.0

import Foundation
import StoneCompiler

/// The measured specs: Dropbox's if a copy is next to the package or in `DROPBOX_API_SPEC`, otherwise copies of the
/// tests' specs.
enum StoneSpecs {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    private static let dropbox =
        ProcessInfo.processInfo.environment["DROPBOX_API_SPEC"].map { URL(filePath: $0) }
        ?? root.appending(path: "../shared/dropbox-api-spec").standardizedFileURL
    private static let notes = root.appending(path: "Tests/StoneSpec")
    private static let isWhole = !Extent.isShort && FileManager.default.fileExists(atPath: dropbox.path)

    static let name = isWhole ? "Dropbox's spec" : "the tests' specs, enlarged"

    static func sources() throws -> [StoneSource] {
        let files = try read(isWhole ? dropbox : notes)
        return isWhole ? files : files.flatMap { copies(of: $0) }
    }

    /// Writes the specs to files for baselines.
    static func write(_ sources: [StoneSource], to directory: URL) throws -> URL {
        let folder = directory.appending(path: "specs")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for source in sources { try Data(source.bytes).write(to: folder.appending(path: source.path)) }
        return folder
    }

    private static func read(_ folder: URL) throws -> [StoneSource] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".stone") }.sorted()
            .map { StoneSource(path: $0, bytes: Array(try Data(contentsOf: folder.appending(path: $0)))) }
    }

    /// Returns copies of a file with a namespace that no other file imports, and any other file unchanged.
    ///
    /// Python's Stone takes files in the order of their names and needs the imported ones first. Its backend cannot
    /// write all annotations, so the copies have none.
    private static func copies(of file: StoneSource) -> [StoneSource] {
        let head = "namespace notes\n"
        let text = String(decoding: file.bytes, as: UTF8.self)
        guard text.hasPrefix(head) else { return [file] }
        let lines = text.dropFirst(head.count).split(separator: "\n", omittingEmptySubsequences: false)
        let rest = lines.filter { !$0.contains("@common.") }.joined(separator: "\n")
        return (0..<extent(60, short: 2)).map { number in
            StoneSource(
                path: "\(file.path.dropLast(6))_\(number).stone",
                bytes: Array("namespace notes\(number)\n\(rest)".utf8))
        }
    }
}
