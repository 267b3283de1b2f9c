// SPDX-License-Identifier: Apache-2.0

public import RestTransport

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
