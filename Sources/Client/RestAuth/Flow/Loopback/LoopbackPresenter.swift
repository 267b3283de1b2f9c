// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
public import RestTransport
import Synchronization

/// Logs users of command lines and desktops in with their own browser (RFC 8252).
public struct LoopbackPresenter: LoginPresenter {
    /// Where to listen for the browser's way back.
    public let options: LoopbackPresenter.Options
    private let open: @Sendable (HTTPURL) throws(OAuthError) -> Void

    /// Makes a presenter.
    ///
    /// - Parameters:
    ///   - options: where to listen.
    ///   - open: opens the page and returns at once; may as well only show its address. What it throws ends the login.
    public init(
        options: Options = Options(),
        open: @escaping @Sendable (HTTPURL) throws(OAuthError) -> Void
    ) {
        self.options = options
        self.open = open
    }

    /// Opens the port, then the page; the port is closed when this returns.
    public func present(
        until deadline: ContinuousClock.Instant, begin: BeginLogin
    ) async throws(OAuthError) -> PendingLogin.Redirect {
        let listener = try LoopbackPresenter.Listener(options)
        defer { listener.close() }
        let login = try begin(listener.redirectURI)
        // A browser that is faster than the next line waits in the port's queue.
        try open(login.url)
        return PendingLogin.Redirect(of: login, url: try await listener.redirect(of: login, until: deadline))
    }
}

extension LoopbackPresenter {
    /// Where a program listens for the browser's way back (RFC 8252 7.3).
    public struct Options: Sendable, Hashable {
        /// How the redirect URI calls this machine.
        public enum Host: Sendable, Hashable, CaseIterable {
            /// `127.0.0.1`, which RFC 8252 8.3 recommends.
            case ipv4
            /// `[::1]`, for servers that are registered so.
            case ipv6
            /// `localhost`, on both addresses; only for clients that are registered so, since a name can be made to
            /// lead elsewhere.
            case localhost
        }

        /// How the redirect URI calls this machine.
        public var host: Host
        /// The ports to try, in turn; 0 takes a free one, which every server that keeps to RFC 8252 allows.
        ///
        /// A port that another program has is never shared with it.
        public var ports: [UInt16]
        /// The path of the redirect URI, as registered for the client.
        public var path: String
        /// How long one connection may take to send its header.
        ///
        /// Connections are served one after another. One that sends nothing for half a second is closed.
        public var patience: Duration

        /// Makes options; the defaults are `http://127.0.0.1` with a free port and the path `/callback`.
        public init(
            host: Host = .ipv4, ports: [UInt16] = [0], path: String = "/callback", patience: Duration = .seconds(2)
        ) {
            self.host = host
            self.ports = ports
            self.path = path
            self.patience = patience
        }

        /// Makes options out of a redirect URI that is registered for the client, such as
        /// `http://localhost:1717/OauthRedirect`.
        ///
        /// - Parameters:
        ///   - redirectURI: http to `127.0.0.1`, `[::1]` or `localhost`, without a query; without a port, any free one.
        ///   - patience: how long one connection may take to send its header.
        /// - Throws: ``OAuthError`` with `.invalidRequest` for another address.
        public init(redirectURI: String, patience: Duration = .seconds(2)) throws(OAuthError) {
            guard let url = try? HTTPURL(parsing: redirectURI), url.origin.scheme == .http, url.query == nil,
                let host = Host.allCases.first(where: { $0.address == url.origin.host })
            else {
                throw OAuthError(
                    .invalidRequest,
                    "the browser's way back must be http to 127.0.0.1, [::1] or localhost, without a query"
                )
            }
            let rest = redirectURI.dropFirst("http://\(host.name)".count)
            let port = rest.hasBytes(prefix: ":") ? UInt16(exactly: url.origin.port) ?? 0 : 0
            // The address goes to the server exactly as it is registered, also without the slash of a bare host.
            self.init(
                host: host, ports: [port], path: rest.firstIndex(byte: "/").map { String(rest[$0...]) } ?? "",
                patience: patience)
        }
    }
}

