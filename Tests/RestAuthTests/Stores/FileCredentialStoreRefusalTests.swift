// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@testable import RestAuth

@Suite("What a file store refuses")
struct FileCredentialStoreRefusalTests {
    private let folder: StoreFolder
    private let store: FileCredentialStore
    private let files = AccountFiles(account: "alice")

    init() throws {
        folder = try StoreFolder()
        store = FileCredentialStore(directory: folder.path)
    }

    /// Loading and saving both end with the error, and the record's bytes stay.
    private func expectRefusal(_ code: CredentialStoreError.Code, _ store: FileCredentialStore? = nil) async {
        let store = store ?? self.store
        let loading = await #expect(throws: CredentialStoreError.self) { try await store.load("alice") }
        let saving = await #expect(throws: CredentialStoreError.self) {
            try await store.save(.numbered(2), for: "alice", replacing: nil)
        }
        #expect(loading?.code == code)
        #expect(saving?.code == code)
    }

    @Test("a record that others may read or write", arguments: [0o640, 0o604, 0o620, 0o666, 0o601])
    func recordMode(mode: Int) async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(mode, files.record)
        await expectRefusal(.insecurePermissions)
    }

    @Test("a folder that others may enter", arguments: [0o755, 0o710, 0o702, 0o777])
    func folderMode(mode: Int) async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(mode, "")
        await expectRefusal(.insecurePermissions)
    }

    @Test("a folder inside one that others may write to")
    func sharedParent() async throws {
        let inner = FileCredentialStore(directory: folder.path(of: "inner"))
        _ = try await inner.save(.numbered(1), for: "alice", replacing: nil)
        try folder.setMode(0o777, "")
        await expectRefusal(.insecurePermissions, inner)
    }

    @Test("a link in the place of the record, the folder, or a lock")
    func links() async throws {
        // The target itself is beyond reproach: only the link speaks against it.
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let good = try folder.bytes(files.record)
        let target = folder.path(of: "target")
        try folder.write(good, "target")
        try folder.remove(files.record)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: files.record), withDestinationPath: target)
        await expectRefusal(.insecurePermissions)

        // The system follows a link with a slash behind its name, though it was told not to.
        let link = folder.path(of: "link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        for end in ["", "/", "//", "/.", "/./", "/././/"] {
            await expectRefusal(.insecurePermissions, FileCredentialStore(directory: link + end))
            #expect(try await FileCredentialStore(directory: folder.path + end).accounts() == ["alice"])
        }

        try FileManager.default.createSymbolicLink(
            atPath: folder.path(of: files.renewalLock), withDestinationPath: target)
        let locking = await #expect(throws: CredentialStoreError.self) { try await store.lock("alice", until: .now) }
        #expect(locking?.code == .insecurePermissions)
        #expect(try folder.bytes("target") == good)
    }

    @Test("a record with a second name, and a pipe in its place")
    func oddFiles() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        try FileManager.default.linkItem(atPath: folder.path(of: files.record), toPath: folder.path(of: "second"))
        await expectRefusal(.insecurePermissions)
        try folder.remove(files.record)
        #expect(unsafe mkfifo(folder.path(of: files.record), 0o600) == 0)
        await expectRefusal(.insecurePermissions)
    }

    @Test("files of another user", .enabled(if: geteuid() == 0))
    func foreignOwner() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        #expect(unsafe chown(folder.path(of: files.record), 12_345, 12_345) == 0)
        await expectRefusal(.insecurePermissions)
        #expect(unsafe chown(folder.path(of: files.record), 0, 0) == 0)
        #expect(unsafe chown(folder.path, 12_345, 12_345) == 0)
        await expectRefusal(.insecurePermissions)
        #expect(unsafe chown(folder.path, 0, 0) == 0)
        #expect(try await store.load("alice")?.credential == .numbered(1))
    }

    @Test("a store whose place is below a file cannot be read, which is not the same as holding nothing")
    func belowFile() async throws {
        try folder.write([], "file")
        let store = FileCredentialStore(directory: folder.path(of: "file/store"))
        let loading = await #expect(throws: CredentialStoreError.self) { try await store.load("alice") }
        let saving = await #expect(throws: CredentialStoreError.self) {
            try await store.save(.numbered(1), for: "alice", replacing: nil)
        }
        let locking = await #expect(throws: CredentialStoreError.self) { try await store.lock("alice", until: .now) }
        #expect(loading != nil && saving?.code == .notWritable && locking?.code == .notWritable)
    }

    @Test(
        "a full, broken or read-only disk at any step before the record is in place leaves the old one",
        arguments: [.create, .write, .sync, .keepPrevious, .replace] as [DiskStep], [ENOSPC, EIO, EROFS, EDQUOT])
    func diskErrors(step: DiskStep, code: Int32) async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let broken = FileCredentialStore(directory: folder.path, fault: { $0 == step ? code : nil })
        let error = await #expect(throws: CredentialStoreError.self) {
            try await broken.save(.numbered(2), for: "alice", replacing: version)
        }
        #expect(error?.code == .notWritable)
        let loaded = try await store.load("alice")
        #expect(loaded?.credential == .numbered(1))
        #expect(try folder.names().allSatisfy { !$0.hasSuffix(".tmp") })
        _ = try await store.save(.numbered(3), for: "alice", replacing: loaded?.version)
        #expect(try await store.load("alice")?.credential == .numbered(3))
    }
}
