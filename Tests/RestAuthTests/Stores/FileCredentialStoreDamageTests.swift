// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Damaged records of a file store")
struct FileCredentialStoreDamageTests {
    private let folder: StoreFolder
    private let store: FileCredentialStore
    private let events: EventLog
    private let files = AccountFiles(account: "alice")

    private final class EventLog: Sendable {
        let events = Mutex<[FileCredentialStore.Event]>([])
        var all: [FileCredentialStore.Event] { events.withLock { $0 } }
    }

    init() throws {
        let events = EventLog()
        self.events = events
        folder = try StoreFolder(isVolatile: true)
        store = FileCredentialStore(directory: folder.path) { event in events.events.withLock { $0.append(event) } }
    }

    /// Two generations of alice and one of bob; gives alice's record as it is on the disk.
    private func fill() async throws -> (record: [UInt8], previous: [UInt8]) {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        _ = try await store.save(.numbered(9), for: "bob", replacing: nil)
        return (try folder.bytes(files.record), try folder.bytes(files.previous))
    }

    private func restore(_ record: [UInt8], _ previous: [UInt8]?) throws {
        for name in try folder.names(ofRecords: ()) where name.hasPrefix("a-alice.") { try folder.remove(name) }
        try folder.write(record, files.record)
        if let previous { try folder.write(previous, files.previous) }
    }

    @Test("every truncation is recovered from the record before; without one it is an error, never an empty account")
    func truncations() async throws {
        let (record, previous) = try await fill()
        for length in record.indices {
            try restore(Array(record.prefix(length)), previous)
            #expect(try await store.load("alice")?.credential == .numbered(1))
            #expect(try folder.bytes(files.corrupts[0]) == Array(record.prefix(length)))
            try restore(Array(record.prefix(length)), nil)
            for _ in 1...2 {
                let error = await #expect(throws: CredentialStoreError.self) { try await store.load("alice") }
                #expect(error?.code == .corrupt)
            }
        }
        #expect(try await store.load("bob")?.credential == .numbered(9))
        #expect(events.all.count == record.count)
    }

    @Test("two thousand flipped bits lose nothing")
    func bitFlips() async throws {
        let (record, previous) = try await fill()
        var random = SeededGenerator(seed: 20_261_120)
        for _ in 0..<2_000 {
            var damaged = record
            damaged[Int.random(in: 0..<record.count, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            try restore(damaged, previous)
            #expect(try await store.load("alice")?.credential == .numbered(1))
        }
        #expect(try await store.load("bob")?.credential == .numbered(9))
        #expect(events.all.count == 2_000)
    }

    @Test(
        "other damage: empty, zeros, garbage, too large, doubled, another account's record",
        arguments: [
            [], [UInt8](repeating: 0, count: 500), Array("{}".utf8), [0xFF, 0xFE],
            [UInt8](repeating: 0x61, count: 2 << 20),
        ])
    func otherDamage(bytes: [UInt8]) async throws {
        let (record, previous) = try await fill()
        for damaged in [bytes, record + record, try folder.bytes(AccountFiles(account: "bob").record)] {
            try restore(damaged, previous)
            #expect(try await store.load("alice")?.credential == .numbered(1))
        }
    }

    @Test("a recovered record says that its refresh token may be spent, and keeps the version of the damaged one")
    func recoveredState() async throws {
        let (_, previous) = try await fill()
        let damaged = try #require(try await store.load("alice"))
        try restore([], previous)
        let recovered = try await store.load("alice")
        #expect(
            recovered
                == Credential.Stored(credential: .numbered(1), version: damaged.version, renewal: .started))
        #expect(events.all == [.recovered(account: "alice", movedTo: files.corrupts[0])])
        #expect(try folder.mode(files.corrupts[0]) == 0o600)
        // Whoever knows the successor of the damaged record may save it.
        _ = try await store.save(.numbered(3), for: "alice", replacing: damaged.version)
        #expect(try await store.load("alice")?.credential == .numbered(3))
    }

    @Test("a record that vanished is put back from the one before")
    func vanished() async throws {
        _ = try await fill()
        try folder.remove(files.record)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(events.all == [.recovered(account: "alice", movedTo: nil)])
    }

    @Test("a new login replaces what is beyond recovery, and the damaged bytes are kept until the account is removed")
    func beyondRecovery() async throws {
        let (record, _) = try await fill()
        for count in 1...11 {
            try restoreKeepingDamage(Array(record.dropLast(count)))
            _ = try await store.save(.numbered(count), for: "alice", replacing: nil)
            #expect(try await store.load("alice")?.credential == .numbered(count))
            #expect(try folder.bytes(files.corrupts[min(count, 9) - 1]) == Array(record.dropLast(count)))
        }
        #expect(events.all.first == .replacedDamaged(account: "alice", movedTo: files.corrupts[0]))
        try await store.remove("alice")
        #expect(try folder.names(ofRecords: ()) == [AccountFiles(account: "bob").record])
    }

    private func restoreKeepingDamage(_ record: [UInt8]) throws {
        try folder.write(record, files.record)
        try folder.write(Array("x".utf8), files.previous)
    }

    @Test("a writer that died while it moved a damaged record aside left it under two names")
    func interruptedRecovery() async throws {
        let (record, previous) = try await fill()
        try restore(Array(record.dropLast()), previous)
        try folder.link(files.record, as: files.corrupts[0])
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(try folder.bytes(files.corrupts[0]) == Array(record.dropLast()))
    }

    @Test("a writer that died between its two renames left one record under two names")
    func interrupted() async throws {
        let record = try await fill().record
        try restore(record, nil)
        try folder.link(files.record, as: files.previous)
        try folder.write(Array("half".utf8), files.temporary)
        #expect(try await store.load("alice")?.credential == .numbered(2))
        #expect(try folder.names(ofRecords: ()).filter { $0.hasPrefix("a-alice.") } == [files.record])
    }
}
