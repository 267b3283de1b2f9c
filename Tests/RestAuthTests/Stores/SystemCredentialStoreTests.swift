// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestTransport
import Simulation
import Testing

@testable import RestAuth

@Suite("Stores that use a system's vault")
struct SystemCredentialStoreTests {
    private let vault = MemoryVault()
    private let store: SystemCredentialStore
    private let folder: TemporaryStore

    init() throws {
        folder = try TemporaryStore()
        store = SystemCredentialStore(vault: vault, lockDirectory: folder.path, clock: ContinuousClock())
    }

    private func code(_ body: () async throws -> Void) async -> Credential.StoreError.Code? {
        await #expect(throws: Credential.StoreError.self) { try await body() }?.code
    }

    @Test("saving compares versions, also between two stores with one vault")
    func compareAndSwap() async throws {
        let other = SystemCredentialStore(vault: vault, lockDirectory: folder.path, clock: ContinuousClock())
        let version = try await store.save(.numbered(1), for: "alice", replacing: nil)
        #expect(await code { _ = try await other.save(.numbered(2), for: "alice", replacing: nil) } == .conflict)
        let next = try await other.save(.numbered(2), for: "alice", replacing: version, renewal: .started)
        #expect(next == version + 1)
        #expect(try await store.load("alice")?.renewal == .started)
        #expect(await code { _ = try await store.save(.numbered(3), for: "alice", replacing: version) } == .conflict)
    }

    @Test("exactly one of several concurrent writers saves each version")
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

    @Test("a locked vault does not look empty")
    func locked() async throws {
        _ = try await store.save(.numbered(1), for: "alice", replacing: nil)
        vault.isLocked = true
        #expect(await code { _ = try await store.load("alice") } == .temporarilyUnavailable)
        #expect(await code { _ = try await store.accounts() } == .temporarilyUnavailable)
        #expect(await code { try await store.remove("alice") } == .temporarilyUnavailable)
        vault.isLocked = false
        #expect(try await store.load("alice")?.credential == .numbered(1))
    }

    @Test("a damaged item is an error until a new login replaces it, and an item of a newer version is not changed")
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

    @Test("the renewal lock applies to all stores with one directory, or to one value without a directory")
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
        "Keychain: a locked or cancelled access is transient, a missing entitlement and a failed write are not",
        arguments: [
            (-25_308, true, .temporarilyUnavailable), (-25_308, false, .temporarilyUnavailable),
            (-25_293, false, .temporarilyUnavailable), (-128, false, .temporarilyUnavailable),
            (-34_018, true, .notWritable), (-67_808, true, .notWritable), (-67_808, false, .temporarilyUnavailable),
        ] as [(Int32, Bool, Credential.StoreError.Code)])
    func statusCodes(status: Int32, isWriting: Bool, code: Credential.StoreError.Code) {
        #expect(KeychainStatus.error(status, isWriting: isWriting).code == code)
    }
}

/// Tests what every store that lists its accounts guarantees.
@Suite("Listing accounts and storing notes")
struct AccountStoreTests {
    private let folder: TemporaryStore
    private let keys = ["alice", "Bob Ünal", "-x", "../up", "a%2fb", "", String(repeating: "ü", count: 100)]

    init() throws { folder = try TemporaryStore() }

    enum Kind: CaseIterable { case memory, file, vault }

    private func store(_ kind: Kind) -> any CredentialStore {
        switch kind {
        case .memory: InMemoryCredentialStore()
        case .file: FileCredentialStore(directory: folder.path)
        case .vault:
            SystemCredentialStore(vault: MemoryVault(), lockDirectory: folder.path, clock: ContinuousClock())
        }
    }

    @Test("every key is listed unchanged until it is removed", arguments: Kind.allCases)
    func listing(kind: Kind) async throws {
        let store = store(kind)
        #expect(try await store.accounts().isEmpty)
        for key in keys { _ = try await store.save(.user(1), for: key, replacing: nil) }
        try await store.setNote("current", "alice")
        #expect(try await store.accounts() == keys.sorted())
        for key in keys { try await store.remove(key) }
        #expect(try await store.accounts().isEmpty)
    }

