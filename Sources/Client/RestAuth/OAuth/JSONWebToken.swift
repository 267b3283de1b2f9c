// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The claims of a signed token in compact form (RFC 7519), read without a look at its signature.
///
/// What they say is a hint, or came from a server that is trusted already.
struct JSONWebToken {
    let claims: JSONValue

    /// No token of this kind is longer.
    private static let greatestLength = 16_384

    /// `nil` for any text that is no such token, as most access tokens are.
    init?(_ text: String) {
        guard text.utf8.count <= Self.greatestLength else { return nil }
        let parts = text.split(byte: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decodeForURL(String(parts[1])),
            let claims = try? JSONValue(parsing: bytes), claims.object != nil
        else { return nil }
        self.claims = claims
    }

    /// How long the token is good from its issue on (RFC 7519 §4.1.4); `nil` when it does not say both.
    ///
    /// The difference of two times of one server, so that no clock that somebody has set plays a part.
    var lifetime: Duration? {
        // A NumericDate may have a fraction (RFC 7519 §2).
        guard let end = claims["exp"]?.whole(in: .epochSeconds),
            let issue = claims["iat"]?.whole(in: .epochSeconds, rounding: .up), end > issue
        else { return nil }
        return .seconds(end - issue)
    }
}
