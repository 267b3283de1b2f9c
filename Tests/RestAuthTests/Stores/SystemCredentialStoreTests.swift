// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestAuth

@Suite("Stores over a system's safe")
struct SystemCredentialStoreTests {
    private let vault = MemoryVault()
    private let store: SystemCredentialStore
    private let folder: StoreFolder

    init() throws {
        folder = try StoreFolder()
        store = SystemCredentialStore(vault: vault, lockDirectory: folder.path, clock: ContinuousClock())
    }

    private func code(_ body: () async throws -> Void) async -> CredentialStoreError.Code? {
        await #expect(throws: CredentialStoreError.self) { try await body() }?.code
    }

    @Test("saving compares versions, also between two stores over one safe")
    func compareAndSwap() async throws {
        let other = SystemCredentialStore(vault: vault, lockDirectory: folder.path, clock: ContinuousClock())
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        #expect(await code { _ = try await other.save(.numbered(2), for: "alice", replacing: nil) } == .conflict)
        let next = try await other.save(.numbered(2), for: "alice", replacing: version, renewal: .started)
        #expect(next == version + 1)
        #expect(try await store.load("alice")?.renewal == .started)
        #expect(await code { _ = try await store.save(.numbered(3), for: "alice", replacing: version) } == .conflict)
    }

    @Test("of many writers at once one wins each version")
    func race() async throws {
        let store = store
        let first = try await store.save(.numbered(0), for: "alice", replacing: nil)
        let wins = await withTaskGroup { group in
            for number in 1...20 {
                group.addTask {
                    (try? await store.save(.numbered(number), for: "alice", replacing: first)) != nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(wins == 1)
    }

    @Test("a locked safe is not an empty one")
    func locked() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        vault.isLocked = true
        #expect(await code { _ = try await store.load("alice") } == .temporarilyUnavailable)
        #expect(await code { _ = try await store.accounts() } == .temporarilyUnavailable)
        #expect(await code { try await store.remove("alice") } == .temporarilyUnavailable)
        vault.isLocked = false
        #expect(try await store.load("alice")?.credential == .numbered(1))
    }

    @Test("a damaged item is an error until a new login replaces it; a newer one is not touched")
    func damage() async throws {
        vault.set([1, 2, 3], "a-alice")
        #expect(await code { _ = try await store.load("alice") } == .corrupt)
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        #expect(try await store.load("alice")?.credential == .numbered(1))
        vault.set(RecordEnvelope.seal(Array(#"{"version":9,"account":"alice"}"#.utf8)) ?? [], "a-alice")
        #expect(await code { _ = try await store.load("alice") } == .newerVersion)
        #expect(await code { _ = try await store.save(.numbered(2), for: "alice", replacing: nil) } == .newerVersion)
        #expect(await code { try await store.remove("alice") } == .newerVersion)
    }

    @Test("the renewal lock holds among all stores of one folder, or of one value without a folder")
    func locks() async throws {
        let other = SystemCredentialStore(vault: vault, lockDirectory: folder.path, clock: ContinuousClock())
        let alone = SystemCredentialStore(vault: vault, lockDirectory: nil, clock: ContinuousClock())
        for (first, second) in [(store, other), (alone, alone)] {
            let lock = try await first.lock("alice", until: .now)
            #expect(await code { _ = try await second.lock("alice", until: .now) } == .temporarilyUnavailable)
            lock.release()
            try await second.lock("alice", until: .now).release()
        }
    }

    @Test(
        "key chain codes: locked and cancelled are temporary, a missing entitlement and a failed write are not",
        arguments: [
            (-25_308, true, .temporarilyUnavailable), (-25_308, false, .temporarilyUnavailable),
            (-25_293, false, .temporarilyUnavailable), (-128, false, .temporarilyUnavailable),
            (-34_018, true, .notWritable), (-67_808, true, .notWritable), (-67_808, false, .temporarilyUnavailable),
        ] as [(Int32, Bool, CredentialStoreError.Code)])
    func statusCodes(status: Int32, isWriting: Bool, code: CredentialStoreError.Code) {
        #expect(KeychainStatus.error(status, isWriting: isWriting).code == code)
    }
}
