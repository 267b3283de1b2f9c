// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The connections that only read, each lent to one thread at a time.
///
/// There is one for every thread that can want one, so that nobody waits for a reader.
final class DatabaseReaders: Sendable {
    /// The connections that nobody has; `nil` once they are closed.
    private let idle: Mutex<[SQLiteConnection]?>

    init(_ connections: [SQLiteConnection]) {
        idle = Mutex(connections)
    }

    /// Lends a connection; `nil` when all are lent or closed.
    func take() -> SQLiteConnection? { idle.withLock { $0?.popLast() } }

    func giveBack(_ connection: SQLiteConnection) { idle.withLock { $0?.append(connection) } }

    /// Closes the connections: those that are lent when they are given back.
    func close() { idle.withLock { $0 = nil } }
}
