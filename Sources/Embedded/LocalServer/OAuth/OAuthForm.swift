// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The parameters of a request to an OAuth endpoint, each once (RFC 6749 3.2), and its HTTP Basic credentials.
package struct OAuthForm {
    private let parameters: [String: String]
    package let basic: (id: String, secret: String)?

    /// No proper form is longer.
    private static let mostBytes = 64 << 10

    /// Reads a posted form.
    package init(_ request: ServerRequest) throws(OAuthRefusal) {
        guard request.mediaType == "application/x-www-form-urlencoded", request.body.count <= Self.mostBytes,
            let text = String(validating: request.body, as: UTF8.self), let pairs = try? PercentEncoding.formPairs(text)
        else { throw .invalidRequest("the body must be a URL-encoded form") }
        try self.init(pairs, request)
    }

    /// Takes the parameters of a query.
    package init(_ pairs: [(name: String, value: String)], _ request: ServerRequest) throws(OAuthRefusal) {
        var parameters: [String: String] = [:]
        for (name, value) in pairs where parameters.updateValue(value, forKey: name) != nil {
            throw .invalidRequest("a parameter is repeated")
        }
        self.parameters = parameters
        basic = Self.basicCredentials(request.fields["Authorization"])
    }

    /// The value of a parameter; an empty one counts as left out (RFC 6749 3.1).
    package subscript(name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The value of a parameter that must be there.
    package func required(_ name: String) throws(OAuthRefusal) -> String {
        guard let value = self[name] else { throw .invalidRequest("missing required parameter: \(name)") }
        return value
    }

    /// The words of a parameter that is a list.
    package func words(_ name: String) -> [String] { (self[name] ?? "").split(byte: " ").map(String.init) }

    private static func basicCredentials(_ field: String?) -> (id: String, secret: String)? {
        guard let field, field.prefix(6).lowercased() == "basic ",
            let bytes = Base64.decode(String(field.dropFirst(6))), let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let parts = text.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = try? PercentEncoding.decodeForm(String(parts[0])),
            let secret = try? PercentEncoding.decodeForm(String(parts[1]))
        else { return nil }
        return (id, secret)
    }
}

/// A refusal of the OAuth endpoints: an object, where the API answers an array (RFC 6749 5.2).
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
    /// An object of texts that must not be cached (RFC 6749 5.1).
    package static func oauth(_ status: Int, _ pairs: [(String, String)]) -> ServerResponse {
        unstored(
            .object(status) { writer in
                for (name, value) in pairs { writer.member(name, value) }
            })
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

extension ServerResponse {
    /// Answers a request that concerns logins, and notes for the journal what it was and what came of it.
    package static func noted(
        _ grantType: String? = nil,
        _ body: (inout JournalEntry.OAuth) throws(OAuthRefusal) -> ServerResponse
    ) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = grantType
        var response: ServerResponse
        do throws(OAuthRefusal) {
            response = try body(&note)
        } catch {
            note.refuse(error)
            response = error.response
        }
        response.oauth = note
        return response
    }
}

/// PKCE with S256 (RFC 7636 4).
package enum ProofKey {
    package static func challenge(of verifier: String) -> String { Base64.encodeForURL(Digest.sha256(verifier.utf8)) }

    static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(ASCII.isUnreserved)
    }

    /// Whether the text can be an S256 challenge: 32 bytes in base 64 for URLs.
    package static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43 && Base64.decodeForURL(text)?.count == 32
    }
}
