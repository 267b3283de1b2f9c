// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestAuth

/// Tests changes that other processes of the user can make in the directory of a store.
@Suite("A store's directory that other processes write to")
struct HostileDirectoryTests {
    private let folder: TemporaryStore
    private let store: FileCredentialStore
    private let files = AccountFiles(account: "alice")

    init() throws {
        folder = try TemporaryStore()
        store = FileCredentialStore(directory: folder.path)
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isUp: Bool { state.withLock { $0 } }
        func raise() { state.withLock { $0 = true } }
    }

    private func code(_ body: () async throws -> Void) async -> Credential.StoreError.Code? {
        await #expect(throws: Credential.StoreError.self) { try await body() }?.code
    }

    /// Creates a file outside the store that must not change, and a link to it with this name.
    private func link(_ name: String) throws -> String {
        let victim = folder.path(of: "victim")
        try folder.write(Array("victim".utf8), "victim")
        try FileManager.default.createSymbolicLink(atPath: folder.path(of: name), withDestinationPath: victim)
        return victim
    }

    @Test("a link in place of a temporary file is replaced, and its target is not changed")
    func linkedTemporaries() async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let victim = try link(files.temporary)
        _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "victim")
        #expect(try folder.mode("victim") == 0o600)
        #expect(try await store.load("alice")?.credential == .numbered(2))
    }

    @Test("a link in place of a lock, of the notes or of the previous record is rejected")
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

    @Test(
        "a pipe or a directory in place of a lock is rejected immediately, without blocking", arguments: [true, false])
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

    @Test("a pipe in place of the notes or of the previous record does not block")
    func pipes() async throws {
        for name in [AccountFiles.notes.record, files.previous] {
            #expect(unsafe mkfifo(folder.path(of: name), 0o600) == 0)
        }
        #expect(await code { _ = try await store.note("current") } == .insecurePermissions)
        #expect(await code { _ = try await store.load("alice") } == .insecurePermissions)
    }

    @Test("at most one megabyte of a huge record is read, and the previous record replaces it")
    func hugeRecord() async throws {
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        for name in [files.record, AccountFiles(account: String(repeating: "ü", count: 100)).record] {
            try folder.write([], name)
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(of: name)))
            try file.truncate(atOffset: 100 << 20)
            try file.close()
        }
        let bytes = try #require(try StoreDirectory.open(folder.path)?.read(files.record, orAs: []))
        #expect(bytes.count <= RecordEnvelope.maximumSize + 1)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        #expect(try await store.accounts() == ["alice"])
    }

    @Test("notes that are too large are rejected, and the existing notes are kept")
    func hugeNotes() async throws {
        try await store.setNote("current", "alice")
        let code = await code { try await store.setNote("x", String(repeating: "x", count: 1 << 20)) }
        #expect(code == .notWritable)
        #expect(try await store.note("current") == "alice")
    }

    /// Loads alice's record 300 times while `write` runs, and expects the first login, no login or one of the errors.
    private func load(
        _ codes: [Credential.StoreError.Code], during write: @escaping @Sendable (Flag) async -> Void
    ) async {
        let isOver = Flag()
        await withTaskGroup { [store] group in
            group.addTask { await write(isOver) }
            group.addTask {
                for _ in 0..<300 {
                    do throws(Credential.StoreError) {
                        let loaded = try await store.load("alice")
                        #expect(loaded == nil || loaded?.credential == .numbered(1))
                    } catch {
                        #expect(codes.contains(error.code))
                    }
                }
                isOver.raise()
            }
        }
    }

    @Test("a record that is overwritten while it is read is valid, damaged or missing, but never mixed from two")
    func replacedWhileReading() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let path = folder.path(of: files.record)
        let good = try folder.bytes(files.record)
        await load([.corrupt]) { isOver in
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
    }

    @Test("a file that disappears while it is read is missing or an error, and never another account's")
    func vanishing() async throws {
        let record = folder.path(of: files.record)
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        let good = try folder.bytes(files.record)
        // Foundation first creates the file with wider permissions.
        await load([.corrupt, .insecurePermissions, .temporarilyUnavailable]) { [folder, files] isOver in
            while !isOver.isUp {
                try? FileManager.default.removeItem(atPath: record)
                try? folder.write(good, files.record)
                await Task.yield()
            }
        }
    }
}

