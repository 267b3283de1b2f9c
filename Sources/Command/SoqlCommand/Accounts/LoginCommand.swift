// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import RestTransport

extension Verb {
    static let login = Verb(
        "login", "log in and store the login",
        [
            .device, .jwtKey, .clientCredentials, .username, .loginName, .loginURL, .issuer, .clientAuth, .clientID,
            .clientSecretFile, .bound, .noBrowser, .callbackURL, .loginPort, .scopes, .loginTimeout,
        ]
    ) { arguments in
        let login = try LoginRun(arguments)
        return Command { try await login.run() }
    }
}

extension Option {
    static let device = Option("--device", "log in with a browser on another device (default: on this machine)")
    static let jwtKey = Option("--jwt-key", .input, "log in with a private key as the user of --username")
    static let clientCredentials = Option("--client-credentials", "log in with only the client id and secret")
    static let username = Option(
        "--username", .text("NAME"), "log in as this user, for --jwt-key (default: SF_USERNAME)")
    static let loginName = Option("--account", .text("NAME"), "store the login with this name (default: the username)")
    static let loginURL = Option(
        "--login-url", .text("URL"), "log in at this URL (default: SF_LOGIN_URL, else https://login.salesforce.com)")
    static let issuer = Option(
        "--issuer", .text("URL"), "log in at another OAuth server, whose metadata is read from this issuer URL")
    static let clientAuth = Option(
        "--client-auth", .choice("METHOD", ["post", "basic"]),
        "send the client secret with post (in the form) or basic (default: as the server's metadata says)")
    static let clientID = Option("--client-id", .text("ID"), "use this registered client (default: SF_CLIENT_ID)")
    static let clientSecretFile = Option(
        "--client-secret-file", .input, "read the client secret from a file (default: SF_CLIENT_SECRET, else a prompt)")
    static let bound = Option(
        "--bound", "bind the tokens to a key of this login with DPoP, so that a stolen token cannot be used")
    static let noBrowser = Option("--no-browser", "print the URL of the login page instead of opening it")
    static let callbackURL = Option(
        "--callback-url", .text("URL"),
        """
        use this redirect URL, as registered for the client, such as http://localhost:1717/OauthRedirect; without a \
        port, any free port is used
        """)
    static let loginPort = Option(
        "--port", .number(0...65_535), "listen on this port for the browser's redirect (default: 0, any free port)")
    static let scopes = Option(
        "--scopes", .text("\"A B\""), "request these scopes (default with user consent: \"api refresh_token\")")
    static let loginTimeout = Option(
        "--timeout", .number(1...86_400), "limit the time of the login, in seconds (default: 300)")
}

/// Logs in and stores the login.
struct LoginRun: Sendable {
    private let arguments: Arguments
    private let details: Credential.Login
    /// Gets a credential from the server before a deadline.
    private let logIn: @Sendable (OAuthClient, ContinuousClock.Instant) async throws -> Credential

    /// Reads all input for the login, while an interrupt still terminates the process.
    init(_ arguments: Arguments) throws {
        try arguments.checkNumberOfWords(atMost: 0)
        self.arguments = arguments
        let ways = [Option.device, .jwtKey, .clientCredentials].filter(arguments.has)
        guard ways.count <= 1 else { throw UsageError("choose one of --device, --jwt-key and --client-credentials") }
        let callback = try Self.callback(arguments)
        if arguments.has(.issuer), arguments.has(.loginURL) {
            throw UsageError("--login-url and --issuer cannot be combined; give one of them")
        }
        Traces.leave()
        guard let clientID = arguments[.clientID] ?? Settings.value("SF_CLIENT_ID") else {
            throw UsageError("no client id; use --client-id or set SF_CLIENT_ID")
        }
        let server = try Self.server(arguments)
        let secret = try ClientSecret.find(
            arguments[.clientSecretFile], isNeeded: arguments.has(.clientCredentials))
        var details = Credential.Login(server: server, clientID: clientID, clientSecret: secret)
        // If a user consents, the usual scopes are requested, else those that the client is registered for.
        let chosen = arguments[.scopes]?.split(byte: " ").map(String.init)
        let (scopes, consented) = (chosen ?? [], chosen ?? ["api", "refresh_token"])
        if let file = arguments[.jwtKey] {
            guard let username = arguments[.username] ?? Settings.value("SF_USERNAME") else {
                throw UsageError("no user; use --username or set SF_USERNAME")
            }
            details.username = username
            details.notes = [StoredGrant.kind: StoredGrant.jwt, StoredGrant.keyFile: Settings.absolutePath(file)]
            let key = try JWTBearerGrant.PrivateKey(contentsOfFile: file)
            logIn = { client, deadline in
                let grant = JWTBearerGrant(
                    clientID: clientID, username: username, key: key, server: client.server, scopes: scopes)
                return try await client.token(for: grant, deadline: deadline)
            }
        } else if arguments.has(.clientCredentials) {
            details.notes = [StoredGrant.kind: StoredGrant.clientCredentials]
            logIn = { try await $0.token(for: ClientCredentialsGrant(scopes: scopes), deadline: $1) }
        } else if arguments.has(.device) {
            logIn = { client, deadline in
                let login = try await client.beginDeviceLogin(scopes: consented, deadline: deadline)
                try StandardOutput.write("Open \(login.verificationURI) and enter the code \(login.userCode)\n")
                return try await client.finishDeviceLogin(login)
            }
        } else {
            logIn = { client, deadline in
                let presenter = Self.presenter(callback, opens: !arguments.has(.noBrowser))
                return try await client.login(with: presenter, scopes: consented, deadline: deadline)
            }
        }
        if !details.notes.isEmpty, let chosen {
            details.notes[StoredGrant.scopes] = chosen.joined(separator: " ")
        }
        self.details = details
    }

