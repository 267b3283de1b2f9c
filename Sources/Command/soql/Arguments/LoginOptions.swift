// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

extension Verb {
    static let login = Verb(
        "login", "logs in and keeps the login",
        [
            .device, .jwtKey, .clientCredentials, .username, .loginName, .loginURL, .issuer, .clientAuth, .clientID,
            .clientSecretFile, .clientSecret, .noBrowser, .callbackURL, .loginPort, .scopes, .loginTimeout,
        ]
    ) { try LoginCommand(options: LoginOptions($0)) }
}

extension Option {
    static let device = Option("--device", "use a browser on another device; the default is the one on this machine")
    static let jwtKey = Option("--jwt-key", .input, "use a private key, as the user --username NAME")
    static let clientCredentials = Option("--client-credentials", "use the client's own id and secret")
    static let username = Option("--username", .text("NAME"), "the user of --jwt-key")
    static let loginName = Option("--account", .text("NAME"), "the name of the login; by default its user's name")
    static let loginURL = Option(
        "--login-url", .text("URL"), "where to log in; the default is SF_LOGIN_URL, else https://login.salesforce.com")
    static let issuer = Option(
        "--issuer", .text("URL"), "another OAuth server, by its issuer URL; its metadata name the login page")
    static let clientAuth = Option(
        "--client-auth", .choice("WAY", ["post", "basic"]),
        "how to send the client's secret: post (in the form) or basic; by default as the server asks")
    static let clientID = Option("--client-id", .text("ID"), "the registered client; the default is SF_CLIENT_ID")
    static let clientSecretFile = Option(
        "--client-secret-file", .input, "the client's secret; the default is SF_CLIENT_SECRET, else you are asked")
    static let clientSecret = Option("--client-secret", .text("SECRET"), "the same, seen by other users; better not")
    static let noBrowser = Option("--no-browser", "print the page's address instead of opening it")
    static let callbackURL = Option(
        "--callback-url", .text("URL"),
        """
        the URL that the browser returns to, as registered for the client, such as \
        http://localhost:1717/OauthRedirect; without a port, any free one is used
        """)
    static let loginPort = Option(
        "--port", .number(0...65_535), "the port that the browser returns to; by default, and with 0, any free one")
    static let scopes = Option(
        "--scopes", .text("\"A B\""), "what the login may do; \"api refresh_token\" if a user consents")
    static let loginTimeout = Option("--timeout", .number(1...86_400), "how many seconds the user has; 300 by default")
}

/// The options of `soql login`.
struct LoginOptions {
    /// How to log in.
    enum Method: Equatable {
        /// The user's browser, on this machine.
        case browser
        /// The user's browser, on any device.
        case device
        /// An assertion signed with a private key.
        case jwt(keyFile: String)
        /// The client's own id and secret.
        case clientCredentials
    }

    /// Where the client's secret comes from; `nil` for the environment, or a prompt if a secret is required.
    enum SecretSource: Equatable {
        case file(String)
        case commandLine(String)
    }

    var method = Method.browser
    var account: String?
    var loginURL: String?
    /// An authorization server that publishes its endpoints; `nil` for one with the platform's paths.
    var issuer: String?
    /// How the client sends its secret; `nil` to do as the server asks.
    var clientAuthentication: OAuthClient.Authentication?
    var clientID: String?
    var username: String?
    var secret: SecretSource?
    /// `nil`: the usual ones if a user consents, else those that the client is registered for.
    var scopes: [String]?
    /// Where the browser comes back to.
    var callback = LoopbackPresenter.Options()
    var opensBrowser = true
    var timeoutSeconds = 300

    init(_ arguments: Arguments) throws(UsageError) {
        try arguments.checkNumberOfWords(atMost: 0)
        method = try Self.method(arguments)
        account = arguments[.loginName]
        (loginURL, issuer) = (arguments[.loginURL], arguments[.issuer])
        clientAuthentication = arguments[.clientAuth].map { $0 == "basic" ? .basic : .post }
        (clientID, username) = (arguments[.clientID], arguments[.username])
        secret = arguments[.clientSecretFile].map { .file($0) } ?? arguments[.clientSecret].map { .commandLine($0) }
        scopes = arguments[.scopes]?.split(byte: " ").map(String.init)
        if let url = arguments[.callbackURL] { callback = try Self.callback(url) }
        if let port = arguments.number(.loginPort), port > 0 { callback.ports = [UInt16(port)] }
        opensBrowser = !arguments.has(.noBrowser)
        timeoutSeconds = arguments.number(.loginTimeout) ?? 300
        if issuer != nil, loginURL != nil { throw UsageError("give --login-url or --issuer, not both") }
    }

    private static func method(_ arguments: Arguments) throws(UsageError) -> Method {
        var chosen: [Method] = arguments[.jwtKey].map { [.jwt(keyFile: $0)] } ?? []
        if arguments.has(.device) { chosen.append(.device) }
        if arguments.has(.clientCredentials) { chosen.append(.clientCredentials) }
        guard chosen.count <= 1 else {
            throw UsageError("choose one of --device, --jwt-key and --client-credentials")
        }
        return chosen.first ?? .browser
    }

    private static func callback(_ url: String) throws(UsageError) -> LoopbackPresenter.Options {
        do {
            return try LoopbackPresenter.Options(redirectURI: url)
        } catch {
            throw UsageError("--callback-url is not valid: \(error.message)")
        }
    }
}
