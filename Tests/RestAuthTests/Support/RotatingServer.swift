// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Synchronization

@testable import RestAuth

/// A token endpoint with strict rotation, in memory.
///
/// A refresh token that comes twice ends the login (RFC 9700 §4.14.2).
///
/// Its answers have members that say nothing, in all the ways that servers write them.
final class RotatingServer: HTTPTransport {
    private struct State {
        var random: SeededGenerator
        var live = 1
        var isRevoked = false
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    /// Whether a spent token came.
    var isRevoked: Bool { state.withLock { $0.isRevoked } }
    /// The number of the refresh token that is good.
    var live: Int { state.withLock { $0.live } }

    func send(
        _ request: HTTPRequest, deadline: ContinuousClock.Instant, progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let answer = state.withLock { state -> HTTPResponse? in
            guard state.random.unit() < 0.85 else { return nil }
            return Self.answer(to: request, &state)
        }
        guard let answer else { throw TransportError(.notConnected, "refused", mayHaveReachedServer: false) }
        return answer
    }

    func shutdown() async {}

    private static func answer(to request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        guard case .bytes(let body) = request.body else { return response(500, "") }
        let sent = String(decoding: body, as: UTF8.self).split(separator: "&")
            .first { $0.hasPrefix("refresh_token=r") }.flatMap { Int($0.dropFirst(15)) }
        guard sent == state.live, !state.isRevoked else {
            state.isRevoked = true
            return response(400, #"{"error":"invalid_grant"}"#)
        }
        state.live += 1
        var text = #"{"access_token":"a\#(state.live)","refresh_token":"r\#(state.live)""#
        for name in ["error", "error_description", "token_type", "scope", "expires_in", "instance_url", "id", "sub"] {
            let nothing = ["null", #""""#, nil].randomElement(using: &state.random) ?? nil
            if let nothing { text += #","\#(name)":\#(nothing)"# }
        }
        return response(200, text + "}")
    }

    private static func response(_ status: Int, _ body: String) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status), body: Array(body.utf8))
    }
}

/// A store that asks another program: what it reports of a change says nothing of whether the change took effect.
final class UnsureStore: CredentialStore {
    private let store = InMemoryCredentialStore()
    private let random: Mutex<SeededGenerator>
    static let error = CredentialStoreError(.temporarilyUnavailable, "the other program does not answer")

    init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed))
    }

    private func fail(_ chance: Double) throws(CredentialStoreError) {
        if random.withLock({ $0.unit() }) < chance { throw Self.error }
    }

    func load(_ account: String) async throws(CredentialStoreError) -> Credential.Stored? {
        try fail(0.2)
        return try await store.load(account)
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(CredentialStoreError) -> UInt64 {
        try fail(0.2)
        let version = try await store.save(credential, for: account, replacing: version, renewal: renewal)
        try fail(0.3)
        return version
    }

    func remove(_ account: String) async throws(CredentialStoreError) { try await store.remove(account) }

    func lock(
        _ account: String, until deadline: ContinuousClock.Instant
    ) async throws(CredentialStoreError) -> Credential.Lock { try await store.lock(account, until: deadline) }

    func accounts() async throws(CredentialStoreError) -> [String] { try await store.accounts() }
    func note(_ name: String) async throws(CredentialStoreError) -> String? { try await store.note(name) }
    func setNote(_ name: String, _ value: String?) async throws(CredentialStoreError) {
        try await store.setNote(name, value)
    }
}