    @Test("notes are stored, replaced and removed independently", arguments: Kind.allCases)
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

    @Test("a login's details are stored completely", arguments: Kind.allCases)
    func details(kind: Kind) async throws {
        let store = store(kind)
        _ = try await store.save(.user(3), for: "a", replacing: nil)
        #expect(try await store.load("a")?.credential == .user(3))
    }

    @Test("an account with only a previous record is listed, and damaged notes count as missing")
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

#if os(Linux) || os(macOS)
/// The benchmarks `auth.crossed` and `auth.lost` are the long form of these tests.
@Suite("Processes that use a key while its user changes")
struct RelinkingTests {
    @Test("no call has another user's token, and no login is lost")
    func relinking() async throws {
        let folder = try TemporaryStore()
        var configuration = LocalOrgConfiguration(accessTokenLifetime: .milliseconds(60), refreshRotation: .strict)
        configuration.journalCapacity = 200_000
        let orgs = [try await LocalOrg.start(configuration), try await LocalOrg.start(configuration)]
        let users = orgs.map {
            KeyRelinking.Org(
                instance: $0.instanceURL, clientID: $0.clientID, clientSecret: $0.clientSecret, username: $0.username,
                password: $0.password)
        }
        let path = folder.path(of: "store")
        async let first: Void = use(users, path)
        async let second: Void = use(users, path)
        await #expect(processExitsWith: .success) { [users = users as [KeyRelinking.Org], path = path as String] in
            try await KeyRelinking(orgs: users, folder: path).link(rounds: 30)
        }
        _ = await (first, second)
        #expect(try await KeyRelinking(orgs: users, folder: path).lost == 0)
        for org in orgs {
            let meant = org.journal.entries.compactMap { $0.field(KeyRelinking.label) }
            #expect(!meant.isEmpty && meant.allSatisfy { $0 == org.instanceURL })
            #expect(org.journal.entries.contains { $0.pathHasSuffix("/token") && $0.status == 200 })
        }
        #expect(secrets(orgs[0]).isDisjoint(with: secrets(orgs[1])))
        for org in orgs { await org.stop() }
    }

    private func use(_ users: [KeyRelinking.Org], _ path: String) async {
        await #expect(processExitsWith: .success) { [users = users as [KeyRelinking.Org], path = path as String] in
            try await KeyRelinking(orgs: users, folder: path).use()
        }
    }

    private func secrets(_ org: LocalOrg) -> Set<String> {
        Set(
            org.journal.entries.flatMap { entry in
                let form = entry.pathHasSuffix("/token") ? String(decoding: entry.body, as: UTF8.self) : ""
                let refresh = form.split(separator: "&").filter { $0.hasPrefix("refresh_token=") }.map { String($0) }
                return refresh + [entry.field("Authorization")].compactMap(\.self)
            })
    }
}
#endif

/// Reads records with valid envelopes and made-up content.
@Suite("Fields of a record")
struct CredentialRecordTests {
    private static let fields = [
        "version", "account", "generation", "accessToken", "refreshToken", "instance", "identityURL", "userID",
        "userClaim",
        "issuedAtMilliseconds", "lifetimeSeconds", "scopes", "login", "mark", "renewal", "unknown",
    ]
    private static let values = [
        "0", "-0", "-1", "1", "1.5", "1e400", "-1e400", "1e-400", "9007199254740993", "9223372036854775807",
        "-9223372036854775808", "9223372036854775808", "18446744073709551615",
        "170141183460469231731687303715884105728",
        #""""#, #""text""#, #""\u0000\n""#, #""http://example.com""#, #""https://example.com:99999""#, "null", "true",
        "[]", "[[[[]]]]", "{}", #"{"server":1,"clientID":[]}"#, #"{"server":"","clientID":""}"#, #"{"notes":{"a":1}}"#,
    ]

    /// Returns a valid record in which one field was changed or removed.
    private func record(_ field: String, _ value: String?) throws -> [UInt8] {
        var credential = Credential.user(1)
        credential.lifetime = .seconds(60)
        let bytes = try CredentialRecord(credential, of: "alice", after: 6, renewal: .settled).sealed()
        let content = try #require(RecordEnvelope.open(bytes))
        var object = try #require(try JSONValue(parsing: content).object)
        object[field] = try value.map { try JSONValue(parsing: Array($0.utf8)) }
        return try #require(RecordEnvelope.seal(JSONValue(object).bytes()))
    }

