// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport
import Synchronization

/// What a box lets its users have.
struct BoxLimits: Sendable {
    /// The bytes of all files of a user.
    let quota: Int64
    /// The bytes of a body.
    let body: Int
    /// The bytes of a file.
    let file: Int64
    /// The revisions that are kept of a file; `nil` for all.
    let revisions: Int?
}

/// The database and files of one namespace, for one request at a time.
final class BoxStore: Sendable {
    private struct State {
        var connection: SQLiteConnection
        var facts: BoxFacts
    }

    let folder: PieceFolder
    let clock: BoxClock
    let namespace: String
    let limits: BoxLimits
    /// Fails single entries of batches.
    let contention: WriteContention
    /// Told after every change.
    let changes = ChangeWatch()
    private let state: Mutex<State>

    init(
        _ connection: SQLiteConnection, _ facts: BoxFacts, folder: PieceFolder, clock: BoxClock, namespace: String,
        limits: BoxLimits, contention: WriteContention
    ) {
        state = Mutex(State(connection: connection, facts: facts))
        (self.folder, self.clock, self.namespace) = (folder, clock, namespace)
        (self.limits, self.contention) = (limits, contention)
        changes.note(facts.change)
    }

    /// Runs the body in one transaction; an error of the body or of the database undoes all of it.
    func transaction<Result: Sendable, Problem>(
        _ body: (BoxTables) throws(BoxFailure<Problem>) -> Result
    ) throws(BoxFailure<Problem>) -> Result {
        let (result, latest, discarded) = try state.withLock {
            (state) throws(BoxFailure<Problem>) -> (Result, Int64, [Int64]) in
            let tables = BoxTables(state.connection, self, state.facts)
            let before = state.facts
            let result = try state.connection.transaction(
                { () throws(BoxFailure<Problem>) in
                    let result = try body(tables)
                    if tables.facts != before { tables.writeFacts() }
                    if tables.failure != nil { throw .refused(.broken) }
                    return result
                }, failure: { _ in .refused(.broken) })
            state.facts = tables.facts
            return (result, tables.facts.change, tables.discarded)
        }
        for file in discarded { folder.release(file) }
        changes.note(latest)
        return result
    }

    /// The same for what has no error of its own.
    func transaction<Result: Sendable>(_ body: (BoxTables) -> Result) throws(BoxRefusal) -> Result {
        do throws(BoxFailure<Never>) {
            return try transaction { (tables) throws(BoxFailure<Never>) in body(tables) }
        } catch {
            guard case .refused(let refusal) = error else { throw .broken }
            throw refusal
        }
    }

    /// Closes the database; later requests are refused.
    func close() {
        state.withLock { state in
            try? state.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            if let empty = try? SQLiteConnection(path: ":memory:") { state.connection = empty }
        }
    }
}

extension BoxTables {
    fileprivate func writeFacts() {
        run(
            "UPDATE facts SET epoch = ?, rev = ?, change = ?, used = ?",
            [.integer(facts.epoch), .integer(facts.rev), .integer(facts.change), .integer(facts.used)])
    }
}
