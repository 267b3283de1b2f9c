// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// What a resource says when it refuses an access token: `WWW-Authenticate: Bearer …` (RFC 6750 §3).
///
/// It is read strictly and only for its `error`: nothing of it is ever sent anywhere.
struct BearerChallenge: Equatable {
    /// The parameters by their names in lower case.
    let parameters: [String: String]

    /// Reads one field; `nil` for another scheme and for anything that breaks the grammar (RFC 9110 §11.2).
    init?(_ field: String) {
        guard field.prefix(7).lowercased() == "bearer " else { return nil }
        var rest = field.utf8.dropFirst(7)
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

    /// A token, or a quoted text of visible ASCII without escapes, which the error parameters of a challenge never
    /// have.
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

    /// The error for a 401 or 403.
    static func refusal(of response: HTTPResponse, to secrets: SentSecrets) -> OAuthError {
        let challenge = response.head.fields.values(of: "WWW-Authenticate").lazy.compactMap { BearerChallenge($0) }
            .first
        let error = challenge?.parameters["error"] ?? ""
        let code = error.isEmpty ? .invalidToken : OAuthError.Code(rawValue: secrets.line(error, limit: 100))
        return OAuthError(code, "the server refuses the access token here (status \(response.head.status))")
    }
}
