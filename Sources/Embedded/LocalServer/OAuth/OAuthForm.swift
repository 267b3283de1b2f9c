// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// The parameters of a request to an OAuth endpoint (RFC 6749 §3.2), and its HTTP Basic credentials.
package struct OAuthForm {
    private let parameters: [String: String]
    package let basic: (id: String, secret: String)?

    private static let mostBytes = 64 << 10

    package init(_ request: ServerRequest) throws(OAuthRejection) {
        guard request.mediaType == "application/x-www-form-urlencoded", request.body.count <= Self.mostBytes,
            let text = String(validating: request.body, as: UTF8.self), let pairs = try? PercentEncoding.formPairs(text)
        else { throw .invalidRequest("the body must be a URL-encoded form") }
        try self.init(pairs, request)
    }

    /// Reads the parameters of a query, and rejects repeated ones.
    package init(_ pairs: [(name: String, value: String)], _ request: ServerRequest) throws(OAuthRejection) {
        var parameters: [String: String] = [:]
        for (name, value) in pairs where parameters.updateValue(value, forKey: name) != nil {
            throw .invalidRequest("a parameter is repeated")
        }
        self.parameters = parameters
        basic = Self.basicCredentials(request.fields["Authorization"])
    }

    /// The value of a parameter, or `nil` if it is missing or empty (RFC 6749 §3.1).
    package subscript(name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }

    package func required(_ name: String) throws(OAuthRejection) -> String {
        guard let value = self[name] else { throw .invalidRequest("missing required parameter: \(name)") }
        return value
    }

    package var clientID: String? { basic?.id ?? self["client_id"] }

    /// Checks a request for a code, and returns its PKCE challenge if it has one (RFC 6749 §4.1.1, RFC 7636 §4.3).
    package func challenge() throws(OAuthRejection) -> String? {
        guard self["response_type"] == "code" else {
            throw OAuthRejection("unsupported_response_type", "response type not supported")
        }
        // The servers support only S256, which is also the default.
        guard ["S256", nil].contains(self["code_challenge_method"]) else {
            throw .invalidRequest("code_challenge_method must be S256")
        }
        let challenge = self["code_challenge"]
        guard challenge.map(ProofKey.isChallenge) ?? true else { throw .invalidRequest("invalid code challenge") }
        return challenge
    }

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

/// An error of an OAuth endpoint, which is a JSON object (RFC 6749 §5.2).
package struct OAuthRejection: Error, Sendable {
    package var status = 400
    package let error: String
    package let description: String
    package var retryAfter: Duration?

    package init(_ error: String, _ description: String) {
        self.error = error
        self.description = description
    }

    /// Returns the error for too many pending logins.
    package static func rateLimited(_ wait: Duration) -> OAuthRejection {
        var rejection = OAuthRejection("rate_limit_exceeded", "rate limit exceeded")
        rejection.status = 429
        rejection.retryAfter = wait
        return rejection
    }

    package static func invalidRequest(_ description: String) -> OAuthRejection {
        .init("invalid_request", description)
    }
    package static func invalidGrant(_ description: String) -> OAuthRejection { .init("invalid_grant", description) }

    package var response: ServerResponse {
        var response = ServerResponse.oauth(status, [("error", error), ("error_description", description)])
        if let retryAfter { response.fields.append(("Retry-After", retryAfter.wholeSecondsText)) }
        return response
    }
}

extension ServerResponse {
    /// Returns an object of strings that must not be cached (RFC 6749 §5.1).
    package static func oauth(_ status: Int, _ pairs: [(String, String)]) -> ServerResponse {
        unstored(
            .object(status) { writer in
                for (name, value) in pairs { writer.member(name, value) }
            })
    }

    package static func text(_ status: Int, _ text: String) -> ServerResponse {
        unstored(
            ServerResponse(
                status: status, fields: [("Content-Type", "text/plain;charset=UTF-8")], body: Array(text.utf8)))
    }

    /// Returns the response with the headers that prevent caching.
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
    package mutating func refuse(_ rejection: OAuthRejection) {
        outcome = rejection.error
        reason = rejection.description
    }
}

extension ServerResponse {
    /// Responds to a login request and records its purpose and outcome for the journal.
    package static func noted(
        _ grantType: String? = nil,
        _ body: (inout JournalEntry.OAuth) throws(OAuthRejection) -> ServerResponse
    ) -> ServerResponse {
        var note = JournalEntry.OAuth()
        note.grantType = grantType
        var response: ServerResponse
        do throws(OAuthRejection) {
            response = try body(&note)
        } catch {
            note.refuse(error)
            response = error.response
        }
        response.oauth = note
        return response
    }
}

/// PKCE with S256 (RFC 7636 §4).
package enum ProofKey {
    package static func challenge(of verifier: String) -> String { Base64.encodeForURL(Digest.sha256(verifier.utf8)) }

    /// Whether the string can be an S256 challenge: 32 bytes in base64url.
    static func isChallenge(_ text: String) -> Bool {
        text.utf8.count == 43 && Base64.decodeForURL(text)?.count == 32
    }
}

/// The redirect at the end of an authorization request.
package struct AuthorizationResponse: Sendable {
    private let redirectURI: String
    private let state: String?
    /// The code or the error.
    package let result: Result<String, OAuthRejection>

    package init(redirectURI: String, state: String?, result: Result<String, OAuthRejection>) {
        (self.redirectURI, self.state, self.result) = (redirectURI, state, result)
    }

    /// Returns the redirect, with an issuer for clients of several servers (RFC 9207).
    ///
    /// Its status is 303, because a form with a password must not be sent again (RFC 9700 §4.12).
    package func response(issuer: String? = nil) -> ServerResponse {
        var pairs: [(String, String)] = []
        switch result {
        case .success(let code): pairs.append(("code", code))
        case .failure(let rejection):
            pairs += [("error", rejection.error), ("error_description", rejection.description)]
        }
        if let state { pairs.append(("state", state)) }
        if let issuer { pairs.append(("iss", issuer)) }
        let query = pairs.map { "\($0)=\(PercentEncoding.queryComponent($1))" }.joined(separator: "&")
        var response = ServerResponse.empty(303)
        response.fields = [
            ("Location", redirectURI + (redirectURI.hasBytes("?") ? "&" : "?") + query),
            ("Referrer-Policy", "no-referrer"),
        ]
        return .unstored(response)
    }
}
