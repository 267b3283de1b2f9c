// SPDX-License-Identifier: Apache-2.0

/// What an app asks of a login at Dropbox.
public struct LoginOptions: Sendable, Hashable {
    /// How long the tokens of a login are good.
    public enum Access: String, Sendable, Hashable {
        /// The login can be renewed while the user is away: it has a refresh token.
        case offline
        /// The login ends with its access token, after a few hours.
        case online
    }

    /// Whose scopes of earlier logins a new one adds to.
    public enum GrantedScopes: String, Sendable, Hashable {
        /// What the user granted.
        case user
        /// What the team granted.
        case team
    }

    /// What the tokens are to be good for, such as `files.content.read`; empty asks for all that the app may have.
    public var scopes: [String]
    /// Whether the login can be renewed.
    public var access: Access
    /// Whose earlier scopes the new tokens have too; `nil` for none but ``scopes``.
    public var grantedScopes: GrantedScopes?
    /// Whether the user has to type the password also where the browser is logged in.
    public var forcesReauthentication: Bool
    /// Whether the user has to agree anew also where that was done before.
    public var forcesReapproval: Bool
    /// Whether the page offers no new accounts.
    public var disablesSignup: Bool

    /// What an app usually asks: a login that can be renewed, with every scope that the app may have.
    public init(
        scopes: [String] = [], access: Access = .offline, grantedScopes: GrantedScopes? = nil,
        forcesReauthentication: Bool = false, forcesReapproval: Bool = false, disablesSignup: Bool = false
    ) {
        self.scopes = scopes
        self.access = access
        self.grantedScopes = grantedScopes
        self.forcesReauthentication = forcesReauthentication
        self.forcesReapproval = forcesReapproval
        self.disablesSignup = disablesSignup
    }

    /// The parameters of the login page beside those of OAuth itself.
    func parameters(locale: String?) -> [(name: String, value: String)] {
        var parameters = [(name: "token_access_type", value: access.rawValue)]
        if let grantedScopes { parameters.append(("include_granted_scopes", grantedScopes.rawValue)) }
        if let locale { parameters.append(("locale", locale)) }
        let flags = [
            ("force_reauthentication", forcesReauthentication), ("force_reapprove", forcesReapproval),
            ("disable_signup", disablesSignup),
        ]
        return parameters + flags.filter(\.1).map { ($0.0, "true") }
    }
}
