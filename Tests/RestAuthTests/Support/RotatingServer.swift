// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestJSON
import RestTesting
import RestTransport
import Synchronization

@testable import RestAuth

/// A token endpoint in memory that ends the login if a refresh token is used twice (RFC 9700 §4.14.2).
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

    var isRevoked: Bool { state.withLock { $0.isRevoked } }
    /// The number of the valid refresh token.
    var live: Int { state.withLock { $0.live } }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        let response = state.withLock { state -> HTTPResponse? in
            guard state.random.unit() < 0.85 else { return nil }
            return Self.respond(to: request, &state)
        }
        guard let response else { throw TransportError(.notConnected, "refused", mayHaveReachedServer: false) }
        return response
    }

    func shutdown() async {}

    private static func respond(to request: HTTPRequest, _ state: inout State) -> HTTPResponse {
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

/// A store that uses another program, and whose errors do not say whether a change took effect.
final class UnsureStore: StoreDouble {
    let store = InMemoryCredentialStore()
    private let random: Mutex<SeededGenerator>
    static let error = Credential.StoreError(.temporarilyUnavailable, "the other program does not answer")

    init(seed: UInt64) {
        random = Mutex(SeededGenerator(seed: seed))
    }

    private func fail(_ chance: Double) throws(Credential.StoreError) {
        if random.withLock({ $0.unit() }) < chance { throw Self.error }
    }

    func load(_ account: String) async throws(Credential.StoreError) -> Credential.Stored? {
        try fail(0.2)
        return try await store.load(account)
    }

    func save(
        _ credential: Credential, for account: String, replacing version: UInt64?, renewal: Credential.RenewalState
    ) async throws(Credential.StoreError) -> UInt64 {
        try fail(0.2)
        let version = try await store.save(credential, for: account, replacing: version, renewal: renewal)
        try fail(0.3)
        return version
    }
}

/// A token endpoint with its state in a file, so that several processes can use it, also after the end of a process.
struct FileTokenServer: HTTPTransport {
    /// The reaction to a refresh token that is used twice.
    enum Rotation: String, Sendable, Codable {
        /// All tokens of the login are revoked (RFC 9700 §4.14.2).
        case strict
        /// The token that was used last results in the same new token again.
        case grace
    }

    struct State: Sendable, Hashable, Codable {
        var live = 1
        var exchanges = 0
        var repeats = 0
        var isRevoked = false
    }

    let path: String
    let rotation: Rotation

    /// The state in the file, or the initial state before the first exchange.
    var state: State {
        get throws {
            guard FileManager.default.fileExists(atPath: path) else { return State() }
            let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
            return try JSONValue(parsing: bytes).decode(State.self, options: JSONDecodingOptions())
        }
    }

    func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard case .bytes(let body) = request.body, let response = try? exchange(String(decoding: body, as: UTF8.self))
        else { throw TransportError(.other, "the server's state cannot be used", mayHaveReachedServer: false) }
        return response
    }

    func shutdown() async {}

    private func exchange(_ form: String) throws -> HTTPResponse {
        let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {}
        var state = try state
        let sent = form.split(separator: "&").first { $0.hasPrefix("refresh_token=r") }?.dropFirst(15)
        guard let number = sent.flatMap({ Int($0) }), !state.isRevoked else { return Self.rejection }
        if number == state.live {
            state.live += 1
            state.exchanges += 1
        } else if rotation == .grace, number == state.live - 1 {
            state.repeats += 1
        } else {
            state.isRevoked = true
        }
        try Data(try state.json()).write(to: URL(fileURLWithPath: path), options: .atomic)
        return state.isRevoked ? Self.rejection : Self.respond(state.live)
    }

    private static let rejection = HTTPResponse(
        head: HTTPResponse.Head(status: 400),
        body: Array(#"{"error":"invalid_grant","error_description":"expired access/refresh token"}"#.utf8))

    private static func respond(_ number: Int) -> HTTPResponse {
        let text = #"{"access_token":"a\#(number)","refresh_token":"r\#(number)","token_type":"Bearer"}"#
        return HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(text.utf8))
    }
}

extension TokenManager.Renewal {
    /// Returns the renewal of `alice` with the directory's store and server.
    static func shared(_ folder: String, _ rotation: FileTokenServer.Rotation) -> TokenManager.Renewal {
        let server = FileTokenServer(path: folder + "/server", rotation: rotation)
        let client = OAuthClient(login: Credential.usualInstance, clientID: "id", clientSecret: nil, transport: server)
        return TokenManager.Renewal(
            client: client, store: FileCredentialStore(directory: folder + "/store"), account: "alice")
    }

    func next(_ folder: String) async throws -> Credential {
        let stored = try await FileCredentialStore(directory: folder + "/store").load("alice")
        return try await credential(replacing: stored?.credential, at: .now) { _ in }.get()
    }
}
