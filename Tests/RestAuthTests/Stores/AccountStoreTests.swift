// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestAuth

/// What every store that lists its accounts promises.
@Suite("Stores list their accounts and keep notes")
struct AccountStoreTests {
    private let folder: StoreFolder
    private let keys = ["alice", "Bob Ünal", "-x", "../up", "a%2fb", "", String(repeating: "ü", count: 100)]

    init() throws { folder = try StoreFolder() }

    enum Kind: CaseIterable { case memory, file, vault }

    private func store(_ kind: Kind) -> any CredentialStore {
        switch kind {
        case .memory: InMemoryCredentialStore()
        case .file: FileCredentialStore(directory: folder.path)
        case .vault:
            SystemCredentialStore(vault: MemoryVault(), lockDirectory: folder.path, clock: ContinuousClock())
        }
    }

    @Test("any key is listed as it was given, until it is removed", arguments: Kind.allCases)
    func listing(kind: Kind) async throws {
        let store = store(kind)
        #expect(try await store.accounts().isEmpty)
        for key in keys { _ = try await store.save(.user(1), for: key, replacing: nil) }
        try await store.setNote("current", "alice")
        #expect(try await store.accounts() == keys.sorted())
        for key in keys { try await store.remove(key) }
        #expect(try await store.accounts().isEmpty)
    }

    @Test("notes are kept, replaced and forgotten, one beside another", arguments: Kind.allCases)
    func notes(kind: Kind) async throws {
        let store = store(kind)
        #expect(try await store.note("current") == nil)
        try await store.setNote("current", "a\"b\n")
        try await store.setNote("other", "x")
        #expect(try await store.note("current") == "a\"b\n")
        try await store.setNote("current", nil)
        #expect(try await store.note("current") == nil)
        #expect(try await store.note("other") == "x")
    }

    @Test("a login's details are stored whole", arguments: Kind.allCases)
    func details(kind: Kind) async throws {
        let store = store(kind)
        _ = try await store.save(.user(3), for: "a", replacing: nil)
        #expect(try await store.load("a")?.credential == .user(3))
    }

    @Test("a record of which only the one before is left is listed; damaged notes are none")
    func damage() async throws {
        let store = FileCredentialStore(directory: folder.path)
        let version = try await store.save(.user(1), for: "alice", replacing: nil)
        _ = try await store.save(.user(1), for: "alice", replacing: version)
        try folder.remove(AccountFiles(account: "alice").record)
        #expect(try await store.accounts() == ["alice"])
        try await store.setNote("current", "alice")
        try folder.write([1], AccountFiles.notes.record)
        #expect(try await store.note("current") == nil)
        try await store.setNote("current", "bob")
        #expect(try await store.note("current") == "bob")
    }
}
