// SPDX-License-Identifier: Apache-2.0

extension HTTPFields.Field {
    /// Whether the value is a secret, or may be one, as its name says: credentials, keys, tokens and cookies.
    public var isSecret: Bool { SecretName.isSecret(name) }

    /// The value, or a placeholder for one that is a secret.
    public var shownValue: String { isSecret ? "«redacted»" : value }
}

extension HTTPFields.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The line, for people and logs; a secret value is left out.
    public var description: String { "\(name): \(shownValue)" }
    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows no secret value.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
    }
}

extension HTTPBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How large the body is or where it comes from; its bytes may be a form with a password.
    public var description: String {
        switch self {
        case .empty: "no body"
        case .bytes(let bytes): "\(bytes.count) bytes"
        case .file(let file): "the file \(file.path)"
        case .stream(let source): source.length.map { "a stream of \($0) bytes" } ?? "a stream"
        }
    }

    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows no bytes.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// Which header fields and parameters have values that nobody else may read, told by their names.
///
/// The one rule for all that is shown, logged or kept. It hides too much rather than too little: whoever names a field
/// is not known, and a value that was hidden for nothing costs less than one that was shown.
package enum SecretName {
    /// What a name says that stands for a secret, in lower case.
    private static let words = [
        "key", "token", "secret", "auth", "session", "cookie", "passw", "credential", "signature", "assertion",
    ]
    /// Short names, which would be found within harmless ones.
    private static let names: Set<String> = [
        "pw", "pwd", "otp", "sid", "sig", "jwt", "code", "user_code", "device_code", "code_verifier",
    ]
    /// What contains one of the words and asks for a secret, names a kind, or has none.
    private static let harmless: Set<String> = [
        "www-authenticate", "proxy-authenticate", "authority", "author", "token_type", "token_type_hint",
    ]

    /// Whether the value of that name is a secret, or may be one; letters count without case.
    package static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !harmless.contains(name) else { return false }
        return names.contains(name) || words.contains { name.contains($0) }
    }
}
