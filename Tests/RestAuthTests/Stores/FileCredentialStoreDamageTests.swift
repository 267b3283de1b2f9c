// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("Damaged records of a file store")
struct FileCredentialStoreDamageTests {
    private let folder: TemporaryStore
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
        folder = try TemporaryStore(isVolatile: true)
        store = FileCredentialStore(directory: folder.path) { event in events.events.withLock { $0.append(event) } }
    }

    /// Saves two generations for alice and one for bob, and returns alice's record and previous record.
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

    @Test("every truncated record is recovered from the previous record, or is an error without one, but never missing")
    func truncations() async throws {
        let (record, previous) = try await fill()
        for length in record.indices {
            try restore(Array(record.prefix(length)), previous)
            #expect(try await store.load("alice")?.credential == .numbered(1))
            #expect(try folder.bytes(files.damaged) == Array(record.prefix(length)))
            try restore(Array(record.prefix(length)), nil)
            for _ in 1...2 {
                await expect(Credential.StoreError.self, .corrupt) { try await store.load("alice") }
            }
        }
        #expect(try await store.load("bob")?.credential == .numbered(9))
        #expect(events.all.count == record.count)
    }

    @Test("two thousand flipped bits lose no login")
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
        "a record that is empty, garbage, too large, doubled or of another account is recovered",
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

    @Test("a recovered record says that its refresh token may have been used, and keeps the damaged record's version")
    func recoveredState() async throws {
        let (_, previous) = try await fill()
        let damaged = try #require(try await store.load("alice"))
        try restore([], previous)
        let recovered = try await store.load("alice")
        #expect(
            recovered
                == Credential.Stored(credential: .numbered(1), version: damaged.version, renewal: .started))
        #expect(events.all == [.recovered(account: "alice", movedTo: files.damaged)])
        #expect(try folder.mode(files.damaged) == 0o600)
        // A process that knows the successor of the damaged record can save it.
        _ = try await store.save(.numbered(3), for: "alice", replacing: damaged.version)
        #expect(try await store.load("alice")?.credential == .numbered(3))
    }

    @Test("a missing record is restored from the previous record")
    func vanished() async throws {
        _ = try await fill()
        try folder.remove(files.record)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(events.all == [.recovered(account: "alice", movedTo: nil)])
    }

    @Test("a new login replaces an unrecoverable record, and the damaged bytes are kept until the account is removed")
    func beyondRecovery() async throws {
        let (record, _) = try await fill()
        for count in 1...3 {
            try restoreKeepingDamage(Array(record.dropLast(count)))
            _ = try await store.save(.numbered(count), for: "alice", replacing: nil)
            #expect(try await store.load("alice")?.credential == .numbered(count))
            #expect(try folder.bytes(files.damaged) == Array(record.dropLast(count)))
        }
        #expect(events.all.first == .replacedDamaged(account: "alice", movedTo: files.damaged))
        try await store.remove("alice")
        #expect(try folder.names(ofRecords: ()) == [AccountFiles(account: "bob").record])
    }

    private func restoreKeepingDamage(_ record: [UInt8]) throws {
        try folder.write(record, files.record)
        try folder.write(Array("x".utf8), files.previous)
    }

    @Test("an interrupted recovery, which left the damaged record under two names, is completed")
    func interruptedRecovery() async throws {
        let (record, previous) = try await fill()
        try restore(Array(record.dropLast()), previous)
        try folder.link(files.record, as: files.damaged)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(try folder.bytes(files.damaged) == Array(record.dropLast()))
    }

    @Test("an interrupted save, which left one record under two names and part of another, is completed")
    func interrupted() async throws {
        let record = try await fill().record
        try restore(record, nil)
        try folder.link(files.record, as: files.previous)
        try folder.write(Array("half".utf8), files.temporary)
        let loaded = try await store.load("alice")
        #expect(loaded?.credential == .numbered(2) && events.all.isEmpty)
        _ = try await store.save(.numbered(3), for: "alice", replacing: loaded?.version)
        let names = try folder.names(ofRecords: ()).filter { $0.hasPrefix("a-alice.") }
        #expect(names == [files.record, files.previous])
        #expect(try folder.bytes(files.previous) == record)
    }
}

@Suite("A change that took effect in a file store counts as done")
struct StoreDurabilityTests {
    private let folder: TemporaryStore
    private let files = AccountFiles(account: "alice")
    private let events = EventLog()

    private func error(_ change: String) -> Credential.StoreError {
        Credential.StoreError(.notWritable, "the credential cannot be \(change) (Input/output error)")
    }

    private final class EventLog: Sendable {
        private let events = Mutex<[FileCredentialStore.Event]>([])
        var all: [FileCredentialStore.Event] { events.withLock { $0 } }
        func add(_ event: FileCredentialStore.Event) { events.withLock { $0.append(event) } }
    }

    init() throws { folder = try TemporaryStore() }

    private func store(_ isBroken: @escaping @Sendable () -> Bool = { false }) -> FileCredentialStore {
        FileCredentialStore(
            directory: folder.path, onEvent: { [events] in events.add($0) },
            failing: { isDirectory in isDirectory && isBroken() ? EIO : nil })
    }

