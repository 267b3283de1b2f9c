// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import Synchronization

/// Takes the secrets out of a request before the journal keeps it.
///
/// Paths and names are compared decoded and in lower case, since each of them can be spelled in many ways that a server
/// treats as equal. What cannot be decoded is shown as a fingerprint.
package struct JournalRedaction: Sendable {
    /// What the folded paths of logins begin with, and of requests whose bodies are never kept.
    private let logins: String
    private let hidden: String?

    package init(logins: String, hidden: String? = nil) {
        self.logins = logins
        self.hidden = hidden
    }

    private static let keptBody = 64 << 10

    /// The parameters of a login that may be shown; all others are secrets.
    private static let openParameters: Set<String> = [
        "grant_type", "response_type", "client_id", "scope", "username", "token_type_hint", "redirect_uri", "state",
        "code_challenge", "code_challenge_method", "prompt", "login_hint", "display", "action", "revoke_reason",
    ]

    /// Parameters that are always secret.
    private static let secretParameters: Set<String> = [
        "access_token", "refresh_token", "client_secret", "password", "code", "code_verifier", "assertion", "token",
        "oauth_token", "user_code", "device_code",
    ]

    /// What was found out about names: clients send the same ones with every request.
    private static let known = Mutex<[String: Bool]>([:])
    private static let mostKnown = 200

    private static func isSecret(_ name: String) -> Bool {
        known.withLock { known in
            if let isSecret = known[name] { return isSecret }
            let isSecret = SecretName.isSecret(name)
            if known.count < mostKnown { known[name] = isSecret }
            return isSecret
        }
    }

    static func field(_ field: HTTPFields.Field) -> String {
        guard isSecret(field.name) else { return field.value }
        guard field.name.isEqualIgnoringASCIICase(to: "Authorization") else { return Digest.fingerprint(field.value) }
        let parts = field.value.split(byte: " ", maxSplits: 1)
        guard parts.count == 2 else { return Digest.fingerprint(field.value) }
        return "\(parts[0]) \(Digest.fingerprint(String(parts[1])))"
    }

    static func target(_ target: String) -> String {
        guard let (path, query) = target.cut(byte: "?") else { return target }
        return "\(path)?\(pairs(query) { secretParameters.contains($0) })"
    }

    /// The beginning of the body, without its secrets.
    ///
    /// It is empty for a SOAP call and for a login that is not a form.
    func body(of request: ServerRequest) -> [UInt8] {
        let isForm = request.mediaType == "application/x-www-form-urlencoded"
        let kept = request.body.prefix(Self.keptBody)
        guard let path = request.path?.folded, hidden.map({ !path.hasBytes(prefix: $0) }) ?? true else { return [] }
        if path.hasBytes(prefix: logins) {
            return isForm ? Self.form(kept) { !Self.openParameters.contains($0) } : []
        }
        return isForm ? Self.form(kept) { Self.secretParameters.contains($0) } : Array(kept)
    }

    private static func form(_ bytes: ArraySlice<UInt8>, isSecret: (String) -> Bool) -> [UInt8] {
        Array(pairs(String(decoding: bytes, as: UTF8.self)[...], isSecret: isSecret).utf8)
    }

    private static func pairs(_ text: Substring, isSecret: (String) -> Bool) -> String {
        text.split(byte: "&", omittingEmptySubsequences: false).map { pair in
            let sides = pair.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = try? PercentEncoding.decodeForm(String(sides[0])) else {
                return Digest.fingerprint(String(pair))
            }
            guard !pair.isEmpty, isSecret(name.lowercased()) else { return String(pair) }
            // A body that is not a form may have a secret where a name should be.
            guard sides.count == 2, name.utf8.count <= 40,
                name.unicodeScalars.allSatisfy({ $0 == "_" || $0.properties.isAlphabetic })
            else {
                return Digest.fingerprint(String(pair))
            }
            let value = (try? PercentEncoding.decodeForm(String(sides[1]))) ?? String(sides[1])
            return "\(sides[0])=\(Digest.fingerprint(value))"
        }.joined(separator: "&")
    }
}
