// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The folder that a download fills, and never leaves: names come from a server, and links may be anywhere.
struct TargetFolder {
    let root: String

    /// The place for a file, all folders on the way to which are there.
    ///
    /// - Parameter path: its path below the folder.
    /// - Returns: where it is to be.
    /// - Throws: ``Problem`` for names that lead elsewhere or cannot be here, and where something else is in the way.
    func place(for path: String) throws(Problem) -> String {
        let names = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        for name in names { if let reason = Self.problem(of: name) { throw Problem(path, reason) } }
        var place = root
        for name in names.dropLast() {
            place += "/\(name)"
            try enter(place, for: path)
        }
        place += "/\(names[names.count - 1])"
        switch try FileStatus(place)?.kind {
        case nil, .file: return place
        case .folder: throw Problem(path, "a folder is there")
        case .link: throw Problem(path, "a link is there")
        case .other: throw Problem(path, "no regular file is there")
        }
    }

    /// Makes a folder and those on the way to it.
    ///
    /// - Throws: ``Problem``, as for a file.
    func makeFolder(_ path: String) throws(Problem) {
        // The place for a file in it is one to which all folders are there.
        _ = try place(for: "\(path)/.boxsync")
    }

    /// Goes into a folder that is there, or makes it.
    private func enter(_ folder: String, for path: String) throws(Problem) {
        switch try FileStatus(folder)?.kind {
        case .folder: return
        case nil:
            do {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            } catch {
                // Another download may have made it meanwhile.
                guard try FileStatus(folder)?.kind == .folder else { throw Problem(path, "\(folder) cannot be made") }
            }
        case .link: throw Problem(path, "\(folder) is a link, which may lead elsewhere")
        case .file, .other: throw Problem(path, "\(folder) is no folder")
        }
    }

    private static func problem(of name: String) -> String? {
        if name.isEmpty || name == "." || name == ".." || name.utf8.contains(0) {
            return "it cannot be a file's name here"
        }
        return name.utf8.count > 255 ? "the name is too long here" : nil
    }
}
