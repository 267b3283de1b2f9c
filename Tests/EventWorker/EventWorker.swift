// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestEvents
import RestSQLite

/// Listens to a server and applies each event, for tests that kill it.
///
///     eventworker file|sqlite|transaction|hold PORT DIRECTORY
///
/// The effect of an event is its number: a line of the file `effects`, or a row of the database `effects.db`.
@main
struct EventWorker {
    static func main() async throws {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count == 3, let port = UInt16(words[1]) else {
            FileHandle.standardError.write(Data("eventworker file|sqlite|transaction|hold PORT DIRECTORY\n".utf8))
            exit(64)
        }
        let client = try RestClient(instanceURL: "http://127.0.0.1:\(port)", accessToken: Secret("t1"))
        let directory = words[2]
        switch words[0] {
        case "transaction": try await listenInTransactions(client, directory)
        case "hold":
            let lock = try FileEventPositions(directory: directory).lock("orders")
            FileHandle.standardOutput.write(Data("held\n".utf8))
            try await Task.sleep(for: .seconds(60))
            withExtendedLifetime(lock) {}
        default:
            let store: any EventPositionStore =
                words[0] == "file"
                ? FileEventPositions(directory: directory) : try SQLiteEventPositions(path: directory + "/positions.db")
            let path = directory + "/effects"
            if !FileManager.default.fileExists(atPath: path) {
                _ = FileManager.default.createFile(atPath: path, contents: nil)
            }
            let effects = try FileHandle(forWritingTo: URL(filePath: path))
            try effects.seekToEnd()
            let subscription = EventSubscription(name: "orders", store: store)
            for try await event in client.events("/event/Order__e", from: .earliest, as: subscription) {
                try effects.write(contentsOf: Data("\(event["n"]?.int ?? -1)\n".utf8))
            }
        }
    }

    private static func listenInTransactions(_ client: RestClient, _ directory: String) async throws {
        let store = try EffectStore(directory: directory)
        let subscription = try await EventSubscription(name: "orders", store: store, in: store.database)
        for try await event in client.events("/event/Order__e", from: .earliest, as: subscription) {
            try store.database.execute("BEGIN IMMEDIATE")
            try store.database.run("INSERT INTO effects VALUES (?)", [.integer(Int64(event["n"]?.int ?? -1))])
            try store.advance(to: event.position, of: subscription.name, in: store.database)
            try store.database.execute("COMMIT")
        }
    }
}

/// Effects and positions in one database.
struct EffectStore: EventTransactionStore {
    let directory: String
    let database: SQLiteConnection

    init(directory: String) throws {
        self.directory = directory
        database = try SQLiteConnection(path: directory + "/effects.db")
        try database.keepLog()
        try database.execute("CREATE TABLE IF NOT EXISTS effects (n INTEGER)")
        try database.execute("CREATE TABLE IF NOT EXISTS positions (channel TEXT PRIMARY KEY, id TEXT)")
    }

    func lock(_ name: String) throws -> EventLock { try EventLock(file: name + ".lock", in: directory) }

    func positions(of name: String, in transaction: SQLiteConnection) throws -> [EventPosition] {
        try transaction.list("SELECT channel, id FROM positions") { row in
            ReplayID(row.text(1)).map { EventPosition(channel: row.text(0), replayID: $0) }
        }.compactMap(\.self)
    }

    func advance(to position: EventPosition, of name: String, in transaction: SQLiteConnection) throws {
        try transaction.run(
            "INSERT OR REPLACE INTO positions VALUES (?, ?)",
            [.text(position.channel), .text(position.replayID.description)])
    }
}
