// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// A refusal of the OAuth endpoints: an object, where the API answers an array (RFC 6749 §5.2).
package struct OAuthRefusal: Error, Sendable {
    package var status = 400
    package let error: String
    package let description: String
    package var retryAfter: Duration?

    package init(_ error: String, _ description: String) {
        self.error = error
        self.description = description
    }

    /// More is kept for logins already than may be.
    package static func rateLimited(_ wait: Duration) -> OAuthRefusal {
        var refusal = OAuthRefusal("rate_limit_exceeded", "rate limit exceeded")
        refusal.status = 429
        refusal.retryAfter = wait
        return refusal
    }

    package static func invalidRequest(_ description: String) -> OAuthRefusal { .init("invalid_request", description) }
    package static func invalidGrant(_ description: String) -> OAuthRefusal { .init("invalid_grant", description) }

    package var response: ServerResponse {
        var response = ServerResponse.oauth(status, [("error", error), ("error_description", description)])
        if let retryAfter { response.fields.append(("Retry-After", retryAfter.wholeSecondsText)) }
        return response
    }
}

extension ServerResponse {
    /// An object of texts that must not be cached (RFC 6749 §5.1).
    package static func oauth(_ status: Int, _ pairs: [(String, String)]) -> ServerResponse {
        var writer = JSONWriter()
        writer.object(pairs)
        return unstored(.json(status, writer.bytes))
    }

    /// The answer with the fields that keep it out of caches.
    package static func unstored(_ response: ServerResponse) -> ServerResponse {
        var response = response
        response.fields += [("Cache-Control", "no-store"), ("Pragma", "no-cache")]
        return response
    }
}

extension Duration {
    /// Whole seconds for `Retry-After`, rounded up, at least 1.
    fileprivate var wholeSecondsText: String {
        let (seconds, rest) = components
        return String(max(1, seconds + (rest > 0 ? 1 : 0)))
    }
}

extension JournalEntry.OAuth {
    package mutating func refuse(_ refusal: OAuthRefusal) {
        outcome = refusal.error
        reason = refusal.description
    }
}
