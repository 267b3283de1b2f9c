// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file of this machine, by its path below the folder.
struct LocalFile: Equatable {
    let path: String
    let size: Int64
    let modified: Date
}

/// What is in a folder of this machine and in those below it.
struct LocalFolder {
    /// Where it is.
    let root: String
    private(set) var files: [LocalFile] = []
    /// The paths of the folders below it.
    private(set) var folders: [String] = []
    /// What could not be looked at, or cannot be taken along.
    private(set) var problems: [Problem] = []

    /// Takes a folder without looking into it.
    init(root: String) {
        self.root = root
    }

    /// Where a file or folder of it is.
    func place(of path: String) -> String { path.isEmpty ? root : "\(root)/\(path)" }

    /// Looks into a folder and those below it; links are not followed.
    ///
    /// - Throws: `CancellationError`, or ``Failure`` when there is no such folder.
    @concurrent
    static func walk(_ root: String, without exclusions: Exclusions) async throws -> LocalFolder {
        var folder = LocalFolder(root: root)
        guard (try? FileManager.default.contentsOfDirectory(atPath: root)) != nil else {
            throw Failure("\(root) is no folder, or cannot be read")
        }
        var waiting = [""]
        while let path = waiting.popLast() {
            try Task.checkCancellation()
            waiting += folder.look(into: path, without: exclusions).reversed()
        }
        return folder
    }

    /// Notes what is in one folder.
    ///
    /// - Returns: the paths of the folders in it.
    private mutating func look(into path: String, without exclusions: Exclusions) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: place(of: path)) else {
            problems.append(Problem(path, "the folder cannot be read"))
            return []
        }
        let paths = names.sorted().map { path.isEmpty ? $0 : "\(path)/\($0)" }
        let found = paths.filter { !exclusions.contain($0) && note($0) }
        folders += found
        return found
    }

    /// Notes one file.
    ///
    /// - Returns: whether it is a folder instead.
    private mutating func note(_ path: String) -> Bool {
        do throws(Problem) {
            guard let status = try FileStatus(place(of: path)) else {
                throw Problem(path, "it has vanished, or its name is not UTF-8")
            }
            switch status.kind {
            case .folder: return true
            case .file: files.append(LocalFile(path: path, size: status.size, modified: status.modified))
            case .link: throw Problem(path, "links are not followed")
            case .other: throw Problem(path, "it is no regular file")
            }
        } catch {
            problems.append(Problem(path, error.reason))
        }
        return false
    }
}
