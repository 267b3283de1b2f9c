// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestText
import Synchronization

extension LoopbackPresenter {
    /// Waits on a port of this machine for the browser to come back from a login (RFC 8252 §7.3).
    ///
    /// The port is open from making the listener to the first redirect that belongs to the login, and serves nothing
    /// else: one path, one method, one host name, one answer. Requests of other kinds, other logins or other programs
    /// get an error page and do not disturb the wait. It runs on a thread of its own.
    public final class Listener: Sendable {
        /// The address to give to the authorization server.
        public let redirectURI: String
        private let options: LoopbackPresenter.Options
        private let port: UInt16
        private let pipe: WakePipe
        private let sockets: Mutex<[LoopbackSocket]>

        /// Opens the port.
        ///
        /// - Throws: ``OAuthError`` with `.portUnavailable` when none of the ports can be had, `.invalidRequest` for a
        ///   path that does not begin with a slash or has a query.
        public init(_ options: LoopbackPresenter.Options = LoopbackPresenter.Options()) throws(OAuthError) {
            guard let sockets = options.open(), let first = sockets.first, let pipe = WakePipe() else {
                throw OAuthError(
                    .portUnavailable,
                    "the browser's way back has no port; another program has, of this machine's ports, \(options.ports)"
                )
            }
            self.options = options
            self.sockets = Mutex(sockets)
            self.pipe = pipe
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
            let outcome = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    DispatchQueue(label: "login-callback").async { [self] in
                        // The loop alone has the sockets, so that they are closed when it lets go of them.
                        var loop = CallbackLoop(takeSockets(), pipe: pipe, rules: rules, patience: options.patience)
                        loop.run(until: deadline) { continuation.resume(returning: $0) }
                    }
                }
            } onCancel: {
                pipe.wake()
            }
            return try outcome.get()
        }

        /// Closes the port of a listener that nobody waits on, and ends the wait of one that somebody does.
        public func close() {
            _ = takeSockets()
            pipe.wake()
        }

        private func takeSockets() -> [LoopbackSocket] {
            sockets.withLock { sockets in
                defer { sockets = [] }
                return sockets
            }
        }
    }
}
