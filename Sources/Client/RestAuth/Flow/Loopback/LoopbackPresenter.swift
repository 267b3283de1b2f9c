// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
public import RestTransport
import Synchronization

/// Logs users of command lines and desktops in with their own browser (RFC 8252).
public struct LoopbackPresenter: LoginPresenter {
    /// The host, ports and path of the redirect URI.
    public let options: LoopbackPresenter.Options
    private let open: @Sendable (HTTPURL) throws(OAuthError) -> Void

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - options: the host, ports and path of the redirect URI.
    ///   - open: opens the page, or shows its URL, and returns at once. If it throws, the login fails with its error.
    public init(
        options: Options = Options(),
        open: @escaping @Sendable (HTTPURL) throws(OAuthError) -> Void
    ) {
        self.options = options
        self.open = open
    }

    /// Opens the port, then the page, waits for the redirect, and closes the port.
    public func present(
        until deadline: ContinuousClock.Instant, begin: BeginLogin
    ) async throws(OAuthError) -> PendingLogin.Redirect {
        let listener = try LoopbackPresenter.Listener(options)
        defer { listener.close() }
        let login = try begin(listener.redirectURI)
        // A redirect that arrives before the next line waits in the port's queue.
        try open(login.url)
        return PendingLogin.Redirect(of: login, url: try await listener.redirect(of: login, until: deadline))
    }
}

extension LoopbackPresenter {
    /// The redirect URI at which a program waits for the browser (RFC 8252 §7.3).
    public struct Options: Sendable, Hashable {
        /// The name of the local machine in the redirect URI.
        public enum Host: Sendable, Hashable, CaseIterable {
            /// `127.0.0.1`, which RFC 8252 §8.3 recommends.
            case ipv4
            /// `[::1]`, for clients that are registered with it.
            case ipv6
            /// `localhost`, on both addresses, only for clients that are registered with it: DNS can point it
            /// elsewhere.
            case localhost
        }

        /// The name of the local machine in the redirect URI.
        public var host: Host
        /// The ports to try, in order.
        ///
        /// 0 takes a free port, and every server that follows RFC 8252 accepts it.
        ///
        /// A port is never shared with another program.
        public var ports: [UInt16]
        /// The path of the redirect URI, as registered for the client.
        public var path: String
        /// The maximum time for a connection to send its request head.
        ///
        /// Connections are served one after another. A connection that sends nothing for half a second is closed.
        public var patience: Duration

        /// Creates options, by default for `http://127.0.0.1` with a free port and the path `/callback`.
        public init(
            host: Host = .ipv4, ports: [UInt16] = [0], path: String = "/callback", patience: Duration = .seconds(2)
        ) {
            self.host = host
            self.ports = ports
            self.path = path
            self.patience = patience
        }

        /// Creates options from a redirect URI that is registered for the client, such as
        /// `http://localhost:1717/OauthRedirect`.
        ///
        /// - Parameters:
        ///   - redirectURI: http to `127.0.0.1`, `[::1]` or `localhost`, without a query. Without a port, any free port
        ///     is used.
        ///   - patience: the maximum time for a connection to send its request head.
        /// - Throws: ``OAuthError`` with `.invalidRequest` for any other URL.
        public init(redirectURI: String, patience: Duration = .seconds(2)) throws(OAuthError) {
            guard let url = try? HTTPURL(parsing: redirectURI), url.origin.scheme == .http, url.query == nil,
                let host = Host.allCases.first(where: { $0.address == url.origin.host })
            else {
                throw OAuthError(
                    .invalidRequest,
                    "the redirect URI must be an http URL of 127.0.0.1, [::1] or localhost without a query"
                )
            }
            let rest = redirectURI.dropFirst("http://\(host.name)".count)
            let port = rest.hasBytes(prefix: ":") ? UInt16(exactly: url.origin.port) ?? 0 : 0
            // The server gets the URL exactly as registered, also without the slash of a bare host.
            self.init(
                host: host, ports: [port], path: rest.firstIndex(byte: "/").map { String(rest[$0...]) } ?? "",
                patience: patience)
        }
    }
}

extension LoopbackPresenter.Options {
    func open() -> [Socket]? {
        for port in ports {
            if let sockets = host.open(port) { return sockets }
        }
        return nil
    }
}

extension LoopbackPresenter.Options.Host {
    var name: String {
        switch self {
        case .ipv4: "127.0.0.1"
        case .ipv6: "[::1]"
        case .localhost: "localhost"
        }
    }

