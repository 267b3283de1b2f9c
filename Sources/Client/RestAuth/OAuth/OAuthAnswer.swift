// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport

/// What an endpoint of an authorization server answered.
struct OAuthAnswer {
    let response: HTTPResponse
    /// The endpoint's name, for people.
    let endpoint: String
    /// What the request contained that must not be seen.
    let secrets: SentSecrets

    /// More than any honest answer; a longer one is not read.
    private static let sizeLimit = 1 << 20

    init(_ response: HTTPResponse, from endpoint: String, to secrets: SentSecrets = SentSecrets([])) {
        self.response = response
        self.endpoint = endpoint
        self.secrets = secrets
    }

    /// The members of the JSON object of a successful answer.
    ///
    /// The status is looked at first: a server in trouble gives no verdict, whatever its body says.
    ///
    /// - Throws: ``OAuthError``: `.serverUnavailable` as ``unavailable`` says; the server's own code if the object has
    ///   an `error`, whatever the status; `.unexpectedContentType` for a page or a redirect in place of JSON;
    ///   `.invalidResponse` for anything else.
    func members() throws(OAuthError) -> OAuthMembers {
        if let unavailable { throw unavailable }
        let (status, root) = (response.head.status, root)
        if let root, root.object != nil {
            let members = OAuthMembers(root)
            if let error = members["error"], error.bool != false { throw refusal(error, members["error_description"]) }
            if status == 200 { return members }
        }
        if root == nil, isPage || (300..<400).contains(status) { throw pageInPlaceOfAnswer }
        let what =
            status == 200 ? "something that is no JSON object" : "\(status) without the object that belongs there"
        throw OAuthError(.invalidResponse, "\(endpoint) answered \(what)")
    }

    /// The failure of a page where an answer belongs.
    var pageInPlaceOfAnswer: OAuthError {
        OAuthError(
            .unexpectedContentType,
            "\(endpoint) answered a page; a captive portal or a gateway may stand in between: open a browser to see it")
    }

    /// Whether the body is no longer than an answer can be.
    var isShort: Bool { response.body.count <= Self.sizeLimit }

    /// The failure of a server that cannot answer now: 429, 5xx, or an error that says so itself.
    ///
    /// The server's code is in its message and nowhere else.
    var unavailable: OAuthError? {
        let (status, code) = (response.head.status, root?["error"]?.string ?? "")
        guard status == 429 || status >= 500 || OAuthError.Code.isTrouble(code) else { return nil }
        let reason = code.isEmpty ? "" : " (\(secrets.line(code, limit: 100)))"
        return OAuthError(
            .serverUnavailable, "\(endpoint) answered \(status)\(reason); try again later",
            retryAfter: RetryAfter.delay(in: response.head.fields))
    }

    private var root: JSONValue? {
        isShort ? try? JSONValue(parsing: response.body) : nil
    }

    private func refusal(_ error: JSONValue, _ description: JSONValue?) -> OAuthError {
        let code = secrets.line(error.string ?? "", limit: 100)
        guard !code.isBlank else {
            return OAuthError(.invalidResponse, "the server answered an error that has no name")
        }
        let message = secrets.line(description?.string ?? "")
        return OAuthError(
            .init(rawValue: code), !message.isBlank ? message : "no description given",
            retryAfter: RetryAfter.delay(in: response.head.fields))
    }

    /// Whether the body is a page or calls itself something other than JSON.
    private var isPage: Bool {
        let type = response.head.fields["Content-Type"]?.lowercased() ?? ""
        if !type.isEmpty, !type.hasBytes("json") { return true }
        return response.body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}

extension OAuthError.Code {
    /// Whether a server says with this code that it cannot answer now (RFC 6749 §4.1.2.1), which is no verdict.
    static func isTrouble(_ code: String) -> Bool { code == "temporarily_unavailable" || code == "server_error" }
}
