// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

enum ContentTarget: Sendable, CustomStringConvertible {
    case file(path: String, overwrites: Bool, makesFolders: Bool)
    case memory(limit: Int)

    var description: String {
        switch self {
        case .file(let path, _, _): path
        case .memory: "the content"
        }
    }

    /// Checks before the first request that the file can be written, and creates missing directories.
    func prepare() throws(RestError) {
        guard case .file(let path, let overwrites, let makesFolders) = self else { return }
        do throws(TransportError) { try FileWriter.check(path, replaces: overwrites) } catch { throw failure(error) }
        let folder = FileWriter.folder(of: path)
        if makesFolders {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw RestError(.file, "\(path): the folder \(folder) cannot be made: \(error)", underlying: error)
            }
        } else if !FileManager.default.fileExists(atPath: folder) {
            throw RestError(.file, "\(path): there is no folder \(folder); make it, or let the download make it")
        }
    }

    var left: PartFile? {
        guard case .file(let path, let overwrites, _) = self else { return nil }
        return PartFile.left(at: path, replaces: overwrites)
    }

    /// Starts a content of `count` bytes, as a partial file if `revision` is given and possible.
    ///
    /// - Throws: `RestError.Code.tooLarge` if `count` exceeds the limit, and the errors of ``prepare()``.
    func begin(expecting count: Int64?, leaving revision: String?) throws(RestError) -> ContentSink {
        switch self {
        case .file(let path, let overwrites, _):
            if let part = revision.flatMap({ PartFile.empty(of: $0, for: path, replaces: overwrites) }) {
                return ContentSink(target: self, writer: part.writer)
            }
            do throws(TransportError) {
                return ContentSink(target: self, writer: try FileWriter(path: path, replaces: overwrites))
            } catch {
                throw failure(error)
            }
        case .memory(let limit):
            if let count, count > limit { throw tooLarge }
            return ContentSink(target: self, writer: nil)
        }
    }

    func failure(_ error: TransportError) -> RestError {
        RestError(error.isFileThere ? .fileExists : .file, "\(self): \(error.message)", underlying: error)
    }

    var tooLarge: RestError {
        RestError(.tooLarge, "the content is larger than the limit; raise it, or download the content into a file")
    }
}

struct ContentSink: Sendable {
    let target: ContentTarget
    let writer: FileWriter?
    private var bytes: [UInt8] = []

    init(target: ContentTarget, writer: FileWriter?) {
        (self.target, self.writer) = (target, writer)
    }

    mutating func add(_ piece: [UInt8]) throws(RestError) {
        guard let writer else {
            guard case .memory(let limit) = target, piece.count <= limit - bytes.count else { throw target.tooLarge }
            bytes += piece
            return
        }
        do throws(TransportError) { try writer.write(piece) } catch { throw target.failure(error) }
    }

    mutating func finish() throws(RestError) -> [UInt8] {
        guard let writer else {
            defer { bytes = [] }
            return bytes
        }
        do throws(TransportError) { try writer.finish() } catch { throw target.failure(error) }
        return []
    }
}

/// A partial file next to the destination, with which a later download can continue, even in another process.
///
/// The file name contains the revision, and the file size is the progress. The final content hash verifies the bytes.
struct PartFile: Sendable {
    let revision: String
    let writer: FileWriter
    private(set) var hash = ContentHash()

    /// The maximum length of a file name on common file systems, in bytes.
    private static let longestName = 255

    /// Opens or creates the partial file of a revision.
    ///
    /// `nil` if another download uses the file, or if its name would be too long.
    init?(of revision: String, for path: String, replaces: Bool) {
        guard Self.isRevision(revision), let writer = Self.writer(Self.name(revision, path), path, replaces) else {
            return nil
        }
        self.revision = revision
        self.writer = writer
        var hash = ContentHash()
        guard (try? writer.readBack { hash.update($0) }) != nil else { return nil }
        self.hash = hash
    }

    /// Finds the partial file for a path, of any revision, that no other download uses.
    static func left(at path: String, replaces: Bool) -> PartFile? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: FileWriter.folder(of: path))) ?? []
        let (start, end) = (".\(file(path)).", ".part")
        for name in names.sorted() {
            guard let revision = name.removing(prefix: start)?.removing(suffix: end) else { continue }
            if let part = PartFile(of: String(revision), for: path, replaces: replaces) { return part }
        }
        return nil
    }

    /// Creates an empty partial file for a revision, or returns `nil` as ``init(of:for:replaces:)`` does.
    static func empty(of revision: String, for path: String, replaces: Bool) -> PartFile? {
        guard let part = PartFile(of: revision, for: path, replaces: replaces) else { return nil }
        guard part.hash.count > 0 else { return part }
        part.writer.discard()
        return PartFile(of: revision, for: path, replaces: replaces)
    }

    private static func writer(_ name: String, _ path: String, _ replaces: Bool) -> FileWriter? {
        guard name.utf8.count <= longestName else { return nil }
        return try? FileWriter(path: path, replaces: replaces, goingOnWith: name)
    }

    private static func name(_ revision: String, _ path: String) -> String { ".\(file(path)).\(revision).part" }

    private static func file(_ path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[path.utf8.index(after: $0)...] } ?? path[...]
    }

    /// Whether a string from the server is safe as a part of a file name.
    private static func isRevision(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
    }
}
