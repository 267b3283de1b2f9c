// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Checks where a browser may be told to come back to.
enum RedirectURI {
    /// Schemes that a browser acts on by itself instead of handing the address to a program.
    private static let refusedSchemes: Set<String> = [
        "javascript", "data", "file", "ftp", "about", "blob", "vbscript", "ws", "wss", "mailto", "view-source",
    ]

    /// Refuses what is no redirect URI: without a scheme, with a fragment (RFC 6749 §3.1.2), with user info, or of a
    /// scheme that is not https, http to this machine (RFC 8252 §7.3) or a program's own (§7.1).
    static func check(_ text: String) throws(OAuthError) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let beginsWithLetter = scheme.utf8.first.map { ASCII.isAlphanumeric($0) && !ASCII.isDigit($0) } ?? false
        let isScheme =
            beginsWithLetter && scheme.utf8.allSatisfy { ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) }
        guard isScheme, text.utf8.count > scheme.utf8.count, !refusedSchemes.contains(scheme),
            text.utf8.allSatisfy(ASCII.isURLCharacter), !text.contains("#")
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
