// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

struct OAuthResponse {
    let response: HTTPResponse
    /// The endpoint's name, for messages.
    let endpoint: String
    /// The secrets in the request, which must not appear in messages.
    let secrets: SentSecrets

    /// The maximum size of a response in bytes.
    private static let sizeLimit = 1 << 20

    init(_ response: HTTPResponse, from endpoint: String, to secrets: SentSecrets = SentSecrets([])) {
        self.response = response
        self.endpoint = endpoint
        self.secrets = secrets
    }

    /// The members of the JSON object in a successful response.
    ///
    /// The status comes first: a server that is unavailable gives no verdict, regardless of the body.
    ///
    /// - Throws: ``OAuthError``: `.serverUnavailable` as in ``unavailable``; the server's own code if the object has an
    ///   `error`, regardless of the status; `.unexpectedContentType` for a page or a redirect instead of JSON;
    ///   `.invalidResponse` for anything else.
    func members() throws(OAuthError) -> OAuthMembers {
        if let unavailable { throw unavailable }
        let (status, root) = (response.head.status, root)
        if let root, root.object != nil {
            let members = OAuthMembers(root)
            if let error = members["error"], error.bool != false {
                throw rejection(error, members["error_description"])
            }
            if status == 200 { return members }
        }
        if root == nil, isPage || (300..<400).contains(status) { throw pageInPlaceOfResponse }
        let what =
            status == 200 ? "something other than a JSON object" : "status \(status) and no JSON object"
        throw OAuthError(.invalidResponse, "\(endpoint) responded with \(what); check the login URL")
    }

    var pageInPlaceOfResponse: OAuthError {
        OAuthError(
            .unexpectedContentType,
            "\(endpoint) returned a web page, perhaps of a captive portal or a gateway; open a browser to see it")
    }

    var isShort: Bool { response.body.count <= Self.sizeLimit }

    /// The error of a server that is temporarily unavailable: 429, 5xx, or an error code that says so.
    ///
    /// The server's code appears only in the message.
    var unavailable: OAuthError? {
        let (status, code) = (response.head.status, errorCode ?? "")
        guard status == 429 || status >= 500 || OAuthError.Code.isTrouble(code) else { return nil }
        let reason = code.isEmpty ? "" : " (\(secrets.line(code, limit: 100)))"
        return OAuthError(
            .serverUnavailable, "\(endpoint) responded with status \(status)\(reason); try again later",
            retryAfter: RetryAfter.delay(in: response.head.fields))
    }

    /// The server's error code, or `nil` if the body is not an error of OAuth.
    var errorCode: String? { root?["error"]?.string }

    private var root: JSONValue? { isShort ? try? JSONValue(parsing: response.body) : nil }

    private func rejection(_ error: JSONValue, _ description: JSONValue?) -> OAuthError {
        let code = secrets.line(error.string ?? "", limit: 100)
        guard !code.isBlank else {
            return OAuthError(.invalidResponse, "the server returned an error without a code")
        }
        let message = secrets.line(description?.string ?? "")
        return OAuthError(
            .init(rawValue: code), !message.isBlank ? message : "no description given",
            retryAfter: RetryAfter.delay(in: response.head.fields))
    }

    /// Whether the body is a page, or its content type is not JSON.
    private var isPage: Bool {
        let type = response.head.fields["Content-Type"]?.lowercased() ?? ""
        if !type.isEmpty, !type.hasBytes("json") { return true }
        return response.body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}

extension OAuthError.Code {
    /// Whether the code means that the server is temporarily unavailable (RFC 6749 §4.1.2.1).
    static func isTrouble(_ code: String) -> Bool { code == "temporarily_unavailable" || code == "server_error" }
}

/// The members of a JSON object from an authorization server.
///
/// Some servers write all members and leave unused ones empty. So a member that is null or a blank string counts as
/// missing.
struct OAuthMembers {
    let object: JSONValue

    /// Reads an object; any other value has no members.
    init(_ object: JSONValue) { self.object = object }

    /// The value of a member, or `nil` if it is missing, null or blank.
    subscript(_ name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull, value.string?.utf8.allSatisfy({ $0 == 0x20 }) != true else {
            return nil
        }
        return value
    }

