// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBase
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

@Suite("What took effect in a file store counts as done")
struct StoreDurabilityTests {
    private let folder: StoreFolder
    private let files = AccountFiles(account: "alice")
    private let events = EventLog()
    private let error = CredentialStoreError(.notWritable, "the credential cannot be saved (the disk reports an error)")

    private final class EventLog: Sendable {
        private let events = Mutex<[FileCredentialStore.Event]>([])
        var all: [FileCredentialStore.Event] { events.withLock { $0 } }
        func add(_ event: FileCredentialStore.Event) { events.withLock { $0.append(event) } }
    }

    init() throws { folder = try StoreFolder() }

    private func store(_ fault: @escaping DiskFault = { _ in nil }) -> FileCredentialStore {
        FileCredentialStore(directory: folder.path, onEvent: { [events] in events.add($0) }, fault: fault)
    }

    @Test("a record in place is saved, although the directory cannot be synced: the version is the one on the disk")
    func unsyncedSave() async throws {
        let broken = store { $0 == .syncDirectory ? EIO : nil }
        let first = try await broken.save(.numbered(1), for: "alice", replacing: nil)
        let second = try await broken.save(.numbered(2), for: "alice", replacing: first)
        #expect(try await store().load("alice") == Credential.Stored(credential: .numbered(2), version: second))
        #expect(events.all == [.notDurable(account: "alice", error), .notDurable(account: "alice", error)])
    }

    @Test("a renaming that a file system carried out and reported as failed is a save")
    func lateRename() async throws {
        let (path, files) = (folder.path, files)
        let first = try await store().save(.numbered(1), for: "alice", replacing: nil)
        let broken = store { step in
            guard step == .replace else { return nil }
            return unsafe rename("\(path)/\(files.temporary)", "\(path)/\(files.record)") == 0 ? EIO : nil
        }
        let second = try await broken.save(.numbered(2), for: "alice", replacing: first)
        #expect(try await store().load("alice") == Credential.Stored(credential: .numbered(2), version: second))
        #expect(try folder.names(ofRecords: ()) == [files.record, files.previous])
    }

    @Test("notes in place are kept, and an account whose files are gone is removed")
    func unsyncedRest() async throws {
        let broken = store { $0 == .syncDirectory ? EIO : nil }
        try await broken.setNote("current", "alice")
        #expect(try await store().note("current") == "alice")
        _ = try await store().save(.numbered(1), for: "alice", replacing: nil)
        try await broken.remove("alice")
        #expect(try await store().load("alice") == nil)
        #expect(events.all == [.notDurable(account: nil, error), .notDurable(account: "alice", error)])
    }

    @Test("an account whose record cannot be removed is still stored, and its removal is an error")
    func notRemoved() async throws {
        _ = try await store().save(.numbered(1), for: "alice", replacing: nil)
        let code = await #expect(throws: CredentialStoreError.self) {
            try await store { $0 == .remove ? EROFS : nil }.remove("alice")
        }
        #expect(code?.code == .notWritable)
        #expect(try await store().load("alice")?.credential == .numbered(1))
    }

    @Test("an unlinked account is gone, and its token revoked, although the directory cannot be synced")
    func unlink() async throws {
        let transport = StubTransport()
        let isBroken = Mutex(false)
        let store = store { step in step == .syncDirectory && isBroken.withLock { $0 } ? EIO : nil }
        let manager = try await AccountManager.open(store: store, transport: transport)
        try await manager.add(.user(1))
        isBroken.withLock { $0 = true }
        transport.enqueue(status: 200)
        guard case .revoked = try await manager.unlink(Credential.key(1)).revocation else {
            Issue.record("not revoked")
            return
        }
        #expect(manager.accounts.isEmpty && transport.requests.count == 1)
        #expect(try await store.accounts().isEmpty)
    }

    @Test("what is in the directory and not the store's is skipped, whatever it is")
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
        // A record whose name does not tell its account cannot be told in `unreadable`.
        let record = AccountFiles(account: long).record
        try folder.setMode(0o644, record)
        #expect(try await store().accounts() == ["alice"])
        let insecure = CredentialStoreError(
            .insecurePermissions, "\(record) must be a plain file of the user with mode 600")
        #expect(events.all == [.unreadable(file: record, insecure)])
    }

    #if os(Linux) || os(macOS)
    @Test(
        "directory, records and locks have their modes under any umask", arguments: [0o277, 0o777, 0o177] as [UInt32])
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

    @Test("a store whose owner may not use it says what to do", .enabled(if: geteuid() == 0))
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
                do throws(CredentialStoreError) {
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
