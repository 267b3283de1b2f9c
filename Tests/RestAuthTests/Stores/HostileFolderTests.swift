// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

/// What other processes of the user may put into the folder of a store.
@Suite("A store's folder that others write to")
struct HostileFolderTests {
    private let folder: StoreFolder
    private let store: FileCredentialStore
    private let files = AccountFiles(account: "alice")

    init() throws {
        folder = try StoreFolder()
        store = FileCredentialStore(directory: folder.path)
    }

    /// Says when one side of a race is done.
    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isUp: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    private func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
        await #expect(throws: CredentialStoreError.self) { try await body() }?.code
    }

    /// A file outside of the store that nobody may touch, and a link to it under the name.
    private func link(_ name: String) throws -> String {
        let victim = folder.path(of: "victim")
        try folder.write(Array("victim".utf8), "victim")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: name), withDestinationPath: victim)
        return victim
    }

    @Test("a link in the place of a file that is being written is replaced, and what it points to stays as it is")
    func linkedTemporaries() async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        for name in [files.temporary, files.previousTemporary] {
            let victim = try link(name)
            let current = try await store.load("alice")?.version ?? version
            _ = try await store.save(.numbered(2), for: "alice", replacing: current)
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "victim")
            #expect(try folder.mode("victim") == 0o600)
        }
        #expect(try await store.load("alice")?.credential == .numbered(2))
    }

    @Test("a link in the place of a lock, of the notes or of the record before is refused")
    func links() async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        for name in [files.writeLock, files.previous, AccountFiles.notes.record, AccountFiles.notes.writeLock] {
            try? folder.remove(name)
            let victim = try link(name)
            let code =
                switch name {
                case files.writeLock:
                    await code { _ = try await store.save(.numbered(3), for: "alice", replacing: version + 1) }
                case files.previous:
                    await code {
                        try folder.remove(files.record)
                        _ = try await store.load("alice")
                    }
                case AccountFiles.notes.record: await code { _ = try await store.note("current") }
                default: await code { try await store.setNote("current", "x") }
                }
            #expect(code == .insecurePermissions)
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "victim")
            try folder.remove(name)
        }
    }

    @Test("a pipe or a folder in the place of a lock is refused at once, and blocks nobody", arguments: [true, false])
    func oddLocks(isPipe: Bool) async throws {
        for name in [files.renewalLock, files.writeLock, AccountFiles.notes.writeLock] {
            if isPipe {
                #expect(unsafe mkfifo(folder.path(of: name), 0o400) == 0)
            } else {
                try FileManager.default.createDirectory(
                    atPath: folder.path(of: name), withIntermediateDirectories: false)
            }
        }
        #expect(await code { _ = try await store.lock("alice", until: .now) } == .insecurePermissions)
        #expect(
            await code { _ = try await store.save(.numbered(1), for: "alice", replacing: nil) } == .insecurePermissions)
        #expect(await code { try await store.setNote("current", "x") } == .insecurePermissions)
    }

    @Test("a pipe in the place of the notes or of the record before blocks nobody")
    func pipes() async throws {
        for name in [AccountFiles.notes.record, files.previous] {
            #expect(unsafe mkfifo(folder.path(of: name), 0o600) == 0)
        }
        #expect(await code { _ = try await store.note("current") } == .insecurePermissions)
        #expect(await code { _ = try await store.load("alice") } == .insecurePermissions)
    }

    @Test("of a record of a hundred megabytes no more than a megabyte is read; the one before takes its place")
    func hugeRecord() async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        for name in [files.record, AccountFiles(account: String(repeating: "ü", count: 100)).record] {
            try folder.write([], name)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(of: name)))
            try file.truncate(atOffset: 100 << 20)
            try file.close()
        }
        let content = try #require(try StoreDirectory.open(folder.path)?.read(files.record))
        #expect(content.bytes.count <= RecordEnvelope.maximumSize + 8_192)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(try await store.accounts() == ["alice"])
    }

    @Test("notes that could not be read back are refused, and those that are there stay")
    func hugeNotes() async throws {
        try await store.setNote("current", "alice")
        let code = await code { try await store.setNote("x", String(repeating: "x", count: 1 << 20)) }
        #expect(code == .notWritable)
        #expect(try await store.note("current") == "alice")
    }

    @Test("a record that is overwritten in place while it is read is a good one, damage, or none; never half of two")
    func replacedWhileReading() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let path = folder.path(of: files.record)
        let good = try folder.bytes(files.record)
        let isOver = Flag()
        await withTaskGroup { [store] group in
            group.addTask {
                var random = SeededGenerator(seed: 7)
                while !isOver.isUp {
                    guard let file = unsafe fopen(path, "r+") else { continue }
                    for bytes in [Array(good.shuffled(using: &random)), good] {
                        unsafe rewind(file)
                        unsafe fwrite(bytes, 1, Int.random(in: 0...bytes.count, using: &random), file)
                        unsafe fflush(file)
                    }
                    unsafe fclose(file)
                    await Task.yield()
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    do throws(CredentialStoreError) {
                        let loaded = try await store.load("alice")
                        #expect(loaded == nil || loaded?.credential == .numbered(1))
                    } catch {
                        #expect(error.code == .corrupt)
                    }
                }
                isOver.raise()
            }
        }
    }

    @Test("a file that vanishes between two looks is none or an error, never another account's")
    func vanishing() async throws {
        let isOver = Flag()
        let record = folder.path(of: files.record)
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let good = try folder.bytes(files.record)
        await withTaskGroup { [store, folder, files] group in
            group.addTask {
                while !isOver.isUp {
                    try? FileManager.default.removeItem(atPath: record)
                    try? folder.write(good, files.record)
                    await Task.yield()
                }
            }
            group.addTask {
                for _ in 0..<300 {
                    do throws(CredentialStoreError) {
                        let loaded = try await store.load("alice")
                        #expect(loaded == nil || loaded?.credential == .numbered(1))
                    } catch {
                        // Foundation makes the file with wider permissions first.
                        #expect([.corrupt, .insecurePermissions, .temporarilyUnavailable].contains(error.code))
                    }
                }
                isOver.raise()
            }
        }
    }
}
