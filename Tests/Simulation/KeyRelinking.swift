// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import RestTransport

/// A key that changes between users of several orgs, and the processes that use it meanwhile.
///
/// One process unlinks and links users. The others send calls as the user who is linked to their knowledge, and each
/// call names its org. The orgs' journals show whether a token was sent with another user's call.
package struct KeyRelinking: Sendable {
    package struct Org: Sendable, Hashable, Codable {
        let instance: String
        let clientID: String
        let clientSecret: String
        let username: String
        let password: String

        package init(instance: String, clientID: String, clientSecret: String, username: String, password: String) {
            self.instance = instance
            self.clientID = clientID
            self.clientSecret = clientSecret
            self.username = username
            self.password = password
        }
    }

    /// The header with the org for which a call is intended.
    package static let label = "X-Meant-For"
    private static let key = "work"
    private static let lostNote = "lost"
    /// The maximum wait for the other process.
    private static let patience = Duration.seconds(1_800)

    private let orgs: [Org]
    private let store: FileCredentialStore

    /// Creates a key in the store in a directory.
    package init(orgs: [Org], folder: String) {
        self.orgs = orgs
        store = FileCredentialStore(directory: folder)
    }

    /// The number of rounds in which the stored login was not the last one or was invalid, if all rounds are finished.
    package var lost: Int? {
        get async throws { try await store.note(Self.lostNote).flatMap { Int($0) } }
    }

    /// Links a user, waits for the other processes, and unlinks, `rounds` times.
    package func link(rounds: Int) async throws {
        let accounts = try await AccountManager.open(store: store)
        var lost = 0
        for _ in 0..<rounds {
            let org = orgs[Int.random(in: orgs.indices)]
            try await accounts.add(org.login(), id: Self.key)
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
            if try await !isAlive(accounts, at: org) { lost += 1 }
            try await accounts.unlink(Self.key, isRevoking: Bool.random())
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...4)))
            if try await store.load(Self.key) != nil { lost += 1 }
        }
        try await store.setNote(Self.lostNote, "\(lost)")
    }

    /// Whether the store has a valid login of the org.
    private func isAlive(_ accounts: AccountManager, at org: Org) async throws -> Bool {
        guard try await store.load(Self.key)?.credential.instance.description == org.instance else { return false }
        do throws(RestError) {
            let client = try RestClient(account: Self.key, of: accounts)
            _ = try await client.send(.plainLimits.field(Self.label, org.instance))
        } catch {
            return ![.noAccount, .refreshFailed].contains(error.code)
                || (error.underlying as? OAuthError)?.code == .excessiveRefresh
        }
        return true
    }

    /// Sends calls as the linked user until the other process has finished.
    package func use() async throws {
        let accounts = try await AccountManager.open(store: store)
        let end = ContinuousClock.now + Self.patience
        try await withThrowingTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    while try await lost == nil, .now < end {
                        await call(accounts)
                        try? await accounts.reload()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Creates a client and uses it until its account is unlinked.
    private func call(_ accounts: AccountManager) async {
        guard let session = try? accounts.session(of: Self.key) else {
            return await Task.yield()
        }
        let client = RestClient(tokens: session.tokens, login: session.account.login?.server)
        let request = RestRequest.plainLimits.field(Self.label, session.account.instance.description)
        for _ in 0..<20 {
            do throws(RestError) {
                _ = try await client.send(request)
            } catch {
                if [.noAccount, .refreshFailed].contains(error.code) { return }
            }
        }
    }
}

extension KeyRelinking.Org {
    fileprivate func login() async throws -> Credential {
        let server = try HTTPURL(parsing: instance).origin
        let client = OAuthClient(
            login: server, clientID: clientID, clientSecret: Secret(clientSecret), transport: PlatformTransport.shared)
        let grant = LastingPassword(username: username, password: Secret(password))
        var credential = try await client.token(for: grant, deadline: .now + .seconds(60))
        credential.login = Credential.Login(server: server, clientID: clientID, clientSecret: Secret(clientSecret))
        return credential
    }

    /// A password grant that also requests a refresh token.
    private struct LastingPassword: OAuthGrant {
        let username: String
        let password: Secret

        var parameters: [(name: String, value: Secret)] {
            [
                ("grant_type", "password"), ("username", Secret(username)), ("password", password),
                ("scope", "api refresh_token"),
            ]
        }
    }
}
