// SPDX-License-Identifier: Apache-2.0

#if os(macOS) || os(iOS) || os(visionOS)
public import AuthenticationServices
import Foundation
import RestTransport

/// Logs users of an app in with the system's login sheet (`ASWebAuthenticationSession`).
public struct WebAuthenticationPresenter: LoginPresenter {
    private let redirectURI: String
    private let isEphemeral: Bool
    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

    /// Creates a presenter.
    ///
    /// - Parameters:
    ///   - redirectURI: the redirect URI registered for the client. It has the app's own scheme
    ///     (`com.example.app:/done`), or is https on a domain that is associated with the app.
    ///   - isEphemeral: whether the sheet shares no cookies with the user's browser, so that every login asks for the
    ///     password.
    ///   - anchor: returns the window over which the sheet appears.
    public init(
        redirectURI: String, isEphemeral: Bool = false,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
    ) {
        self.redirectURI = redirectURI
        self.isEphemeral = isEphemeral
        self.anchor = anchor
    }

    /// Shows the sheet until the redirect arrives, the deadline passes or the task is cancelled.
    public func present(
        until deadline: ContinuousClock.Instant, begin: BeginLogin
    ) async throws(OAuthError) -> PendingLogin.Redirect {
        let login = try begin(redirectURI)
        guard let page = URL(string: login.url.description), let callback = Self.callback(redirectURI) else {
            throw OAuthError(
                .invalidRequest,
                "the system's login sheet cannot redirect to \(redirectURI); use https or a custom scheme")
        }
        let sheet = await WebAuthenticationSheet(
            page: page, callback: callback, isEphemeral: isEphemeral, anchor: anchor)
        let alarm = Task {
            try await Task.sleep(until: deadline, clock: .continuous)
            await sheet.end(OAuthError(.timedOut, "the login was not finished in time; start a new login"))
        }
        defer { alarm.cancel() }
        let outcome = await withTaskCancellationHandler {
            await sheet.show()
        } onCancel: {
            Task { await sheet.end(OAuthError(.cancelled, "cancelled while waiting for the login")) }
        }
        return PendingLogin.Redirect(of: login, url: try outcome.get())
    }

    private static func callback(_ redirectURI: String) -> ASWebAuthenticationSession.Callback? {
        guard let parts = URLComponents(string: redirectURI), let scheme = parts.scheme?.lowercased() else {
            return nil
        }
        guard scheme == "https" else { return scheme == "http" ? nil : .customScheme(scheme) }
        return parts.host.map { .https(host: $0, path: parts.path) }
    }
}

@MainActor
private final class WebAuthenticationSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
    private typealias Outcome = Result<String, OAuthError>

    private let page: URL
    private let callback: ASWebAuthenticationSession.Callback
    private let isEphemeral: Bool
    private let anchor: @MainActor @Sendable () -> ASPresentationAnchor
    private var session: ASWebAuthenticationSession?
    private var continuation: CheckedContinuation<Outcome, Never>?
    /// The error if the login ended before the sheet appeared.
    private var early: OAuthError?

    init(
        page: URL, callback: ASWebAuthenticationSession.Callback, isEphemeral: Bool,
        anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor
    ) {
        self.page = page
        self.callback = callback
        self.isEphemeral = isEphemeral
        self.anchor = anchor
    }

    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor() }

    func show() async -> Result<String, OAuthError> {
        if let early { return .failure(early) }
        return await withCheckedContinuation { continuation in
            self.continuation = continuation
            // Sendable, because macOS calls it on another queue.
            let session = ASWebAuthenticationSession(url: page, callback: callback) {
                @Sendable [weak self] url, error in
                let outcome = Self.outcome(url?.absoluteString, error)
                Task { @MainActor in self?.finish(outcome) }
            }
            session.presentationContextProvider = self
            session.prefersEphemeralWebBrowserSession = isEphemeral
            self.session = session
            guard session.start() else {
                return finish(.failure(OAuthError(.browserUnavailable, "the system cannot show the login sheet")))
            }
        }
    }

    func end(_ error: OAuthError) {
        early = error
        session?.cancel()
        finish(.failure(error))
    }

    /// Only the first outcome counts, because a cancelled session also calls back.
    private func finish(_ outcome: Result<String, OAuthError>) {
        session = nil
        continuation?.resume(returning: outcome)
        continuation = nil
    }

    private nonisolated static func outcome(_ url: String?, _ error: (any Error)?) -> Result<String, OAuthError> {
        if let url { return .success(url) }
        if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
            return .failure(OAuthError(.userDenied, "the user closed the login sheet"))
        }
        return .failure(OAuthError(.browserUnavailable, "the login sheet failed: \(error?.localizedDescription ?? "")"))
    }
}
#endif
