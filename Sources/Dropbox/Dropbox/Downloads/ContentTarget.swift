// SPDX-License-Identifier: Apache-2.0

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
                throw RestError(.file, "\(path): the folder \(folder) cannot be made: \(error)", underlying: error)
            }
        } else if !FileManager.default.fileExists(atPath: folder) {
            throw RestError(.file, "\(path): there is no folder \(folder); make it, or let the download make it")
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
