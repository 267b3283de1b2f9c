// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import RestTesting
import Synchronization

// Every API of the SDK that takes an `async` function, called with a closure, a method and a stored function as a user
// writes them. None of them has the isolation that the SDK's own settings give to such types.

/// Stored functions of an app, with the isolation that its settings give them.
struct AppFunctions: Sendable {
    let secret: @Sendable (AccountManager.Account) async throws -> Secret?
    let ownSecret: @Sendable () async throws -> Secret?
    let subject: @Sendable () async throws -> Credential.TokenExchange.Token
    let chunks: @Sendable () async throws -> [UInt8]?
    let next: @Sendable () async throws(TransportError) -> [UInt8]?
    let decide: @Sendable (RestError, RestClient.FailedCall) async -> RestClient.FailedCall.Decision
    let convert: @Sendable (String, String) async throws(TokenMigration.Failure) -> Credential
    let check: @Sendable (any HTTPTransport) async throws -> Void

    func handOver(_ client: RestClient, _ store: some CredentialStore, _ server: Origin) async throws {
        _ = try await AccountManager.open(store: store, secrets: secret)
        _ = OAuthClient(
            server: AuthorizationServer(login: server), clientID: "…", clientSecret: nil, secretSource: ownSecret,
            transport: PlatformTransport.shared)
        _ = Credential.TokenExchange(subject: subject)
        _ = HTTPBody.Source.once(chunks: chunks)
        _ = HTTPBody.Source.restartable { chunks }
        _ = HTTPBody.Stream(next: next)
        _ = client.onError(of: RestError.self, decide)
        _ = TokenMigration.RecordSource(["a": "b"], convert: convert)
        _ = TransportConformance.Case("mine", body: check)
    }
}

/// Methods of an app, passed by name.
struct AppMethods {
    @Sendable func secret(of account: AccountManager.Account) async throws -> Secret? { Secret(account.id) }
    @Sendable func ownSecret() async throws -> Secret? { nil }
    @Sendable func subject() async throws -> Credential.TokenExchange.Token { .init("…", type: .idToken) }
    @Sendable func chunk() async throws -> [UInt8]? { nil }
    @Sendable func next() async throws(TransportError) -> [UInt8]? { nil }
    @Sendable func decide(_ error: RestError, _ call: RestClient.FailedCall) async -> RestClient.FailedCall.Decision {
        .propagate
    }
    @Sendable func convert(_ key: String, _ text: String) async throws(TokenMigration.Failure) -> Credential {
        throw TokenMigration.Failure(account: key, isTemporary: false, text)
    }
    @Sendable func check(_ transport: any HTTPTransport) async throws { await transport.shutdown() }

    func handOver(_ client: RestClient, _ store: some CredentialStore, _ server: Origin) async throws {
        _ = try await AccountManager.open(store: store, secrets: secret(of:))
        _ = OAuthClient(
            server: AuthorizationServer(login: server), clientID: "…", clientSecret: nil, secretSource: ownSecret,
            transport: PlatformTransport.shared)
        _ = Credential.TokenExchange(subject: subject)
        _ = HTTPBody.Source.once(chunks: chunk)
        _ = HTTPBody.Source.restartable { chunk }
        _ = HTTPBody.Stream(next: next)
        _ = client.onError(of: RestError.self, decide)
        _ = TokenMigration.RecordSource(["a": "b"], convert: convert)
        _ = TransportConformance.Case("mine", body: check)
    }
}

/// Closures of an app, passed directly.
struct AppClosures {
    let vault = Vault()

    func handOver(_ client: RestClient, _ store: some CredentialStore, _ server: Origin) async throws {
        let vault = vault
        _ = try await AccountManager.open(store: store, secrets: { try await vault.secret(of: $0.server) })
        _ = OAuthClient(
            server: AuthorizationServer(login: server), clientID: "…", clientSecret: nil,
            secretSource: { try await vault.secret(of: server) }, transport: PlatformTransport.shared)
        _ = Credential.TokenExchange { Credential.TokenExchange.Token(try await vault.secret(of: server), type: .jwt) }
        let left = Mutex([[UInt8(1)]])
        _ = HTTPBody.Source.once { left.withLock { $0.popLast() } }
        _ = HTTPBody.Stream(next: { nil })
        _ = client.onError(of: RestError.self) { error, call in
            await Task.yield()
            return error.code == .rateLimited ? .retry(after: .seconds(1)) : .propagate
        }
        _ = TokenMigration.RecordSource(["a": "b"]) { (key, text) throws(TokenMigration.Failure) in
            throw TokenMigration.Failure(account: key, isTemporary: false, text)
        }
        _ = TransportConformance.Case("mine") { await $0.shutdown() }
    }
}

/// Functions that an app stores under the SDK's type aliases.
struct AppSources {
    var secrets: AccountManager.SecretSource
    var own: OAuthClient.SecretSource
    var chunks: HTTPBody.Source.Chunks

    func handOver(_ store: some CredentialStore) async throws {
        _ = try await AccountManager.open(store: store, secrets: secrets)
        _ = HTTPBody.Source.once(chunks: chunks)
        _ = try await own()
    }
}
