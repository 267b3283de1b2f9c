// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// Takes the secrets out of a request before the journal keeps it.
enum JournalRedaction {
    private static let keptBody = 64 << 10

    /// What may be read of the parameters of a login; all others are secrets.
    private static let openParameters: Set<String> = [
        "grant_type", "response_type", "client_id", "scope", "username", "token_type_hint", "redirect_uri", "state",
        "code_challenge", "code_challenge_method", "prompt", "login_hint", "display", "action", "revoke_reason",
    ]

    /// Parameters that are secrets wherever they stand.
    private static let secretParameters: Set<String> = [
        "access_token", "refresh_token", "client_secret", "password", "code", "code_verifier", "assertion", "token",
        "user_code", "device_code",
    ]

    static func field(_ field: HTTPFields.Field) -> String {
        guard field.isSecret else { return field.value }
        guard field.name.isEqualIgnoringASCIICase(to: "Authorization") else { return Digest.fingerprint(field.value) }
        let parts = field.value.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return Digest.fingerprint(field.value) }
        return "\(parts[0]) \(Digest.fingerprint(String(parts[1])))"
    }

    static func target(_ target: String) -> String {
        guard let mark = target.firstIndex(of: "?") else { return target }
        let query = pairs(target[target.index(after: mark)...]) { secretParameters.contains($0) }
        return "\(target[...mark])\(query)"
    }

    /// The beginning of the body; of logins the form without its secrets, and nothing of a SOAP call.
    static func body(of request: ServerRequest) -> [UInt8] {
        if request.target.hasPrefix("/services/Soap/") { return [] }
        guard request.target.hasPrefix("/services/oauth2/") else { return Array(request.body.prefix(keptBody)) }
        let text = String(decoding: request.body.prefix(keptBody), as: UTF8.self)
        return Array(pairs(text[...]) { !openParameters.contains($0) }.utf8)
    }

    private static func pairs(_ text: Substring, isSecret: (String) -> Bool) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, isSecret(String(sides[0])) else { return String(pair) }
            let value = (try? PercentEncoding.decodeForm(String(sides[1]))) ?? String(sides[1])
            return "\(sides[0])=\(Digest.fingerprint(value))"
        }.joined(separator: "&")
    }
}