    static func callback(_ arguments: Arguments) throws(UsageError) -> LoopbackPresenter.Options {
        var callback = LoopbackPresenter.Options()
        if let url = arguments[.callbackURL] {
            do { callback = try LoopbackPresenter.Options(redirectURI: url) } catch {
                throw UsageError("--callback-url is invalid: \(error.message)")
            }
        }
        if let port = arguments.number(.loginPort), port > 0 { callback.ports = [UInt16(port)] }
        return callback
    }

    func run() async throws {
        let server = try await authorizationServer()
        var details = details
        if server != AuthorizationServer(login: details.server) { details.endpoints = server }
        var client = OAuthClient(
            server: server, clientID: details.clientID, clientSecret: details.clientSecret,
            transport: Settings.transport)
        client.bindsTokens = arguments.has(.bound)
        let accounts = try await Accounts.open()
        let deadline = ContinuousClock.now + .seconds(arguments.number(.loginTimeout) ?? 300)
        var credential = try await logIn(client, deadline)
        credential.login = details
        if details.username == nil {
            // A login is valid even if its user's name cannot be read.
            let user = try? await client.userInfo(of: credential, deadline: .now + .seconds(15))
            credential.login?.username = user?.username
        }
        let account = try await link(credential, in: accounts.manager)
        StandardOutput.note("logged in to \(account.instance) as account '\(account.id)'".singleLine)
    }

    /// Adds the login with the given name, else with the user's name, unless a user of another server has that name.
    private func link(
        _ credential: Credential, in manager: AccountManager
    ) async throws(AccountManager.Error) -> AccountManager.Account {
        do {
            let name = arguments[.loginName] ?? credential.login?.username
            return try await manager.add(credential, id: name, makesCurrent: true)
        } catch {
            guard error.code == .otherUser, !arguments.has(.loginName) else { throw error }
        }
        return try await manager.add(credential, makesCurrent: true)
    }

    /// The chosen server, including the chosen method for sending the client secret.
    private func authorizationServer() async throws(OAuthError) -> AuthorizationServer {
        var server = AuthorizationServer(login: details.server)
        let issuer = arguments[.issuer]
        if issuer != nil || arguments.has(.bound) {
            let found = try await AuthorizationServer.discovered(
                at: issuer ?? server.origin.description, transport: Settings.transport, deadline: .now + .seconds(30))
            // Salesforce's paths are fixed, so only its offer of DPoP is read.
            if issuer == nil { server.dpopAlgorithms = found.dpopAlgorithms } else { server = found }
        }
        guard let way = arguments[.clientAuth] else { return server }
        server.clientAuthentication = way == "basic" ? .basic : .post
        (server.revocationAuthentication, server.introspectionAuthentication) = (nil, nil)
        return server
    }

    /// Prints the URL of the page, and opens it unless the user chose otherwise.
    private static func presenter(_ callback: LoopbackPresenter.Options, opens: Bool) -> LoopbackPresenter {
        LoopbackPresenter(options: callback) { page in
            StandardOutput.note("log in with a browser at this URL, or press Control-C to cancel:")
            try? StandardOutput.write("\(page)\n")
            guard opens else { return }
            let failed: @Sendable (OAuthError) -> Void = { _ in
                StandardOutput.note(
                    "soql: no browser could be opened; open the URL yourself, or cancel and use 'soql login --device' "
                        + "with a browser on another device")
            }
            do throws(OAuthError) { try LoopbackPresenter.openBrowser(page, onFailure: failed) } catch { failed(error) }
        }
    }

    private static func server(_ arguments: Arguments) throws(UsageError) -> Origin {
        if let issuer = arguments[.issuer] {
            guard let url = try? HTTPURL(parsing: issuer), url.origin.scheme == .https || url.origin.isLoopback else {
                throw UsageError("the issuer must be an https URL")
            }
            return url.origin
        }
        let text = arguments[.loginURL] ?? Settings.value("SF_LOGIN_URL") ?? "https://login.salesforce.com"
        do { return try Origin(orgURL: text, argument: "the login URL") } catch {
            throw UsageError(error.message)
        }
    }
}
