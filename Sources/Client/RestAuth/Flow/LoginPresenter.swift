// SPDX-License-Identifier: Apache-2.0

/// Shows a login page to the user and waits until the browser comes back.
///
/// ``LoopbackPresenter`` does it for command lines and desktops, `WebAuthenticationPresenter` for apps on Apple
/// platforms. An app with a page of its own conforms a type of its own:
///
/// ```swift
/// struct KioskPresenter: LoginPresenter {
///     func present(
///         until deadline: ContinuousClock.Instant, begin: BeginLogin
///     ) async throws(OAuthError) -> PendingLogin.Redirect {
///         let login = try begin("com.example.kiosk:/done")
///         return PendingLogin.Redirect(of: login, url: await kiosk.show(login.url))
///     }
/// }
/// ```
public protocol LoginPresenter: Sendable {
    /// Begins a login for the address that the browser is to come back to.
    typealias BeginLogin = (_ redirectURI: String) throws(OAuthError) -> PendingLogin

    /// Begins the login, shows its page, and returns the address the browser came back to.
    ///
    /// - Parameters:
    ///   - deadline: when to give up with `.timedOut`.
    ///   - begin: call it once, when it is known where the browser comes back to.
    /// - Returns: the address, with the login that `begin` gave.
    /// - Throws: ``OAuthError``; `.cancelled` when the task is cancelled.
    func present(until deadline: ContinuousClock.Instant, begin: BeginLogin) async throws(OAuthError)
        -> PendingLogin.Redirect
}

extension PendingLogin {
    /// Where the browser came back to, and the login it belongs to.
    public struct Redirect: Sendable, Hashable {
        /// The login that was begun.
        public let login: PendingLogin
        /// The whole address, which holds the code: a secret for some minutes.
        public let url: String

        /// Pairs an address with its login.
        public init(of login: PendingLogin, url: String) {
            self.login = login
            self.url = url
        }
    }
}

extension PendingLogin.Redirect: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where the login was begun, without the code.
    public var description: String { "redirect of a login at \(login.issuer)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
