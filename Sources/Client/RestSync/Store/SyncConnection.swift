// SPDX-License-Identifier: Apache-2.0

public import RestAuth
import RestBase
import RestSQLite
import Synchronization

/// A new connection to the file of a copy, before it reads the file.
///
/// A copy has a connection for writing and one for each of ``SyncStore/Options/readers``.
public struct SyncConnection: ~Copyable {
    private let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    /// Sets the key of an encrypted file, with which a new file is encrypted.
    ///
    /// SQLite ignores a key and writes a plain file, so this method throws unless SQLCipher, or a library with its
    /// interface, takes the place of SQLite in the process.
    ///
    /// - Parameter key: a passphrase, or a raw key in the form `x'…'` with hexadecimal digits.
    /// - Throws: ``SyncError/Code/encryption`` if the key is empty or this SQLite cannot encrypt.
    public func setKey(_ key: Secret) throws(SyncError) {
        let text = key.reveal()
        guard !text.isEmpty, !text.utf8.contains(0) else {
            throw SyncError(.encryption, "the key is empty or has a NUL character; use another key")
        }
        guard try run("PRAGMA cipher_version") != nil else {
            throw SyncError(.encryption, "this SQLite cannot encrypt files; link SQLCipher in its place")
        }
        do throws(DatabaseError) { try connection.execute("PRAGMA key = '\(text.doubled("'"))'") } catch {
            throw SyncError(.encryption, "the key was rejected; use another key")
        }
    }

    /// Runs an SQL statement, such as a `PRAGMA`, and returns the first value of its first row.
    @discardableResult
    public func run(_ sql: String) throws(SyncError) -> String? {
        do throws(DatabaseError) { return try connection.list(sql) { $0.text(0) }.first } catch {
            throw SyncError(error, isEncrypted: true)
        }
    }
}

/// Runs the app's preparation on connections, and remembers the app's error.
final class ConnectionSetup: Sendable {
    private let prepare: (@Sendable (borrowing SyncConnection) throws -> Void)?
    private let failure = Mutex<SyncError?>(nil)

    init(_ prepare: (@Sendable (borrowing SyncConnection) throws -> Void)?) { self.prepare = prepare }

    var preparation: SQLiteConnection.Preparation? {
        guard let prepare else { return nil }
        return { (connection) throws(DatabaseError) in
            do { try prepare(SyncConnection(connection)) } catch {
                let known = error as? SyncError
                self.failure.withLock {
                    $0 = known ?? SyncError(.encryption, "the connection was not prepared: \(error)", underlying: error)
                }
                throw DatabaseError(kind: .unprepared, message: "")
            }
        }
    }

    /// Returns the error of opening a file.
    func error(for error: DatabaseError) -> SyncError {
        failure.withLock { $0 } ?? SyncError(error, isEncrypted: prepare != nil)
    }
}
