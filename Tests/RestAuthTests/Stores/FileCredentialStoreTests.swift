// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

@Suite("File store")
struct FileCredentialStoreTests {
    private let folder: TemporaryStore
    private let store: FileCredentialStore
    private let files = AccountFiles(account: "alice")

    init() throws {
        folder = try TemporaryStore()
        store = FileCredentialStore(directory: folder.path)
    }

    @Test("a saved credential is loaded, also by another store object")
    func roundTrip() async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let loaded = try await FileCredentialStore(directory: folder.path).load("alice")
        #expect(loaded == Credential.Stored(credential: .numbered(1), version: version))
        #expect(try await store.load("bob") == nil)
    }

    @Test("optional fields stay absent, and the record of a renewal in flight is kept")
    func sparse() async throws {
        let sparse = Credential(accessToken: "a!\u{22}\\", instance: Origin(scheme: .http, host: "::1", port: 4_000))
        let version = try await store.save(sparse, for: "alice", replacing: nil, renewal: .started)
        #expect(
            try await store.load("alice")
                == Credential.Stored(credential: sparse, version: version, renewal: .started))
    }

    @Test("saving compares versions, and a save with an old version changes nothing")
    func compareAndSwap() async throws {
        let first = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let second = try await store.save(.numbered(2), for: "alice", replacing: first)
        #expect(second == first + 1)
        for stale in [nil, first, second + 1] {
            await expect(Credential.StoreError.self, .conflict) {
                try await store.save(.numbered(3), for: "alice", replacing: stale)
            }
        }
        #expect(try await store.load("alice")?.credential == .numbered(2))
    }

    @Test("only the user can access the directory, the records and the locks")
    func modes() async throws {
        let place = folder.path(of: "new/inner")
        let store = FileCredentialStore(directory: place)
        var version: UInt64?
        for number in 1...2 { version = try await store.save(.numbered(number), for: "alice", replacing: version) }
        for name in ["new", "new/inner"] { #expect(try folder.mode(name) == 0o700) }
        for name in [files.record, files.previous, files.writeLock] {
            #expect(try folder.mode("new/inner/\(name)") == 0o600)
        }
    }

    @Test("removing leaves no file with a token, and a late save does not restore the login")
    func remove() async throws {
        let first = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let second = try await store.save(.numbered(2), for: "alice", replacing: first)
        _ = try await store.save(.numbered(1), for: "bob", replacing: nil)
        try await store.remove("alice")
        #expect(try folder.names(ofRecords: ()) == [AccountFiles(account: "bob").record])
        #expect(try await store.load("alice") == nil)
        await #expect(throws: Credential.StoreError.self) {
            try await store.save(.numbered(3), for: "alice", replacing: second)
        }
        try await store.remove("nobody")
    }

    @Test("a missing directory contains no logins, and reading does not create it")
    func missingDirectory() async throws {
        let store = FileCredentialStore(directory: folder.path(of: "missing"))
        #expect(try await store.load("alice") == nil)
        try await store.remove("alice")
        #expect(try folder.names().isEmpty)
    }

    @Test("an unknown state of a renewal proves nothing about the token", arguments: ["later", ""])
    func unknownState(state: String) async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let content = try #require(RecordEnvelope.open(try folder.bytes(files.record)))
        let text = String(decoding: content, as: UTF8.self)
        let changed = text.replacing(#""renewal":"settled""#, with: #""renewal":"\#(state)""#)
        #expect(changed != text)
        try folder.write(try #require(RecordEnvelope.seal(Array(changed.utf8))), files.record)
        #expect(try await store.load("alice")?.renewal == .started)
    }

    @Test("a record of a newer version is not read, replaced or removed")
    func newerVersion() async throws {
        let newer = try #require(RecordEnvelope.seal(Array(#"{"version":3,"account":"alice","vault":"x"}"#.utf8)))
        try folder.write(newer, files.record)
        let actions: [@Sendable () async throws(Credential.StoreError) -> Void] = [
            { [store] () throws(Credential.StoreError) in _ = try await store.load("alice") },
            { [store] () throws(Credential.StoreError) in
                _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
            },
            { [store] () throws(Credential.StoreError) in try await store.remove("alice") },
        ]
        for action in actions {
            await expect(Credential.StoreError.self, .newerVersion) { try await action() }
        }
        #expect(try folder.bytes(files.record) == newer)
    }

    @Test(
        "one process at a time has the renewal lock, and a waiting task gives up at its deadline without blocking"
    )
    func locking() async throws {
        let clock = ManualClock()
        let store = FileCredentialStore(directory: folder.path, clock: clock)
        let held = try await store.lock("alice", until: clock.now)
        let other = try await store.lock("bob", until: clock.now)
        let start = clock.now
        await expect(Credential.StoreError.self, .temporarilyUnavailable) {
            try await store.lock("alice", until: start + .seconds(30))
        }
        #expect(clock.now == start + .seconds(30))
        #expect(clock.sleeps.allSatisfy { $0 <= .milliseconds(16) })
        held.release()
        held.release()
        let again = try await store.lock("alice", until: clock.now)
        again.release()
        other.release()
    }

    @Test("a lock without a holder is free")
    func droppedLock() async throws {
        _ = try await store.lock("alice", until: .now)
        try await store.lock("alice", until: .now).release()
    }

    @Test("cancelling ends the wait for a lock")
    func cancelledLock() async throws {
        let held = try await store.lock("alice", until: .now)
        let waiter = Task { [store] in try await store.lock("alice", until: .now + .seconds(60)) }
        waiter.cancel()
        await expect(Credential.StoreError.self, .temporarilyUnavailable) { try await waiter.value }
        held.release()
    }

    /// Expects that loading and saving fail with this error, and that the record's bytes are kept.
    private func expectRejection(_ code: Credential.StoreError.Code, _ store: FileCredentialStore? = nil) async {
        let store = store ?? self.store
        await expect(Credential.StoreError.self, code) { try await store.load("alice") }
        await expect(Credential.StoreError.self, code) {
            try await store.save(.numbered(2), for: "alice", replacing: nil)
        }
    }

    @Test("a record that other users may read or write is rejected", arguments: [0o640, 0o604, 0o620, 0o666, 0o601])
    func recordMode(mode: Int) async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(mode, files.record)
        await expectRejection(.insecurePermissions)
    }

    @Test("a directory that other users may enter is rejected", arguments: [0o755, 0o710, 0o702, 0o777])
    func directoryMode(mode: Int) async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(mode, "")
        await expectRejection(.insecurePermissions)
    }

    @Test("a directory inside one that other users may write to is rejected")
    func sharedParent() async throws {
        let inner = FileCredentialStore(directory: folder.path(of: "inner"))
        _ = try await inner.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(0o777, "")
        await expectRejection(.insecurePermissions, inner)
    }

    @Test("a symbolic link in place of the record, the directory or a lock is rejected")
    func links() async throws {
        // The target itself is valid. Only the link is a reason to reject it.
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let good = try folder.bytes(files.record)
        let target = folder.path(of: "target")
        try folder.write(good, "target")
        try folder.remove(files.record)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: files.record), withDestinationPath: target)
        await expectRejection(.insecurePermissions)

        // The operating system follows a link with a slash after its name, although the flags forbid it.
        let link = folder.path(of: "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        for end in ["", "/", "//", "/.", "/./", "/././/"] {
            await expectRejection(.insecurePermissions, FileCredentialStore(directory: link + end))
            #expect(try await FileCredentialStore(directory: folder.path + end).accounts() == ["alice"])
        }

        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: files.renewalLock), withDestinationPath: target)
        await expect(Credential.StoreError.self, .insecurePermissions) { try await store.lock("alice", until: .now) }
        #expect(try folder.bytes("target") == good)
    }

    @Test("a record with a second hard link, and a pipe in its place, are rejected")
    func oddFiles() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try FileManager.default.linkItem(atPath: folder.path(of: files.record), toPath: folder.path(of: "second"))
        await expectRejection(.insecurePermissions)
        try folder.remove(files.record)
        #expect(unsafe mkfifo(folder.path(of: files.record), 0o600) == 0)
        await expectRejection(.insecurePermissions)
    }

    @Test("files of another user", .enabled(if: geteuid() == 0))
    func foreignOwner() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        #expect(unsafe chown(folder.path(of: files.record), 12_345, 12_345) == 0)
        await expectRejection(.insecurePermissions)
        #expect(unsafe chown(folder.path(of: files.record), 0, 0) == 0)
        #expect(unsafe chown(folder.path, 12_345, 12_345) == 0)
        await expectRejection(.insecurePermissions)
        #expect(unsafe chown(folder.path, 0, 0) == 0)
        #expect(try await store.load("alice")?.credential == .numbered(1))
    }

    @Test("a store below a file cannot be read, which differs from a store without logins")
    func belowFile() async throws {
        try folder.write([], "file")
        let store = FileCredentialStore(directory: folder.path(of: "file/store"))
        let loading = await #expect(throws: Credential.StoreError.self) { try await store.load("alice") }
        let saving = await #expect(throws: Credential.StoreError.self) {
            try await store.save(.numbered(1), for: "alice", replacing: nil)
        }
        let locking = await #expect(throws: Credential.StoreError.self) { try await store.lock("alice", until: .now) }
        #expect(loading != nil && saving?.code == .notWritable && locking?.code == .notWritable)
    }

    @Test(
        "with a full, broken or read-only disk the old record is kept",
        arguments: [ENOSPC, EIO, EROFS, EDQUOT] as [Int32])
    func diskErrors(code: Int32) async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let broken = FileCredentialStore(directory: folder.path, failing: { $0 ? nil : code })
        try await expectUnchanged(version, broken)
    }

    @Test("a directory in place of the new or the previous record keeps the old record")
    func obstacles() async throws {
        for name in [files.temporary, files.previous] {
            let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
            try FileManager.default.createDirectory(
                atPath: folder.path(of: name), withIntermediateDirectories: false)
            try await expectUnchanged(version, store) { try folder.remove(name) }
            try await store.remove("alice")
        }
    }

    /// Expects that a save with a broken store changes nothing, and that a save with a working store succeeds.
    private func expectUnchanged(
        _ version: UInt64, _ broken: FileCredentialStore, _ repair: () throws -> Void = {}
    ) async throws {
        await expect(Credential.StoreError.self, .notWritable) {
            try await broken.save(.numbered(2), for: "alice", replacing: version)
        }
        let loaded = try await store.load("alice")
        #expect(loaded?.credential == .numbered(1))
        try repair()
        #expect(try folder.names().allSatisfy { !$0.hasSuffix(".tmp") })
        _ = try await store.save(.numbered(3), for: "alice", replacing: loaded?.version)
        #expect(try await store.load("alice")?.credential == .numbered(3))
    }
}

@Suite("Names of an account's files")
struct AccountFilesTests {
    @Test("every account has its own safe file names")
    func names() {
        let long = String(repeating: "é", count: 300)
        let accounts = [
            "", ".", "..", "a", "A", "a.json", "a.prev", "../../etc/passwd", "a/b", "a%2fb", "nul\u{0}", "-rf", long,
            long + "x", "00D000000000001/005000000000001", "über", "UBER", "a ", "con",
        ]
        let names = accounts.map { AccountFiles(account: $0).record.lowercased() }
        #expect(Set(names).count == accounts.count)
        for name in names {
            #expect(name.utf8.count < 150)
            #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F })
            #expect(!name.hasPrefix(".") && !name.hasPrefix("-"))
        }
    }
}
