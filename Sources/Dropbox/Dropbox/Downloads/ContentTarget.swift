// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Where a download goes.
enum ContentTarget: Sendable, CustomStringConvertible {
    /// Into a file.
    case file(path: String, overwrites: Bool, makesFolders: Bool)
    /// Into memory, so many bytes at most.
    case memory(limit: Int)

    var description: String {
        switch self {
        case .file(let path, _, _): path
        case .memory: "the content"
        }
    }

    /// Refuses what cannot be written, before anything is sent, and makes missing folders.
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
            throw RestError(.file, "\(path): \(folder) does not exist; create it, or let the download do so")
        }
    }

    /// What an earlier download left there.
    var left: PartFile? {
        guard case .file(let path, let overwrites, _) = self else { return nil }
        return PartFile.left(at: path, replaces: overwrites)
    }

    /// Begins an empty content there.
    ///
    /// - Parameters:
    ///   - count: how many bytes will come, where it is known.
    ///   - revision: of which revision, for a file that may be left to a later download.
    /// - Returns: what takes them.
    /// - Throws: ``RestError/Code/tooLarge`` for more than the limit; ``RestError/Code/file`` as when it is prepared.
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

    /// A failure to write, which names the file.
    func failure(_ error: TransportError) -> RestError {
        RestError(error.isFileThere ? .fileExists : .file, "\(self): \(error.message)", underlying: error)
    }

    var tooLarge: RestError {
        RestError(.tooLarge, "the content is larger than the limit; raise it, or download the content into a file")
    }
}

/// What takes the bytes of one download.
struct ContentSink: Sendable {
    let target: ContentTarget
    /// The file; `nil` when the bytes stay in memory.
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

    /// Puts a file in its place, or gives the bytes.
    mutating func finish() throws(RestError) -> [UInt8] {
        guard let writer else {
            defer { bytes = [] }
            return bytes
        }
        do throws(TransportError) { try writer.finish() } catch { throw target.failure(error) }
        return []
    }
}

/// What a download left beside its place, so that another one goes on with it, also in another process.
///
/// Its name has the revision, its length is how far it came. That its bytes are right shows the content hash of the
/// whole in the end.
struct PartFile: Sendable {
    /// The revision of the file at Dropbox.
    let revision: String
    let writer: FileWriter
    /// The hash of what is in it.
    private(set) var hash = ContentHash()

    /// No name of a file is longer on the usual volumes.
    private static let longestName = 255

    /// Begins a file of a revision, or goes on with what there is of it.
    ///
    /// `nil` where it cannot be: another download is at it, or the name would be too long.
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

    /// What was left at a place, of whichever revision; `nil` when there is nothing, or somebody is at it.
    static func left(at path: String, replaces: Bool) -> PartFile? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: FileWriter.folder(of: path))) ?? []
        let (start, end) = (".\(file(path)).", ".part")
        for name in names.sorted() {
            guard let revision = name.removing(prefix: start)?.removing(suffix: end) else { continue }
            if let part = PartFile(of: String(revision), for: path, replaces: replaces) { return part }
        }
        return nil
    }

    /// An empty file of a revision, whatever was there of it; `nil` as when it is begun.
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

    /// Whether a text of the server can be a part of a name.
    private static func isRevision(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { ASCII.isDigit($0) || (0x61...0x7A).contains($0) }
    }
}