    /// A list of words: one string (RFC 6749 §3.3), or an array as some servers write it.
    func words(_ name: String) -> [String] {
        guard let value = self[name] else { return [] }
        return value.string?.split(byte: " ").map(String.init) ?? value.array?.compactMap(\.string) ?? []
    }
}

extension JSONValue {
    /// A whole number in a server's response, or `nil` outside the range.
    ///
    /// It can be a number or a string of digits. A fraction is rounded.
    func whole(in range: NumberRange, rounding rule: FloatingPointRoundingRule = .down) -> Int64? {
        integer(as: Int64.self).flatMap { Int64(outside: $0, in: range) }
            ?? string.flatMap { Int64(outside: $0, in: range) }
            ?? double.flatMap { Int64(exactly: $0.rounded(rule)) }.flatMap { Int64(outside: $0, in: range) }
    }
}

/// The challenge of a resource that rejects an access token: `WWW-Authenticate: Bearer …` (RFC 6750 §3), or `DPoP …`
/// (RFC 9449 §7.1).
///
/// It is parsed strictly, and only for its `error`. No part of it is sent anywhere.
struct BearerChallenge: Equatable {
    /// The parameters by their names in lower case.
    let parameters: [String: String]

    /// Parses one header, or returns `nil` for another scheme or a syntax error (RFC 9110 §11.2).
    init?(_ field: String) {
        guard let (scheme, text) = field.cut(byte: " "), ["bearer", "dpop"].contains(scheme.lowercased()) else {
            return nil
        }
        var rest = text.utf8
        var parameters: [String: String] = [:]
        while true {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = String(rest[..<equals])?.lowercased() ?? ""
            guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isTokenCharacter),
                let (value, end) = Self.value(rest[rest.index(after: equals)...]),
                parameters.updateValue(value, forKey: name) == nil
            else { return nil }
            rest = rest[end...].drop { $0 == UInt8(ascii: " ") }
            if rest.isEmpty { break }
            guard rest.popFirst() == UInt8(ascii: ",") else { return nil }
        }
        self.parameters = parameters
    }

    /// A token, or a quoted string of visible ASCII without escapes, which error parameters never have.
    private static func value(_ text: Substring.UTF8View) -> (value: String, end: String.Index)? {
        guard text.first == UInt8(ascii: "\"") else {
            let token = text.prefix(while: ASCII.isTokenCharacter)
            return token.isEmpty ? nil : String(token).map { ($0, token.endIndex) }
        }
        let inner = text.dropFirst()
        guard let quote = inner.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        let content = inner[..<quote]
        guard content.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else { return nil }
        return String(content).map { ($0, inner.index(after: quote)) }
    }

    static func rejection(of response: HTTPResponse, to secrets: SentSecrets) -> OAuthError {
        let challenge = response.head.fields.values(of: "WWW-Authenticate").lazy.compactMap { BearerChallenge($0) }
            .first
        let error = challenge?.parameters["error"] ?? ""
        let code = error.isEmpty ? .invalidToken : OAuthError.Code(rawValue: secrets.line(error, limit: 100))
        return OAuthError(code, "the server rejected the access token (status \(response.head.status))")
    }
}

/// The claims of a signed token in compact form (RFC 7519), without a check of the signature.
///
/// The claims are only hints, or come from a trusted server.
struct JSONWebToken {
    let claims: JSONValue

    private static let greatestLength = 16_384

    /// Returns `nil` if the string is not such a token, as for most access tokens.
    init?(_ text: String) {
        guard text.utf8.count <= Self.greatestLength else { return nil }
        let parts = text.split(byte: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decodeForURL(String(parts[1])),
            let claims = try? JSONValue(parsing: bytes), claims.object != nil
        else { return nil }
        self.claims = claims
    }

    /// The lifetime of the token from its issue (RFC 7519 §4.1.4), or `nil` if it does not have both times.
    ///
    /// It is the difference of two times of the same server, so it does not depend on a local clock.
    var lifetime: Duration? {
        // A NumericDate may have a fraction (RFC 7519 §2).
        guard let end = claims["exp"]?.whole(in: .epochSeconds),
            let issue = claims["iat"]?.whole(in: .epochSeconds, rounding: .up), end > issue
        else { return nil }
        return .seconds(end - issue)
    }
}