    /// The IP address or name without brackets.
    var address: String { self == .ipv6 ? "::1" : name }

    /// Opens the port on every address of the host, or returns `nil` if it is taken on one of them.
    func open(_ port: UInt16) -> [Socket]? {
        // A port that is free on one address may be taken on the other. If any port will do, try more.
        for _ in 1..<(self == .localhost && port == 0 ? 10 : 1) {
            if let sockets = openOnce(port) { return sockets }
        }
        return openOnce(port)
    }

    private func openOnce(_ port: UInt16) -> [Socket]? {
        guard let first = try? Socket.listening(port: port, isIPv6: self == .ipv6) else { return nil }
        guard self == .localhost else { return [first] }
        if let second = try? Socket.listening(port: UInt16(first.port), isIPv6: true) { return [first, second] }
        // Without IPv6, no other program can listen on that address.
        return (try? Socket.listening(isIPv6: true)) == nil ? [first] : nil
    }
}

extension LoopbackPresenter {
    /// Waits on a port of the local machine for the redirect of a login (RFC 8252 §7.3).
    ///
    /// The port is open from `init` to the first redirect that belongs to the login. It accepts one path, one method
    /// and one host name. Other requests, and redirects of other logins, get an error page and do not end the wait. The
    /// listener runs on its own thread.
    public final class Listener: Sendable {
        /// The redirect URI to send to the authorization server.
        public let redirectURI: String
        private let options: LoopbackPresenter.Options
        private let port: Int
        private let bell: CallbackServer.Bell
        private let sockets: Mutex<[Socket]>

        /// Opens the port.
        ///
        /// - Throws: ``OAuthError`` with `.portUnavailable` if all ports are taken, `.invalidRequest` if the path does
        ///   not begin with a slash or has a query.
        public init(_ options: LoopbackPresenter.Options = LoopbackPresenter.Options()) throws(OAuthError) {
            guard let sockets = options.open(), let first = sockets.first, let bell = CallbackServer.Bell() else {
                throw OAuthError(
                    .portUnavailable,
                    "no port is free for the redirect URI; close the program that uses \(options.ports), or use another port"
                )
            }
            self.options = options
            self.sockets = Mutex(sockets)
            self.bell = bell
            port = first.port
            redirectURI = "http://\(options.host.name):\(port)\(options.path)"
            try RedirectURI.check(redirectURI)
            guard options.path.isEmpty || options.path.hasBytes(prefix: "/"), !options.path.hasBytes("?") else {
                throw OAuthError(
                    .invalidRequest, "the path of a redirect URI must begin with a slash and have no query")
            }
        }

        /// Waits for the redirect that belongs to a login, and closes the port.
        ///
        /// - Parameters:
        ///   - login: the login that was begun with ``redirectURI``.
        ///   - deadline: the time at which to fail with `.timedOut`.
        /// - Returns: the complete redirect URL, checked, for ``OAuthClient/finishLogin(_:redirectURL:deadline:)``.
        /// - Throws: ``OAuthError``: the server's error, `.issuerMismatch`, `.timedOut`, `.cancelled`, or
        ///   `.invalidRequest` if the listener was already used or closed.
        public func redirect(
            of login: PendingLogin, until deadline: ContinuousClock.Instant
        ) async throws(OAuthError) -> String {
            let name = "\(options.host.name):\(port)"
            let path = options.path.isEmpty ? "/" : options.path
            let rules = CallbackRules(
                hosts: CallbackRules.hosts(options.host.name, port: port), path: path, origin: "http://\(name)",
                login: login)
            let server = CallbackServer(rules: rules, patience: options.patience, bell: bell)
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    DispatchQueue(label: "login-callback").async { [self] in
                        // Only this thread owns the sockets, so releasing them closes them.
                        var sockets = takeSockets()
                        let outcome = Result { () throws(OAuthError) in
                            try server.serve(sockets, until: deadline)
                        }
                        sockets = []
                        continuation.resume(returning: outcome)
                    }
                }
            } onCancel: {
                bell.ring()
            }
            return try outcome.get()
        }

        /// Closes the port, and cancels a wait for the redirect.
        public func close() {
            _ = takeSockets()
            bell.ring()
        }

        private func takeSockets() -> [Socket] {
            sockets.withLock { sockets in
                defer { sockets = [] }
                return sockets
            }
        }
    }
}
