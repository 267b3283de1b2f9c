// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

/// Reads what an endpoint of an authorization server answered.
enum OAuthAnswer {
    /// The JSON object of a successful answer.
    ///
    /// - Throws: ``OAuthError`` with the server's own code when the object has an `error`, whatever the status;
    ///   `.serverUnavailable` for 429 and 5xx; `.unexpectedContentType` for a page where JSON belongs;
    ///   `.invalidResponse` for anything else.
    static func object(of response: HTTPResponse, from endpoint: String) throws(OAuthError) -> JSONValue {
        let status = response.head.status
        let root = try? JSONValue(parsing: response.body)
        if root?.object != nil, let error = root?["error"] {
            throw refusal(error, root?["error_description"]?.string, response)
        }
        if let failure = unavailable(response, endpoint) { throw failure }
        if let root, root.object != nil, status == 200 { return root }
        guard root == nil, status == 200 else {
            throw OAuthError(.invalidResponse, "\(endpoint) answered \(status) without the object that belongs there")
        }
        guard isPage(response) else {
            throw OAuthError(.invalidResponse, "\(endpoint) answered something that is not JSON")
        }
        throw OAuthError(
            .unexpectedContentType,
            "\(endpoint) answered a page; a captive portal or a gateway may stand in between: open a browser to see it")
    }

    /// The failure of a server that cannot answer now (429, 5xx).
    static func unavailable(_ response: HTTPResponse, _ endpoint: String) -> OAuthError? {
        let status = response.head.status
        guard status == 429 || status >= 500 else { return nil }
        return OAuthError(
            .serverUnavailable, "\(endpoint) answered \(status); try again later",
            retryAfter: RetryAfter.delay(in: response.head.fields))
    }

    private static func refusal(_ error: JSONValue, _ description: String?, _ response: HTTPResponse) -> OAuthError {
        guard let code = error.string, !code.isEmpty else {
            return OAuthError(.invalidResponse, "the server answered an error that has no name")
        }
        return OAuthError(
            .init(rawValue: PlainText.line(code, limit: 100)),
            description.map { PlainText.line($0) } ?? "no description given",
            retryAfter: RetryAfter.delay(in: response.head.fields))
    }

    /// Whether the body is a page or calls itself something other than JSON.
    private static func isPage(_ response: HTTPResponse) -> Bool {
        let type = response.head.fields["Content-Type"]?.lowercased() ?? ""
        if !type.isEmpty, !type.contains("json") { return true }
        return response.body.first { !" \t\r\n".utf8.contains($0) } == UInt8(ascii: "<")
    }
}

/// Texts of a server that people will see.
enum PlainText {
    /// The text as one line that cannot steer a terminal: no control characters, and no more than `limit` characters.
    static func line(_ text: String, limit: Int = 300) -> String {
        let visible = text.unicodeScalars.map { isControl($0) ? " " : Character($0) }
        return visible.count > limit ? String(visible.prefix(limit)) + "…" : String(visible)
    }

    /// Whether the text has characters that could steer a terminal or turn the direction of what follows.
    static func steersTerminal(_ text: String) -> Bool { text.unicodeScalars.contains(where: isControl) }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
