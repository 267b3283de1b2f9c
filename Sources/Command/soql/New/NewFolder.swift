// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A folder that gets its files all at once, or none of them.
struct NewFolder {
    /// As the user wrote it.
    private let written: String
    private let path: String
    private let isThere: Bool

    /// A folder that is not there, in one that is; or an empty one.
    ///
    /// - Throws: ``UsageError`` for anything else.
    init(_ text: String) throws(UsageError) {
        written = text
        let absolute = Settings.absolutePath(text)
        isThere = FileFacts.exists(absolute)
        if isThere {
            guard FileFacts.isFolder(absolute), let path = FileFacts.resolved(absolute) else {
                throw UsageError("'\(text)' is not a folder")
            }
            guard (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == true else {
                throw UsageError("'\(text)' is not empty")
            }
            self.path = path
        } else {
            let plain = absolute.withoutSlashes
            guard let parent = FileFacts.resolved(plain.parentFolder) else {
                throw UsageError("'\(plain.parentFolder)' is not there; make it first")
            }
            path = "\(parent == "/" ? "" : parent)/\(plain.lastPart)"
        }
    }

    var name: String { path.lastPart }

    /// Writes the files.
    ///
    /// They come about in a folder beside the new one, or in the empty one, that nobody looks into, and get their
    /// places when all are there.
    ///
    /// - Throws: ``CommandFailure``, or `CancellationError`; nothing is left behind then.
    func fill(with files: [TemplateFile]) throws {
        let stage = (isThere ? path : path.parentFolder) + "/.\(name).new-\(getpid())"
        defer { try? FileManager.default.removeItem(atPath: stage) }
        do {
            for file in files {
                try Task.checkCancellation()
                let place = "\(stage)/\(file.path)"
                try FileManager.default.createDirectory(atPath: place.parentFolder, withIntermediateDirectories: true)
                try FileWriter.write(Array(file.text.utf8), to: place, access: .usual, isKept: false)
            }
            try isThere ? moveParts(of: stage) : move(stage, to: path)
        } catch let error as CancellationError {
            throw error
        } catch let failure as CommandFailure {
            throw failure
        } catch {
            throw CommandFailure("'\(written)' cannot be written: \(error)")
        }
    }

    /// An empty folder keeps its place, since somebody may be in it; the manifest comes last, so that it is a package
    /// only when it is whole.
    private func moveParts(of stage: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: stage).sorted { first, _ in
            first != "Package.swift"
        }
        var moved: [String] = []
        do {
            for name in names {
                try move("\(stage)/\(name)", to: "\(path)/\(name)")
                moved.append(name)
            }
        } catch {
            for name in moved { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
            throw error
        }
    }

    /// Moves a file or folder; what is not empty is never replaced.
    private func move(_ old: String, to new: String) throws(CommandFailure) {
        guard unsafe rename(old, new) == 0 else {
            throw CommandFailure("'\(written)' cannot be written: \(systemMessage(errno))")
        }
    }
}

extension String {
    fileprivate var withoutSlashes: String {
        self[..<(utf8.lastIndex { $0 != UInt8(ascii: "/") }.map(utf8.index(after:)) ?? startIndex)].description
    }
}