    /// Runs everything that is calculated from a login.
    private func use(_ stored: Credential.Stored) throws {
        let now = ContinuousClock.now
        var state = TokenState(credential: stored.credential, at: now)
        _ = state.ask(waiter: 1, rejecting: nil, at: now)
        _ = state.ask(waiter: 2, rejecting: 1, at: now)
        _ = state.finish(.failure(OAuthError(.unreachable, "")), of: 1, at: now)
        var known = KnownLogin(server: nil)
        known.take(stored)
        #expect(known.find(stored, of: 0, previous: nil) == .newest(stored.credential))
        _ = AccountManager.Account(of: stored.credential)
        let next = Credential.Stored(
            credential: stored.credential, version: CredentialRecord.generation(after: stored.version))
        let again = try CredentialRecord(stored.credential, of: "alice", after: stored.version, renewal: .settled)
            .sealed()
        #expect(try Credential.Stored(record: again, account: "alice") == next)
    }

    @Test("with any value of a field, a record is a usable login or a typed error", arguments: fields)
    func oddValues(field: String) throws {
        for value in Self.values.map(Optional.some) + [nil] {
            let bytes = try record(field, value)
            let stored: Credential.Stored
            do {
                stored = try Credential.Stored(record: bytes, account: "alice")
            } catch {
                #expect(error.code == .corrupt || error.code == .newerVersion)
                continue
            }
            try use(stored)
        }
    }

    @Test(
        "a number out of range is ignored",
        arguments: ["-1", "10000000001", "9223372036854775807", "-9223372036854775808"])
    func numbers(value: String) throws {
        let lifetime = try Credential.Stored(record: record("lifetimeSeconds", value), account: "alice")
        #expect(lifetime.credential.lifetime == nil)
        let issued = try Credential.Stored(record: record("issuedAtMilliseconds", value), account: "alice")
        #expect(issued.credential.issuedAtMilliseconds == (value == "10000000001" ? 10_000_000_001 : nil))
    }

    @Test("a number that is not an integer means a damaged record", arguments: ["1.5", "1e400", "9223372036854775808"])
    func fractions(value: String) throws {
        expect(Credential.StoreError.self, .corrupt) {
            try Credential.Stored(record: record("lifetimeSeconds", value), account: "alice")
        }
    }

    @Test(
        "a record whose server has no TLS is damaged, and login details with such a server are ignored",
        arguments: ["http://example.com", "http://10.0.0.1:80", "", "x"])
    func plainText(server: String) throws {
        expect(Credential.StoreError.self, .corrupt) {
            try Credential.Stored(record: record("instance", #""\#(server)""#), account: "alice")
        }
        let login = #"{"server":"\#(server)","clientID":"id","clientSecret":"s"}"#
        #expect(try Credential.Stored(record: record("login", login), account: "alice").credential.login == nil)
    }

    @Test("a record that could not be read back is not written")
    func unreadable() {
        let plain = Credential(accessToken: "a", instance: Origin(scheme: .http, host: "example.com"))
        let large = Credential(
            accessToken: Secret(String(repeating: "a", count: 1 << 20)), instance: Credential.usualInstance)
        for credential in [plain, large] {
            expect(Credential.StoreError.self, .notWritable) {
                try CredentialRecord(credential, of: "alice", after: nil, renewal: .settled).sealed()
            }
        }
    }

    @Test("a record of another account, and bytes without an envelope, are damaged")
    func otherAccount() throws {
        let bytes = try record("unknown", nil)
        #expect(try Credential.Stored(record: bytes, account: "alice").version == 7)
        for (bytes, account) in [(bytes, "bob"), ([], "alice"), (bytes.dropLast(), "alice")] as [([UInt8], String)] {
            expect(Credential.StoreError.self, .corrupt) { try Credential.Stored(record: bytes, account: account) }
        }
    }
}
