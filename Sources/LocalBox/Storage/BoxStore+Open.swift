// SPDX-License-Identifier: Apache-2.0

import LocalServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BoxStore {
    /// Opens the folder of a box, and makes a new one.
    static func open(
        _ configuration: LocalBoxConfiguration, _ clock: BoxClock, namespace: String
    ) throws(LocalBoxError) -> BoxStore {
        let root: String =
            switch configuration.storage {
            case .temporary: FileManager.default.temporaryDirectory.path + "/localbox-" + RandomText.make(22)
            case .folder(let path): path
            }
        let blobs = BlobFolder(root: root)
        // What an earlier process did not finish.
        blobs.removeIncoming()
        guard blobs.prepare() else {
            throw LocalBoxError(code: .cannotOpen, message: "'\(root)' cannot be made or written")
        }
        let file = PrivateFile(path: root + "/box.db")
        file.make()
        do throws(DatabaseError) {
            let connection = try SQLiteConnection(path: root + "/box.db")
            try connection.execute("PRAGMA journal_mode = WAL")
            // Nothing of a temporary box has to survive a crash of the machine.
            if configuration.storage == .temporary { try connection.execute("PRAGMA synchronous = OFF") }
            try BoxSchema.prepare(connection)
            file.restrict()
            return BoxStore(connection, blobs: blobs, clock: clock, namespace: namespace)
        } catch {
            let code: LocalBoxError.Code =
                [.foreign, .notADatabase].contains(error.kind) ? .foreignDatabase : .cannotOpen
            throw LocalBoxError(
                code: code,
                message: code == .foreignDatabase
                    ? "'\(root)/box.db' is not a box's database" : "'\(root)' cannot be opened: \(error.message)")
        }
    }
}
