// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Testing

@testable import RestAuth

#if os(Linux)
/// Uses a real gnome-keyring on a separate session bus, with the installed `secret-tool`.
@Suite("Secret Service", .serialized)
struct SecretServiceTests {
    private let folder: TemporaryStore

    init() throws { folder = try TemporaryStore() }

    private func store(_ session: KeyringSession, timeout: Duration = .seconds(60)) -> SystemCredentialStore {
        let vault = SecretToolVault(
            service: "restsdk-tests", tool: "/usr/bin/secret-tool",
            environment: session.environment, timeout: timeout, clock: ContinuousClock()
        )
        return SystemCredentialStore(vault: vault, lockDirectory: folder.path(of: "locks"), clock: ContinuousClock())
    }

    @Test("a login is saved, found by another store, replaced, listed and removed")
    func life() async throws {
        let session = try KeyringSession(home: folder.path, password: "pw")
        let store = store(session)
        #expect(try await store.load("alice") == nil)
        #expect(try await store.accounts().isEmpty)
        var large = Credential.user(1)
        large.accessToken = Secret(String(repeating: "ü\"\\", count: 1_000))
        var tooLarge = large
        tooLarge.refreshToken = Secret(String(repeating: "x", count: 8_000))
        let version = try await store.save(large, for: "alice", replacing: nil)
        #expect(try await self.store(session).load("alice")?.credential == large)
        for (credential, replaced, code) in [
            (Credential.user(2), nil, Credential.StoreError.Code.conflict), (tooLarge, version, .notWritable),
        ] {
            await expect(Credential.StoreError.self, code) {
                try await store.save(credential, for: "alice", replacing: replaced)
            }
        }
        #expect(try await store.load("alice")?.credential == large)
        _ = try await store.save(.user(2), for: "alice", replacing: version)
        _ = try await store.save(.user(3), for: "Bob --x", replacing: nil)
        try await store.setNote("current", "alice")
        #expect(try await store.load("alice")?.credential == .user(2))
        #expect(try await store.accounts() == ["Bob --x", "alice"])
        #expect(try await store.note("current") == "alice")
        try await store.remove("alice")
        try await store.remove("alice")
        #expect(try await store.accounts() == ["Bob --x"])
    }

    @Test("a locked keyring does not look empty, and has all logins when it is unlocked")
    func locked() async throws {
        let open = try KeyringSession(home: folder.path, password: "pw")
        _ = try await store(open).save(.user(1), for: "alice", replacing: nil)
        withExtendedLifetime(open) {}
        let closed = try KeyringSession(home: folder.path, password: nil)
        // Some versions report an error immediately, others wait for a password that is never entered.
        let store = store(closed, timeout: .milliseconds(800))
        for body in [
            { _ = try await store.load("alice") }, { _ = try await store.accounts() },
            { try await store.remove("alice") },
            { _ = try await store.save(.user(2), for: "bob", replacing: nil) },
        ] as [() async throws -> Void] {
            await expect(Credential.StoreError.self, .temporarilyUnavailable) { try await body() }
        }
        withExtendedLifetime(closed) {}
        let again = try KeyringSession(home: folder.path, password: "pw")
        #expect(try await self.store(again).load("alice")?.credential == .user(1))
        withExtendedLifetime(again) {}
    }
}

/// Tests that need no keyring, only a misbehaving tool.
@Suite("A Secret Service that does not respond", .serialized)
struct SecretServiceFailureTests {
    private let folder: TemporaryStore

    init() throws { folder = try TemporaryStore() }