extension LoopbackPresenter.Options {
    /// Opens the first of the ports that can be had, on every address that the host stands for.
    func open() -> [Socket]? {
        for port in ports {
            if let sockets = host.open(port) { return sockets }
        }
        return nil
    }
}

extension LoopbackPresenter.Options.Host {
    /// The name in the redirect URI.
    var name: String {
        switch self {
        case .ipv4: "127.0.0.1"
        case .ipv6: "[::1]"
        case .localhost: "localhost"
        }
    }

    /// The same without brackets.
    var address: String { self == .ipv6 ? "::1" : name }

    /// Opens the addresses the name stands for; `nil` when the port is taken on one of them.
    func open(_ port: UInt16) -> [Socket]? {
        // A port that is free on one address may be taken on the other; among free ones another is tried then.
        for _ in 1..<(self == .localhost && port == 0 ? 10 : 1) {
            if let sockets = openOnce(port) { return sockets }
        }
        return openOnce(port)
    }

    private func openOnce(_ port: UInt16) -> [Socket]? {
        guard let first = try? Socket.listening(port: port, isIPv6: self == .ipv6) else { return nil }
        guard self == .localhost else { return [first] }
        if let second = try? Socket.listening(port: UInt16(first.port), isIPv6: true) { return [first, second] }
        // A machine without IPv6 has nobody who could listen there instead.
        return (try? Socket.listening(isIPv6: true)) == nil ? [first] : nil
    }
}

extension LoopbackPresenter {
    /// Waits on a port of this machine for the browser to come back from a login (RFC 8252 7.3).
    ///
    /// The port is open from making the listener to the first redirect that belongs to the login, and serves nothing
    /// else: one path, one method, one host name, one answer. Requests of other kinds, other logins or other programs
    /// get an error page and do not disturb the wait. It runs on a thread of its own.
    public final class Listener: Sendable {
        /// The address to give to the authorization server.
        public let redirectURI: String
        private let options: LoopbackPresenter.Options
        private let port: Int
        private let bell: CallbackServer.Bell
        private let sockets: Mutex<[Socket]>

        /// Opens the port.
        ///
        /// - Throws: ``OAuthError`` with `.portUnavailable` when none of the ports can be had, `.invalidRequest` for a
        ///   path that does not begin with a slash or has a query.
        public init(_ options: LoopbackPresenter.Options = LoopbackPresenter.Options()) throws(OAuthError) {
            guard let sockets = options.open(), let first = sockets.first, let bell = CallbackServer.Bell() else {
                throw OAuthError(
                    .portUnavailable,
                    "the browser's way back has no port; another program has, of this machine's ports, \(options.ports)"
                )
            }
            self.options = options
            self.sockets = Mutex(sockets)
            self.bell = bell
            port = first.port
            redirectURI = "http://\(options.host.name):\(port)\(options.path)"
            try RedirectURI.check(redirectURI)
            guard options.path.isEmpty || options.path.hasBytes(prefix: "/"), !options.path.hasBytes("?") else {
                throw OAuthError(.invalidRequest, "the path of a redirect URI begins with a slash and has no query")
            }
        }

        /// Waits for the redirect that belongs to a login, and closes the port.
        ///
        /// - Parameters:
        ///   - login: the login that was begun with ``redirectURI``.
        ///   - deadline: when to give up.
        /// - Returns: the whole address of the redirect, checked, for
        ///   ``OAuthClient/finishLogin(_:redirectURL:deadline:)``.
        /// - Throws: ``OAuthError``: what the server said, `.issuerMismatch`, `.timedOut`, `.cancelled`, or
        ///   `.invalidRequest` when the listener was used or closed before.
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
                        // This thread alone has the sockets, so that they are closed when it lets go of them.
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

        /// Closes the port of a listener that nobody waits on, and ends the wait of one that somebody does.
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
