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
    /// Memory, with a maximum number of bytes.
    case memory(limit: Int)

    var description: String {
        switch self {
        case .file(let path, _, _): path
        case .memory: "the content"
        }
    }

    /// Checks that the file can be written before anything is sent, and creates missing directories.
    func prepare() throws(RestError) {
        guard case .file(let path, let overwrites, let makesFolders) = self else { return }
        do throws(TransportError) { try FileWriter.check(path, replaces: overwrites) } catch { throw failure(error) }
        let folder = FileWriter.folder(of: path)
        if makesFolders {
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            } catch {
                throw RestError(.file, "\(path): \(folder) cannot be created: \(error)", underlying: error)
            }
        } else if !FileManager.default.fileExists(atPath: folder) {
            throw RestError(.file, "\(path): \(folder) does not exist; create it, or let the download create it")
        }
    }

    /// The part file of an earlier download.
    var left: PartFile? {
        guard case .file(let path, let overwrites, _) = self else { return nil }
        return PartFile.left(at: path, replaces: overwrites)
    }

    /// Opens the file of the destination, or returns `nil` for memory.
    ///
    /// - Parameters:
    ///   - count: the number of bytes to expect, if it is known.
    ///   - revision: the revision, if the file may be left to a later download.
    /// - Returns: the writer of the file.
    /// - Throws: `RestError.Code.tooLarge` if `count` exceeds the limit, or `RestError.Code.file`.
    func begin(expecting count: Int64?, leaving revision: String?) throws(RestError) -> FileWriter? {
        switch self {
        case .file(let path, let overwrites, _):
            if let part = revision.flatMap({ PartFile.empty(of: $0, for: path, replaces: overwrites) }) {
                return part.writer
            }
            do throws(TransportError) {
                return try FileWriter(path: path, replaces: overwrites)
            } catch {
                throw failure(error)
            }
        case .memory(let limit):
            if let count, count > limit { throw tooLarge }
            return nil
        }
    }

    func failure(_ error: TransportError) -> RestError {
        RestError(error.isFileThere ? .fileExists : .file, "\(self): \(error.message)", underlying: error)
    }

    var tooLarge: RestError {
        RestError(.tooLarge, "the content is larger than the limit; raise it, or download the content into a file")
    }
}

/// The incomplete file of a download next to its destination, with which another download continues, also in another
/// process.
///
/// The revision is in the name of the file. The content hash of the whole shows at the end whether its bytes are right.
struct PartFile: Sendable {
    let revision: String
    let writer: FileWriter
    /// The hash of the bytes in the file.
    private(set) var hash = ContentHash()

    /// The maximum length of a file name on usual volumes.
    private static let longestName = 255

    /// Opens or creates the part file of a revision.
    ///
    /// Returns `nil` if another download uses the file, or if the name is too long.
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

    /// The part file of any revision, or `nil` if there is none, or if another download uses it.
    static func left(at path: String, replaces: Bool) -> PartFile? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: FileWriter.folder(of: path))) ?? []
        let (start, end) = (".\(file(path)).", ".part")
        for name in names.sorted() {
            guard let revision = name.removing(prefix: start)?.removing(suffix: end) else { continue }
            if let part = PartFile(of: String(revision), for: path, replaces: replaces) { return part }
        }
        return nil
    }

    /// An empty part file of a revision, which replaces an existing part file.
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

    /// Whether a revision from the server is safe in a file name.
    private static func isRevision(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
    }
}