#if os(Linux) || os(macOS)
@Suite("Processes that share a store", .serialized)
struct ProcessTests {
    private let folder: TemporaryStore

    init() async throws {
        folder = try TemporaryStore()
        let store = FileCredentialStore(directory: folder.path + "/store")
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
    }

    private var store: FileCredentialStore { FileCredentialStore(directory: folder.path + "/store") }

    @Test("A44: two processes renew one account in turn, and strict rotation never detects a used token")
    func strictRotation() async throws {
        let path = folder.path
        async let first: Void = renewInChild(path, count: 25)
        async let second: Void = renewInChild(path, count: 25)
        _ = try await (first, second)
        let state = try FileTokenServer(path: path + "/server", rotation: .strict).state
        #expect(!state.isRevoked)
        #expect((25...50).contains(state.exchanges))
        #expect(try await store.load("alice")?.credential.refreshToken == Secret("r\(state.live)"))
    }

    private func renewInChild(_ path: String, count: Int) async throws {
        await #expect(processExitsWith: .success) { [path = path as String, count = count as Int] in
            for _ in 0..<count { _ = try await TokenManager.Renewal.shared(path, .strict).next(path) }
        }
    }

    @Test("A45: the lock of a killed process is free immediately")
    func deadHolder() async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let store = FileCredentialStore(directory: path + "/store")
            let lock = try await store.lock("alice", until: .now)
            kill(getpid(), SIGKILL)
            lock.release()
        }
        try await store.lock("alice", until: .now).release()
    }

    @Test(
        "a process that is killed before or after it writes the new record leaves the old or the new one",
        arguments: [false, true])
    func killedAtStep(isPlaced: Bool) async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, isPlaced = isPlaced as Bool] in
            let store = FileCredentialStore(
                directory: path + "/store",
                failing: { isDirectory in
                    if isDirectory == isPlaced { kill(getpid(), SIGKILL) }
                    return nil
                })
            let version = try await store.load("alice")?.version
            _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        }
        let loaded = try #require(try await store.load("alice"))
        #expect(loaded.credential == .numbered(isPlaced ? 2 : 1))
        _ = try await store.save(.numbered(3), for: "alice", replacing: loaded.version)
        let names = try folder.names(in: "store")
        #expect(names.allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(try await store.load("alice")?.credential == .numbered(3))
    }

    @Test("A38: a process killed during a renewal leaves a readable store, and loses no login with a grace period")
    func killedWhileRenewing() async throws {
        let path = folder.path
        var random = SeededGenerator(seed: 9)
        for _ in 0..<40 {
            let delays = (0..<2).map { _ in Int.random(in: 0...30_000, using: &random) }
            async let first: Void = killChild(path, after: delays[0])
            async let second: Void = killChild(path, after: delays[1])
            _ = await (first, second)
            #expect(try await store.load("alice") != nil)
            let renewed = try await TokenManager.Renewal.shared(path, .grace).next(path)
            #expect(try await store.load("alice")?.credential == renewed)
        }
        let state = try FileTokenServer(path: path + "/server", rotation: .grace).state
        #expect(!state.isRevoked && state.exchanges >= 40)
    }

    /// Renews in a child process, which is killed after `delay` microseconds.
    private func killChild(_ path: String, after delay: Int) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, delay = delay as Int] in
            let renewal = TokenManager.Renewal.shared(path, .grace)
            Thread.detachNewThread {
                usleep(UInt32(delay))
                kill(getpid(), SIGKILL)
            }
            while true { _ = try await renewal.next(path) }
        }
    }
}
#endif
