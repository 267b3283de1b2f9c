// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalServer
import Synchronization
import Testing

@Suite("The write-ahead log")
struct LogTests {
    /// Readers of which one has always begun before another ends.
    private final class Relay: Sendable {
        private let begun = Atomic(0)
        private let isOver = Atomic(false)
        private let group = DispatchGroup()

        init(_ database: SharedDatabase, _ count: Int) {
            for _ in 0..<count { DispatchQueue(label: "reader").async(group: group) { self.read(database) } }
            while begun.load(ordering: .acquiring) < count { usleep(100) }
        }

        private func read(_ database: SharedDatabase) {
            guard let reader = database.readers.take() else { return }
            defer { database.readers.giveBack(reader) }
            while !isOver.load(ordering: .acquiring) {
                try? reader.snapshot(
                    { () throws(DatabaseError) in
                        try reader.rows("SELECT count(*) FROM Note") { _ in }
                        let turn = begun.add(1, ordering: .acquiringAndReleasing).newValue
                        while begun.load(ordering: .acquiring) == turn, !isOver.load(ordering: .acquiring) {
                            usleep(100)
                        }
                    }, failure: { $0 })
            }
        }

        func stop() {
            isOver.store(true, ordering: .releasing)
            group.wait()
        }
    }

    @Test("it is begun anew under readers without a gap, so that it stays small")
    func bounded() async throws {
        try await withTemporaryFolder { folder in
            let path = folder + "/log.db"
            let database = try SharedDatabase(.file(path), readers: 3) { (connection) throws(DatabaseError) in
                try connection.execute("CREATE TABLE Note (Text TEXT)")
            }
            let readers = Relay(database, 3)
            var most = 0
            try database.writer.withLock { (connection) throws(DatabaseError) in
                try connection.execute("PRAGMA synchronous = OFF")
                for _ in 0..<1_500 {
                    try connection.run("INSERT INTO Note VALUES (hex(randomblob(50000)))")
                    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
                    most = max(most, (attributes?[.size] as? Int) ?? 0)
                }
            }
            readers.stop()
            database.close()
            // 150 MB were written; the log is begun anew after 64 MiB.
            #expect(most > 0 && most < 72 << 20)
        }
    }
}
