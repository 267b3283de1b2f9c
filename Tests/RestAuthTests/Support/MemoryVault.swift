// SPDX-License-Identifier: Apache-2.0

import Synchronization

@testable import RestAuth

/// A vault in memory that can be locked.
final class MemoryVault: SecretVault {
    static let locked = CredentialStoreError(.temporarilyUnavailable, "locked")

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

    func read(_ name: String) async throws(CredentialStoreError) -> [UInt8]? { try unlocked { $0[name] } }
    func write(_ bytes: [UInt8], _ name: String) async throws(CredentialStoreError) {
        try unlocked { $0[name] = bytes }
    }
    func delete(_ name: String) async throws(CredentialStoreError) { try unlocked { $0[name] = nil } }
    func names() async throws(CredentialStoreError) -> [String] { try unlocked { Array($0.keys) } }

    private func unlocked<Value: Sendable>(
        _ body: (inout sending [String: [UInt8]]) -> sending Value
    ) throws(CredentialStoreError) -> Value {
        guard !isLocked else { throw Self.locked }
        return state.withLock { state in
            var items = state.items
            defer { state.items = items }
            return body(&items)
        }
    }
}
