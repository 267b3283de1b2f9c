// SPDX-License-Identifier: Apache-2.0

import LocalServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The folder with the bytes of files, one file for each content, and of bodies and sessions that are under way.
struct BlobFolder: Sendable {
    /// The folder of the whole box.
    let root: String

    init(root: String) {
        self.root = root
    }

    /// Makes the folders that are missing; `false` if they cannot be made.
    func prepare() -> Bool {
        for folder in [root, root + "/blobs", root + "/incoming", root + "/sessions"] {
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { return false }
        }
        return true
    }

    func path(of blob: String) -> String { "\(root)/blobs/\(blob)" }
    func path(ofSession id: String) -> String { "\(root)/sessions/\(id)" }

    /// A new file for a body that is to come.
    func makeIncoming() -> BodyFile? { BodyFile(path: "\(root)/incoming/\(RandomText.make(22))") }

    /// Takes a file over as the content of a new blob, whose name is returned.
    func adopt(_ path: String) -> String? {
        let name = RandomText.make(22)
        return unsafe rename(path, self.path(of: name)) == 0 ? name : nil
    }

    /// Removes bodies whose requests are over.
    func removeIncoming() { try? FileManager.default.removeItem(atPath: root + "/incoming") }

    /// Removes a file, if it is there.
    func remove(_ path: String) { _ = unsafe unlink(path) }

    /// Removes everything; for a box without a folder of its own.
    func removeAll() {
        try? FileManager.default.removeItem(atPath: root)
    }
}
