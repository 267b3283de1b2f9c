// SPDX-License-Identifier: Apache-2.0

import RestCrypto
import RestText
import RestTransport

extension PendingLogin {
    /// The code that a redirect brought, after every check there is.
    ///
    /// The checks go from what anybody can forge to what only the server can know: the address, the form, the state,
    /// the issuer. An error of the server is believed only behind a right state.
    ///
    /// - Throws: ``OAuthError`` with `.invalidCallback`, `.stateMissing`, `.stateMismatch`, `.issuerMismatch`,
    ///   `.userDenied` or the server's own code.
    func code(from redirectURL: String) throws(OAuthError) -> Secret {
        let answer = try RedirectAnswer(redirectURL, to: redirectURI)
        guard let given = answer.state else {
            throw OAuthError(.stateMissing, "the redirect has no state: it does not belong to this login")
        }
        guard MessageDigest.areEqual(Array(given.utf8), Array(state.reveal().utf8)) else {
            throw OAuthError(.stateMismatch, "the redirect belongs to another login")
        }
        guard answer.issuer ?? (needsIssuer ? nil : issuer) == issuer else {
            throw OAuthError(.issuerMismatch, "the redirect does not come from \(issuer), where the login was begun")
        }
        if let error = answer.error {
            let secrets = SentSecrets([state, verifier.secret])
            throw OAuthError(
                .init(rawValue: secrets.line(error, limit: 100)),
                answer.errorDescription.map { secrets.line($0) } ?? "no description given")
        }
        guard let code = answer.code, !code.isEmpty else {
            throw OAuthError(.invalidCallback, "the redirect has neither a code nor an error")
        }
        return Secret(code)
    }

    /// Whether an error of ``code(from:)`` says only that this redirect is not the awaited one, which may still come.
    static func isStray(_ error: OAuthError) -> Bool {
        [.invalidCallback, .stateMissing, .stateMismatch].contains(error.code)
    }
}

/// The parameters of an authorization response (RFC 6749 §4.1.2, RFC 9207 §2).
struct RedirectAnswer {
    let code: String?
    let state: String?
    let issuer: String?
    let error: String?
    let errorDescription: String?

    /// Reads a redirect; one to another address, or with a parameter twice, is none.
    init(_ redirectURL: String, to redirectURI: String) throws(OAuthError) {
        guard Self.address(of: redirectURL) == Self.address(of: redirectURI) else {
            throw OAuthError(.invalidCallback, "the redirect went to another address than the login asked for")
        }
        let query = redirectURL.prefix(before: "#").cut(byte: "?")?.after ?? ""
        guard query.utf8.count <= 32_768, let pairs = try? PercentEncoding.formPairs(String(query)) else {
            throw OAuthError(.invalidCallback, "the redirect's query is malformed")
        }
        func value(_ name: String) throws(OAuthError) -> String? {
            let values = pairs.filter { $0.name == name }
            guard values.count <= 1 else { throw OAuthError(.invalidCallback, "the redirect has \(name) twice") }
            return values.first?.value
        }
        code = try value("code")
        state = try value("state")
        issuer = try value("iss")
        error = try value("error")
        errorDescription = try value("error_description")
    }

    /// What stands before query and fragment, without the slash that browsers add behind a bare host, in one case, as
    /// browsers write schemes and hosts.
    private static func address(of url: String) -> String {
        let address = url.prefix(beforeAny: "#?")
        return (address.removing(suffix: "/") ?? address).lowercased()
    }
}

/// Checks where a browser may be told to come back to.
enum RedirectURI {
    /// Schemes that a browser acts on by itself instead of handing the address to a program.
    private static let refusedSchemes: Set<String> = [
        "javascript", "data", "file", "ftp", "about", "blob", "vbscript", "ws", "wss", "mailto", "view-source",
    ]

    /// Refuses what is no redirect URI: without a scheme, with a fragment (RFC 6749 §3.1.2), with user info, or of a
    /// scheme that is not https, http to this machine (RFC 8252 §7.3) or a program's own (§7.1).
    static func check(_ text: String) throws(OAuthError) {
        let scheme = text.prefix(before: ":").lowercased()
        let beginsWithLetter = scheme.utf8.first.map { ASCII.isAlphanumeric($0) && !ASCII.isDigit($0) } ?? false
        let isScheme =
            beginsWithLetter && scheme.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
        guard isScheme, text.utf8.count > scheme.utf8.count, !refusedSchemes.contains(scheme),
            text.utf8.allSatisfy(ASCII.isURLCharacter), !text.hasBytes("#")
        else { throw fault }
        guard scheme == "http" || scheme == "https" else { return }
        guard let url = try? HTTPURL(parsing: text), url.isTrustworthy || url.origin.host == "localhost" else {
            throw fault
        }
    }

    private static let fault = OAuthError(
        .invalidRequest,
        "a redirect URI must be an https address, an http address of this machine or one of the program's own scheme")
}
