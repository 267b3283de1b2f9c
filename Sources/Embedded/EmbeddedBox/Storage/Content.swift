// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestSQLite
import RestTransport
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a file in the directory.
struct Content: Sendable {
    let folder: PieceFolder
    let chunks: [Chunk]
    let size: Int

    /// Returns a part of the content for a response, or `nil` if it cannot be read.
    func slice(_ range: Range<Int>) -> FileSlice? {
        var parts: [FileSlice.Part] = []
        for chunk in chunks where chunk.start < range.upperBound && chunk.end > range.lowerBound {
            let from = max(chunk.start, range.lowerBound)
            parts.append(
                FileSlice.Part(
                    path: folder.path(of: chunk.file), offset: chunk.offset + from - chunk.start,
                    count: min(chunk.end, range.upperBound) - from))
        }
        return FileSlice(parts)
    }

    /// Returns the content, or the requested part of it (RFC 9110 §14).
    func response(to request: ServerRequest) -> ServerResponse {
        let fields = [(name: "Content-Type", value: "application/octet-stream")]
        return .content(request.fields["Range"], of: size, fields: fields) { response, range in
            guard let slice = slice(range) else { return response = BoxRejection.broken.response }
            response.file = slice
        }
    }
}

/// Bytes that arrived together and are contiguous in a file of the directory.
struct Chunk: Sendable {
    /// The number of the file, and the offset in it.
    let file: Int64
    let offset: Int
    /// The offset in the content.
    let start: Int
    let count: Int
    /// The SHA-256 of each block of 4 MiB, the last of which may be shorter.
    var digests: [UInt8]

    var end: Int { start + count }
}

/// The directory with all content: one file for each uploaded body.
///
/// The database decides whether a body belongs to a file, to an upload session or to nothing. So nothing has to be
/// moved when a file is finished. A process that is killed leaves only unused files, which the next start removes.
final class PieceFolder: Sendable {
    /// The directory of one user's files and database.
    let root: String
    private let next = Atomic<Int64>(1)

    init(root: String) { self.root = root }

    /// Creates the missing directories, or returns `false` if that fails.
    func prepare() -> Bool {
        for folder in [root, root + "/pieces"] {
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    func makeNumber() -> Int64 { next.add(1, ordering: .relaxed).oldValue }

    func path(of file: Int64) -> String { "\(root)/pieces/\(file)" }

    func remove(_ file: Int64) { _ = unsafe unlink(path(of: file)) }

    /// Removes unused files, and continues after all numbers in use.
    func sweep(known: Set<Int64>, after last: Int64) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root + "/pieces")) ?? []
        // bounded: a number that is not a file's is only removed
        for number in names.compactMap({ Int64($0) }) where !known.contains(number) { remove(number) }
        next.store(max(last, known.max() ?? 0) + 1, ordering: .relaxed)
    }
}

/// The content of files and sessions, by the number of a blob.
extension BoxTables {
    func chunks(of blob: Int64) -> [Chunk] {
        rows("SELECT file, offset, start, count, digests FROM pieces WHERE blob = ? ORDER BY start", [.integer(blob)]) {
            Chunk(
                file: $0.integer(0), offset: Int(clamping: $0.integer(1)), start: Int(clamping: $0.integer(2)),
                count: Int(clamping: $0.integer(3)), digests: Base64.decode($0.text(4)) ?? [])
        }
    }

    /// Adds a piece, and replaces a piece at the same position.
    func add(_ chunk: Chunk, to blob: Int64) {
        guard chunk.count > 0 else { return }
        removeChunks("blob = ?1 AND start = ?2", .integer(blob), .integer(Int64(chunk.start)))
        run(
            "INSERT INTO pieces VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(blob), .integer(Int64(chunk.start)), .integer(chunk.file), .integer(Int64(chunk.offset)),
                .integer(Int64(chunk.count)), .text(Base64.encode(chunk.digests)),
            ])
    }

    /// Removes the content of a blob if no revision has it.
    func release(_ blob: Int64) {
        guard number("SELECT EXISTS (SELECT 1 FROM revisions WHERE blob = ?)", [.integer(blob)]) == 0 else { return }
        removeChunks("blob = ?1", .integer(blob))
    }

    /// Removes pieces, and their files if they are unused.
    private func removeChunks(_ condition: String, _ parameters: SQLValue...) {
        let files = rows("SELECT DISTINCT file FROM pieces WHERE \(condition)", parameters) { $0.integer(0) }
        guard !files.isEmpty else { return }
        run("DELETE FROM pieces WHERE \(condition)", parameters)
        discarded += files.filter { number("SELECT EXISTS (SELECT 1 FROM pieces WHERE file = ?)", [.integer($0)]) == 0 }
    }

    func bytes(of content: Entry.Content) -> Content {
        Content(folder: folder, chunks: chunks(of: content.blob), size: Int(clamping: content.size))
    }
}
