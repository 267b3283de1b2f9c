// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The routes about locks, which keep files for one user.
///
/// A lock is kept and told of; as nobody else writes into a user's own files, it stops nobody there.
struct LockRoutes: Sendable {
    func lock(
        _ argument: Files.LockFileBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Files.LockFileError>) -> Files.LockFileBatchResult {
        try each(argument.entries.map(\.path), context) {
            (tables, entry, user) throws(BoxFailure<Files.LockFileError>) in
            if let lock = tables.lock(of: entry), lock.account != user.accountID {
                throw .route(.lockConflict(Files.LockConflictError(lock: lock.value)))
            }
            tables.run(
                "INSERT OR IGNORE INTO locks VALUES (?, ?, ?, ?)",
                [
                    .text(entry.id), .text(user.accountID), .text(user.displayName), .integer(tables.clock.seconds),
                ])
        }
    }

    func unlock(
        _ argument: Files.UnlockFileBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Files.LockFileError>) -> Files.LockFileBatchResult {
        try each(argument.entries.map(\.path), context) {
            (tables, entry, user) throws(BoxFailure<Files.LockFileError>) in
            if let lock = tables.lock(of: entry), lock.account != user.accountID, !user.isAdmin {
                throw .route(.lockConflict(Files.LockConflictError(lock: lock.value)))
            }
            tables.run("DELETE FROM locks WHERE id = ?", [.text(entry.id)])
        }
    }

    func list(
        _ argument: Files.LockFileBatchArg, _ context: RouteContext
    ) throws(BoxFailure<Files.LockFileError>) -> Files.LockFileBatchResult {
        try each(argument.entries.map(\.path), context) { (_, _, _) throws(BoxFailure<Files.LockFileError>) in }
    }

    /// Does something with each file, and tells of its lock then.
    private func each(
        _ paths: [String], _ context: RouteContext,
        _ change: (BoxTables, Entry, BoxUser) throws(BoxFailure<Files.LockFileError>) -> Void
    ) throws(BoxFailure<Files.LockFileError>) -> Files.LockFileBatchResult {
        guard let user = context.caller.user else { throw .refused(.broken) }
        let entries = try context.store.transaction { (tables) throws(BoxFailure<Files.LockFileError>) in
            var results: [Files.LockFileResultEntry] = []
            for path in paths {
                do throws(BoxFailure<Files.LockFileError>) {
                    let entry = try wrapping(Files.LockFileError.pathLookup) {
                        () throws(BoxFailure<Files.LookupError>) in
                        try tables.lookUp(path)
                    }
                    guard !entry.isFolder else { throw .route(.cannotBeLocked) }
                    try change(tables, entry, user)
                    let lock = tables.lock(of: entry)?.value ?? Files.FileLock(content: .unlocked)
                    results.append(.success(Files.LockFileResult(metadata: entry.metadata, lock: lock)))
                } catch {
                    guard case .route(let problem) = error else { throw error }
                    results.append(.failure(problem))
                }
            }
            return results
        }
        return Files.LockFileBatchResult(entries: entries)
    }
}

extension BoxTables {
    fileprivate func lock(of entry: Entry) -> (account: String, value: Files.FileLock)? {
        rows("SELECT account, created FROM locks WHERE id = ?", [.text(entry.id)]) { row in
            let lock = Files.SingleUserLock(created: Date(seconds: row.integer(1)), lockHolderAccountID: row.text(0))
            return (account: row.text(0), value: Files.FileLock(content: .singleUser(lock)))
        }.first
    }
}
