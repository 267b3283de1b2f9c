// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

#if os(Linux) || os(macOS)
@Suite("Processes that share a store", .serialized)
struct ProcessTests {
    private let folder: StoreFolder

    init() async throws {
        folder = try StoreFolder()
        let store = FileCredentialStore(directory: folder.path + "/store")
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
    }

    private var store: FileCredentialStore { FileCredentialStore(directory: folder.path + "/store") }

    @Test("A44: two processes renew one account in turn; strict rotation never sees a spent token")
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

    @Test("A45: the lock of a process that was killed is free at once")
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

    @Test("killed at any step of saving, a process leaves the old record or the new one", arguments: 0..<6)
    func killedAtStep(index: Int) async throws {
        let path = folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, index = index as Int] in
            let store = FileCredentialStore(directory: path + "/store") { step in
                if step == DiskStep.allCases[index] { kill(getpid(), SIGKILL) }
                return nil
            }
            let version = try await store.load("alice")?.version
            _ = try await store.save(.numbered(2), for: "alice", replacing: version)
        }
        let loaded = try #require(try await store.load("alice"))
        #expect(loaded.credential == (DiskStep.allCases[index] == .syncDirectory ? .numbered(2) : .numbered(1)))
        _ = try await store.save(.numbered(3), for: "alice", replacing: loaded.version)
        let names = try folder.names(in: "store")
        #expect(names.allSatisfy { !$0.hasSuffix(".tmp") })
        #expect(try await store.load("alice")?.credential == .numbered(3))
    }

    @Test("A38: processes killed at any moment of renewing leave a store that reads, and no login lost in grace mode")
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

    /// Renews in a child until it is killed, so many microseconds after it began.
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