    @Test("a written record counts as saved with its version, although the directory cannot be synced")
    func unsyncedSave() async throws {
        let broken = store { true }
        let first = try await broken.save(.numbered(1), for: "alice", replacing: nil)
        let second = try await broken.save(.numbered(2), for: "alice", replacing: first)
        #expect(try await store().load("alice") == Credential.Stored(credential: .numbered(2), version: second))
        #expect(
            events.all == [
                .notDurable(account: "alice", error("saved")), .notDurable(account: "alice", error("saved")),
            ])
    }

    @Test("written notes are kept, and an account whose files were removed counts as removed")
    func unsyncedRest() async throws {
        let broken = store { true }
        try await broken.setNote("current", "alice")
        #expect(try await store().note("current") == "alice")
        _ = try await store().save(.numbered(1), for: "alice", replacing: nil)
        try await broken.remove("alice")
        #expect(try await store().load("alice") == nil)
        #expect(
            events.all == [.notDurable(account: nil, error("saved")), .notDurable(account: "alice", error("removed"))])
    }

    @Test("an account whose record cannot be removed is still stored, and its removal is an error")
    func notRemoved() async throws {
        _ = try await store().save(.numbered(1), for: "alice", replacing: nil)
        try FileManager.default.createDirectory(
            atPath: folder.path(of: files.damaged), withIntermediateDirectories: false)
        await expect(Credential.StoreError.self, .notWritable) { try await store().remove("alice") }
        #expect(try await store().load("alice")?.credential == .numbered(1))
    }

    @Test("an account is unlinked and its token revoked, although the directory cannot be synced")
    func unlink() async throws {
        let transport = StubTransport()
        let isBroken = Mutex(false)
        let store = store { isBroken.withLock { $0 } }
        let manager = try await AccountManager.open(store: store, transport: transport)
        try await manager.add(.user(1))
        isBroken.withLock { $0 = true }
        transport.enqueue(status: 200)
        #expect(try await manager.unlink(Credential.key(1)).isRevoked)
        #expect(manager.accounts.isEmpty && transport.requests.count == 1)
        #expect(try await store.accounts().isEmpty)
    }

    @Test("other entries of the directory are skipped, whatever they are")
    func strangers() async throws {
        let long = String(repeating: "ü", count: 100)
        _ = try await store().save(.numbered(1), for: "alice", replacing: nil)
        _ = try await store().save(.numbered(2), for: long, replacing: nil)
        try folder.write(Array("{}".utf8), "backup.json")
        try folder.setMode(0o644, "backup.json")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: "link.json"), withDestinationPath: folder.path(of: "backup.json"))
        try FileManager.default.createDirectory(
            atPath: folder.path(of: "old.prev"), withIntermediateDirectories: false)
        #expect(unsafe mkfifo(folder.path(of: "pipe.json"), 0o600) == 0)
        #expect(try await store().accounts() == ["alice", long])
        let manager = try await AccountManager.open(store: store(), transport: StubTransport())
        #expect(manager.unreadable.isEmpty && events.all.isEmpty)
        // A record is not in `unreadable` if its name does not contain its account.
        let record = AccountFiles(account: long).record
        try folder.setMode(0o644, record)
        #expect(try await store().accounts() == ["alice"])
        let insecure = Credential.StoreError(
            .insecurePermissions, "\(record) must be a regular file of the user with mode 600")
        #expect(events.all == [.unreadable(file: record, insecure)])
    }

    #if os(Linux) || os(macOS)
    @Test(
        "directory, records and locks have their modes with any umask", arguments: [0o277, 0o777, 0o177] as [UInt32])
    func umasks(mask: UInt32) async throws {
        let path = folder.path + "/a/store"
        await #expect(processExitsWith: .success) { [path = path as String, mask = mask as UInt32] in
            umask(mode_t(mask))
            let store = FileCredentialStore(directory: path)
            let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
            _ = try await store.save(.numbered(2), for: "alice", replacing: version)
            try await store.lock("alice", until: .now).release()
            try await store.setNote("current", "alice")
        }
        for name in ["a", "a/store"] { #expect(try folder.mode(name) == 0o700) }
        let names = try folder.names(in: "a/store")
        #expect(names.count == 6)
        for name in names { #expect(try folder.mode("a/store/" + name) == 0o600, "\(name)") }
    }

    @Test("the error for a store that its owner may not use says what to do", .enabled(if: geteuid() == 0))
    func unusable() async throws {
        let path = folder.path + "/store"
        try folder.setMode(0o755, "")
        for (name, mode) in [("", 0o000), ("", 0o500), ("a-alice.json", 0o000), ("a-alice.lock", 0o000)] {
            await #expect(processExitsWith: .success) {
                [path = path as String, name = name as String, mode = mode as Int] in
                let file = path + "/" + name
                _ = unsafe (mkdir(path, 0o700), chown(path, 12_345, 12_345))
                #expect(seteuid(12_345) == 0)
                let store = FileCredentialStore(directory: path)
                let before = try await store.load("alice")?.version
                let version = try await store.save(.numbered(1), for: "alice", replacing: before)
                #expect(unsafe chmod(file, mode_t(mode)) == 0)
                do throws(Credential.StoreError) {
                    _ = try await store.save(.numbered(2), for: "alice", replacing: version)
                    exit(1)
                } catch {
                    guard error.message.contains("chmod 700") else { exit(2) }
                }
                #expect(unsafe chmod(file, 0o700) == 0)
            }
        }
        try folder.setMode(0o700, "")
    }
    #endif
}
