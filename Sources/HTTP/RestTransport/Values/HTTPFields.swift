// SPDX-License-Identifier: Apache-2.0

import RestBase

/// HTTP headers in the order they were sent, including repeated ones, with case-insensitive names (RFC 9110 §5).
public struct HTTPFields: Sendable, Hashable {
    /// One header line.
    public struct Field: Sendable, Hashable {
        /// The header's name as given, which the subscripts of `HTTPFields` compare without case.
        public var name: String
        /// The header's value without leading and trailing whitespace.
        public var value: String

        /// Creates a header line.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether names and values have the same bytes.
        ///
        /// Swift strings that differ only in Unicode normalization (NFC, NFD) are equal, but a server distinguishes
        /// them.
        public static func == (left: Field, right: Field) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
        }
    }

    private var fields: [Field] = []

    /// Creates an empty list of headers.
    public init() {}

    /// The first value of the header, or `nil` if it is absent.
    ///
    /// Setting it replaces all lines of that name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value }
        set {
            let position = fields.firstIndex { $0.name.isEqualIgnoringASCIICase(to: name) }
            fields.removeAll { $0.name.isEqualIgnoringASCIICase(to: name) }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: position ?? fields.endIndex)
        }
    }

    /// Returns all values of the header in the order received.
    ///
    /// - Parameter name: the name, in any case.
    /// - Returns: the values, or an empty array if the header is absent.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.isEqualIgnoringASCIICase(to: name) }.map(\.value)
    }

    /// Adds a line and leaves other lines of the same name in place.
    ///
    /// - Parameters:
    ///   - name: the header's name.
    ///   - value: the header's value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    package mutating func append(_ field: Field) { fields.append(field) }

    package init(_ lines: some Sequence<Field>) { fields = Array(lines) }

    package mutating func replace(at position: Int, with field: Field) {
        fields[position] = field
    }

    package mutating func removeAll(where isUnwanted: (_ name: String) -> Bool) {
        fields.removeAll { isUnwanted($0.name) }
    }

    /// Reserves space for the given number of lines.
    public mutating func reserveCapacity(_ count: Int) {
        // bounded: the count comes from the program itself
        fields.reserveCapacity(count)
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The index of the first line.
    public var startIndex: Int { fields.startIndex }
    /// The index after the last line.
    public var endIndex: Int { fields.endIndex }
    /// The line at an index.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Creates headers from a literal, in its order.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension String {
    /// Whether two header names are equal (RFC 9110 §5.1: names are case-insensitive ASCII).
    package func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        for (left, right) in zip(utf8, other.utf8) where left != right {
            guard left ^ right == 0x20, (0x61...0x7A).contains(left | 0x20) else { return false }
        }
        return true
    }
}

extension HTTPFields.Field {
    /// Whether the header's name suggests that its value is a secret, such as a credential, key, token or cookie.
    public var isSecret: Bool { SecretName.isSecret(name) }

    /// The value, or a placeholder if the value may be a secret.
    public var shownValue: String { isSecret ? "«redacted»" : value }
}

extension HTTPFields.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The line for logs, without a secret value.
    public var description: String { "\(name): \(shownValue)" }
    /// The line, as in `description`.
    public var debugDescription: String { description }
    /// A mirror without a secret value.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
    }
}

extension HTTPBody: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The body's size or origin, without its bytes, which may contain a password.
    public var description: String {
        switch self {
        case .empty: "no body"
        case .bytes(let bytes): "\(bytes.count) bytes"
        case .file(let file): "the file \(file.path)"
        case .stream(let source): source.length.map { "a stream of \($0) bytes" } ?? "a stream"
        }
    }

    /// The size or origin, as in `description`.
    public var debugDescription: String { description }
    /// A mirror without the bytes.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .enum) }
}

/// Determines by name which headers and parameters have secret values.
///
/// This rule applies to everything that is shown, logged or stored. It hides too much rather than too little, because
/// servers and apps choose names freely, and hiding a harmless value costs less than showing a secret.
package enum SecretName {
    /// Lower-case words that mark a name as secret.
    private static let words = [
        "key", "token", "secret", "auth", "session", "cookie", "passw", "credential", "signature", "assertion",
    ]
    /// Short names that must match exactly, because harmless names may contain them.
    private static let names: Set<String> = [
        "pw", "pwd", "otp", "sid", "sig", "jwt", "code", "user_code", "device_code", "code_verifier",
    ]
    /// Names that contain one of the words but have no secret value.
    private static let harmless: Set<String> = [
        "www-authenticate", "proxy-authenticate", "authority", "author", "token_type", "token_type_hint",
    ]

    /// Whether a value of this name may be a secret, ignoring case.
    package static func isSecret(_ name: String) -> Bool {
        let name = name.lowercased()
        guard !harmless.contains(name) else { return false }
        return names.contains(name) || words.contains { name.contains($0) }
    }
}
