// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// A file at Dropbox, by its path below the folder.
struct RemoteFile {
    let path: String
    let metadata: Files.FileMetadata

    var size: Int64 { Int64(clamping: metadata.size) }
}

/// What is in a folder at Dropbox and in those below it.
struct RemoteFolder {
    private(set) var files: [RemoteFile] = []
    /// The paths of the folders below it.
    private(set) var folders: [String] = []
    /// What cannot be a file of this machine.
    private(set) var problems: [Problem] = []

    /// An empty folder.
    init() {}

    /// Lists a folder and those below it.
    ///
    /// - Returns: `nil` when there is no such folder.
    /// - Throws: `PageError`.
    static func list(
        _ root: RemotePath, of box: DropboxClient, without exclusions: Exclusions
    ) async throws -> RemoteFolder? {
        var entries: [Files.Metadata] = []
        do {
            for try await entry in box.files.listFolder(path: root.text, recursive: true).elements {
                entries.append(entry)
            }
        } catch .first(.route(.path(.notFound), _)) {
            return nil
        }
        return RemoteFolder(entries, below: root, without: exclusions)
    }

    /// Sorts the entries of a list.
    init(_ entries: [Files.Metadata], below root: RemotePath, without exclusions: Exclusions) {
        var names = Spelling()
        let found = entries.compactMap { entry in entry.path(below: root).map { (entry, $0) } }
        // Dropbox keeps the case of an entry's own name only; its folders say their own.
        for (entry, path) in found { names.learn(path, name: entry.name) }
        for (entry, lower) in found {
            let path = names.spelled(lower)
            guard !exclusions.containPart(of: path) else { continue }
            switch entry {
            case .file(let file) where !file.isDownloadable:
                problems.append(Problem(path, "Dropbox cannot give it as a file; export it there"))
            case .file(let file): files.append(RemoteFile(path: path, metadata: file))
            case .folder: folders.append(path)
            case .deleted: break
            }
        }
        files.sort { $0.path < $1.path }
        folders.sort()
    }
}

extension Files.Metadata {
    /// The path below a folder in lower case; `nil` for what is not below it, such as the folder itself.
    fileprivate func path(below root: RemotePath) -> String? {
        let lower: String? =
            switch self {
            case .file(let file): file.pathLower
            case .folder(let folder): folder.pathLower
            case .deleted: nil
            }
        let prefix = root.text.lowercased() + "/"
        guard let lower, lower.hasPrefix(prefix), lower.count > prefix.count else { return nil }
        return String(lower.dropFirst(prefix.count))
    }
}
