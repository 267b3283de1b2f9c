// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTransport

/// Logs in and keeps the login.
struct LoginCommand: Command {
    private let options: LoginOptions
    private let details: Credential.Login
    private let key: JWTBearerGrant.PrivateKey?

    /// Reads what the login needs, while an interrupt still ends the process.
    ///
    /// - Throws: ``UsageError``, or `OAuthError` for a key that cannot be used.
    init(options: LoginOptions) throws {
        self.options = options
        Traces.leave()
        guard let clientID = options.clientID ?? Settings.value("SF_CLIENT_ID") else {
            throw UsageError("the client's id is missing; give --client-id or set SF_CLIENT_ID")
        }
        let server = try Self.server(options)
        let secret = try ClientSecret.find(options.secret, isNeeded: options.method == .clientCredentials)
        var details = Credential.Login(server: server, clientID: clientID, clientSecret: secret)
        switch options.method {
        case .jwt(let file):
            guard let username = options.username ?? Settings.value("SF_USERNAME") else {
                throw UsageError("the user is missing; give --username or set SF_USERNAME")
            }
            details.username = username
            details.notes = [StoredGrant.kind: StoredGrant.jwt, StoredGrant.keyFile: Settings.absolutePath(file)]
            key = try JWTBearerGrant.PrivateKey(contentsOfFile: file)
        case .clientCredentials:
            details.notes = [StoredGrant.kind: StoredGrant.clientCredentials]
            key = nil
        case .browser, .device: key = nil
        }
        if key != nil || options.method == .clientCredentials, let scopes = options.scopes {
            details.notes[StoredGrant.scopes] = scopes.joined(separator: " ")
        }
        self.details = details
    }

    func run() async throws {
        let server = try await authorizationServer()
        var details = details
        if server != AuthorizationServer(login: details.server) { details.endpoints = server }
        let client = OAuthClient(
            server: server, clientID: details.clientID, clientSecret: details.clientSecret,
            transport: PlatformTransport.shared)
        let accounts = try await Accounts.open()
        var credential = try await credential(from: client)
        credential.login = details
        if details.username == nil {
            // A login is good even if its user's name cannot be read.
            let user = try? await client.userInfo(of: credential, deadline: .now + .seconds(15))
            credential.login?.username = user?.username
        }
        let account = try await link(credential, in: accounts.manager)
        StandardOutput.note("Logged in at \(account.instance) as account '\(account.id)'.".singleLine)
    }

    /// Links the login under the name that was given, else under the user's, unless that is a user of another server.
    private func link(
        _ credential: Credential, in manager: AccountManager
    ) async throws(AccountManager.Error) -> LinkedAccount {
        do {
            let name = options.account ?? credential.login?.username
            return try await manager.add(credential, id: name, makesCurrent: true)
        } catch {
            guard error.code == .otherUser, options.account == nil else { throw error }
        }
        return try await manager.add(credential, makesCurrent: true)
    }

    /// The server that was named, and how the client sends its secret if that was chosen.
    private func authorizationServer() async throws(OAuthError) -> AuthorizationServer {
        var server = AuthorizationServer(login: details.server)
        if let issuer = options.issuer {
            server = try await .discovered(
                at: issuer, transport: PlatformTransport.shared, deadline: .now + .seconds(30))
        }
        guard let chosen = options.clientAuthentication else { return server }
        server.clientAuthentication = chosen
        (server.revocationAuthentication, server.introspectionAuthentication) = (nil, nil)
        return server
    }

    private func credential(from client: OAuthClient) async throws -> Credential {
        let deadline = ContinuousClock.now + .seconds(options.timeoutSeconds)
        let scopes = options.scopes ?? ["api", "refresh_token"]
        switch options.method {
        case .browser:
            return try await client.login(with: presenter, scopes: scopes, deadline: deadline)
        case .device:
            let login = try await client.beginDeviceLogin(scopes: scopes, deadline: deadline)
            try StandardOutput.write("Open \(login.verificationURI) and enter the code \(login.userCode)\n")
            return try await client.finishDeviceLogin(login)
        case .clientCredentials:
            return try await client.token(
                for: ClientCredentialsGrant(scopes: options.scopes ?? []), deadline: deadline)
        case .jwt:
            guard let key, let username = details.username else { throw UsageError("the login needs a key and a user") }
            let grant = JWTBearerGrant(
                clientID: details.clientID, username: username, key: key, server: client.server,
                scopes: options.scopes ?? [])
            return try await client.token(for: grant, deadline: deadline)
        }
    }

    /// Prints the address of the page, and opens it unless the user chose otherwise.
    private var presenter: LoopbackPresenter {
        LoopbackPresenter(options: options.callback) { [options] page in
            StandardOutput.note("Log in with a browser at this address, or press Control-C to cancel:")
            try? StandardOutput.write("\(page)\n")
            guard options.opensBrowser else { return }
            let failed: @Sendable (OAuthError) -> Void = { _ in
                StandardOutput.note(
                    "No browser opened. Open the address by hand, or cancel and use 'soql login --device', which needs no "
                        + "browser on this machine.")
            }
            do throws(OAuthError) { try LoopbackPresenter.openBrowser(page, onFailure: failed) } catch { failed(error) }
        }
    }

    private static func server(_ options: LoginOptions) throws(UsageError) -> Origin {
        if let issuer = options.issuer {
            guard let url = try? HTTPURL(parsing: issuer), url.origin.scheme == .https || url.origin.isLoopback else {
                throw UsageError("the issuer must be an https address")
            }
            return url.origin
        }
        let text = options.loginURL ?? Settings.value("SF_LOGIN_URL") ?? "https://login.salesforce.com"
        do {
            return try Origin(orgURL: text, argument: "the login URL")
        } catch {
            throw UsageError(error.message)
        }
    }
}
