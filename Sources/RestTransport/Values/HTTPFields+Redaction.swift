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
        case .file(let path): "the file \(path)"
        case .stream(let source): source.length.map { "a stream of \($0) bytes" } ?? "a stream"
        }
    }

    /// The same as `description`.
    public var debugDescription: String { description }
    /// A mirror that shows no bytes.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}