    private func store(
        script: String, timeout: Duration = .seconds(60), clock: any MonotonicClock = ContinuousClock()
    ) throws -> SystemCredentialStore {
        try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), "tool")
        try folder.setMode(0o700, "tool")
        return .secretService(
            service: "restsdk-tests", lockDirectory: folder.path(of: "locks"), tool: folder.path(of: "tool"),
            timeout: timeout, clock: clock)
    }

    private func failure(_ store: SystemCredentialStore) async -> Credential.StoreError? {
        await #expect(throws: Credential.StoreError.self) { try await store.load("alice") }
    }

    @Test("a request to a bus that does not respond ends at the timeout, and leaves no process")
    func silence() async throws {
        // The clock does not advance until the tool runs, so that a busy machine makes no difference.
        let clock = ImpatientClock { [path = folder.path(of: "ready")] in
            FileManager.default.fileExists(atPath: path)
        }
        let script = "cd '\(folder.path)'; echo $$ >pid; : >ready; exec sleep 600"
        let store = try store(script: script, timeout: .milliseconds(300), clock: clock)
        let start = clock.now
        let error = await failure(store)
        #expect(error?.code == .temporarilyUnavailable)
        #expect((.milliseconds(300)...(.milliseconds(400))).contains(clock.now - start))
        let text = try String(contentsOfFile: folder.path(of: "pid"), encoding: .utf8)
        let process = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kill(process, 0) != 0)
    }

    @Test("the default timeout is three seconds")
    func defaultLimit() async throws {
        let clock = ImpatientClock()
        try folder.write(Array("#!/bin/sh\nexec sleep 60\n".utf8), "tool")
        try folder.setMode(0o700, "tool")
        let store = SystemCredentialStore.secretService(
            service: "x", lockDirectory: folder.path(of: "locks"), tool: folder.path(of: "tool"), clock: clock)
        let start = clock.now
        #expect(await failure(store)?.code == .temporarilyUnavailable)
        #expect((.seconds(3)...(.milliseconds(3_100))).contains(clock.now - start))
    }

    @Test(
        "an invalid response means that the store is unavailable, never that it is empty",
        arguments: [
            "echo 'Cannot autolaunch D-Bus' >&2; exit 1", "exit 2", "kill -9 $$", "echo half; exit 1", "exit 127",
        ])
    func rejections(script: String) async throws {
        #expect(await failure(try store(script: script))?.code == .temporarilyUnavailable)
    }

    @Test("an item that the tool finds but cannot open is locked, and an item that it does not find is missing")
    func lockedItem() async throws {
        let found = #"[ "$1" = search ] && echo '[/1]' && exit 0; exit 1"#
        #expect(await failure(try store(script: found))?.code == .temporarilyUnavailable)
        #expect(try await store(script: #"[ "$1" = search ]"#).load("alice") == nil)
    }

    @Test("the error for a missing tool says what to install")
    func missing() async throws {
        let store = SystemCredentialStore.secretService(
            service: "x", lockDirectory: folder.path(of: "locks"), tool: folder.path(of: "nothing"))
        #expect(await failure(store)?.message.contains("libsecret-tools") == true)
    }

    @Test("A59: the token is passed to the tool on standard input, not as an argument or in the environment")
    func secretOnStandardInput() async throws {
        let canary = "00Dcanary!AQ"
        let store = try store(
            script: """
                if [ "$1" = store ]; then echo "$@" >'\(folder.path)/seen'; env >>'\(folder.path)/seen'
                cat >'\(folder.path)/input'; exit 0; fi
                [ "$1" = search ]
                """)
        unsafe setenv("RESTSDK_TEST_CANARY", canary, 1)
        defer { unsafe unsetenv("RESTSDK_TEST_CANARY") }
        var credential = Credential.user(1)
        credential.accessToken = Secret(canary)
        _ = try await store.save(credential, for: "alice", replacing: nil)
        let seen = String(decoding: try folder.bytes("seen"), as: UTF8.self)
        #expect(seen.contains("account a-alice") && !seen.contains("canary"))
        #expect(String(decoding: try folder.bytes("input"), as: UTF8.self).contains(canary))
    }

    @Test("a tool that reads nothing causes no signal, and a tool that prints endlessly is stopped")
    func oddTools() async throws {
        let store = try store(script: #"[ "$1" = search ] && exit 0; [ "$1" = store ] && exit 0; exit 1"#)
        var large = Credential.user(1)
        large.accessToken = Secret(String(repeating: "x", count: 7_000))
        _ = try await store.save(large, for: "alice", replacing: nil)
        let endless = try self.store(script: "exec yes")
        #expect(await failure(endless)?.message.contains("too much") == true)
    }

    @Test(
        "the limits also apply after the tool's end to a program that holds or fills its streams",
        .timeLimit(.minutes(2)))
    func leftBehind() async throws {
        // The tool exits after its child process has written a lot. The child continues.
        let script = "cd '\(folder.path)'; mkfifo p; (yes | (head -c 200000; : >p; exec cat)) & read x <p; exit 1"
        #expect(await failure(try store(script: script))?.code == .temporarilyUnavailable)
        let holding = try store(script: #"(exec sleep 5) & [ "$1" = search ]"#)
        #expect(try await holding.load("alice") == nil)
    }
}

/// A manual clock whose sleeps let other tasks run.
private final class ImpatientClock: MonotonicClock {
    private let clock = ManualClock()
    private let isRunning: @Sendable () -> Bool

    /// Creates a clock that does not advance until `isRunning` returns `true`.
    init(isRunning: @escaping @Sendable () -> Bool = { true }) {
        self.isRunning = isRunning
    }

    var now: ContinuousClock.Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        guard isRunning() else { return try await Task.sleep(for: .milliseconds(1)) }
        try await clock.sleep(until: deadline, tolerance: tolerance)
        await Task.yield()
    }
}
#endif
