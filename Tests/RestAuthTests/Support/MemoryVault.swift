// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

@testable import RestAuth

final class MemoryVault: SecretVault {
    static let locked = Credential.StoreError(.temporarilyUnavailable, "locked")

    private struct State {
        var items: [String: [UInt8]] = [:]
        var isLocked = false
    }

    private let state = Mutex(State())

    var isLocked: Bool {
        get { state.withLock { $0.isLocked } }
        set { state.withLock { $0.isLocked = newValue } }
    }

    func set(_ bytes: [UInt8], _ name: String) { state.withLock { $0.items[name] = bytes } }

    func read(_ name: String) async throws(Credential.StoreError) -> [UInt8]? { try unlocked { $0[name] } }
    func replace(
        _ name: String, with bytes: [UInt8], over _: ReplacedItem
    ) async throws(Credential.StoreError) -> Credential.StoreError? {
        try unlocked { $0[name] = bytes }
        return nil
    }
    func remove(_ name: String) async throws(Credential.StoreError) -> Credential.StoreError? {
        try unlocked { $0[name] = nil }
        return nil
    }
    func names() async throws(Credential.StoreError) -> [String] { try unlocked { Array($0.keys) } }

    private func unlocked<Value: Sendable>(
        _ body: (inout sending [String: [UInt8]]) -> sending Value
    ) throws(Credential.StoreError) -> Value {
        guard !isLocked else { throw Self.locked }
        return state.withLock { state in
            var items = state.items
            defer { state.items = items }
            return body(&items)
        }
    }
}

/// Holds every request until it is opened.
final class GatedTransport: HTTPTransport {
    private struct State {
        var isOpen = false
        var isReached = false
    }

    private let transport: any HTTPTransport
    private let state = Mutex(State())

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        state.withLock { $0.isReached = true }
        while !state.withLock({ $0.isOpen }) { await Task.yield() }
        return try await transport.send(request, deadline: deadline, progress: progress)
    }

    func shutdown() async {}

    func reached() async {
        while !state.withLock({ $0.isReached }) { await Task.yield() }
    }

    func open() { state.withLock { $0.isOpen = true } }
}

/// A store in memory with custom behavior for some calls.
protocol StoreDouble: CredentialStore {
    var store: InMemoryCredentialStore { get }
}

extension StoreDouble {
    func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try await store.load(account)
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        try await store.save(credential, for: account, replacing: version, renewal: renewal)
    }

    func remove(_ account: String) async throws(Credential.StoreError) { try await store.remove(account) }

    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock { try await store.lock(account, until: deadline) }

    func accounts() async throws(Credential.StoreError) -> [String] { try await store.accounts() }
    func note(_ name: String) async throws(Credential.StoreError) -> String? { try await store.note(name) }

    func setNote(_ name: String, _ value: String?) async throws(Credential.StoreError) {
        try await store.setNote(name, value)
    }
}

/// A store that changes records, but reports an error.
struct LateErrorStore: StoreDouble {
    static let error = Credential.StoreError(.temporarilyUnavailable, "the other program did not answer")

    let store = InMemoryCredentialStore()

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        _ = try await store.save(credential, for: account, replacing: version, renewal: renewal)
        throw Self.error
    }

    func remove(_ account: String) async throws(Credential.StoreError) {
        try await store.remove(account)
        throw Self.error
    }
}

/// A store whose locks have no effect, as on a file system without locks.
struct LocklessStore: StoreDouble {
    let store = InMemoryCredentialStore()

    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(Credential.StoreError) -> Credential.Lock { Credential.Lock {} }
}
