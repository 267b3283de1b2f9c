// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Header fields in the order they were sent, repeats kept, names compared without case (RFC 9110 5).
public struct HTTPFields: Sendable, Hashable {
    /// One header field line.
    public struct Field: Sendable, Hashable {
        /// The field's name as given; compare with `HTTPFields` subscripts, which ignore case.
        public var name: String
        /// The field's value without surrounding blanks.
        public var value: String

        /// Makes a field line from a name and a value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }

        /// Whether both have the same bytes.
        ///
        /// A server keeps two spellings of a letter apart, such as NFC and NFD, which are equal as texts.
        public static func == (left: Field, right: Field) -> Bool {
            left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
        }
    }

    private var fields: [Field] = []

    /// Makes an empty list of fields.
    public init() {}

    /// The first value of the field, or `nil` when it is absent.
    ///
    /// Setting replaces every line of that name.
    public subscript(name: String) -> String? {
        get { fields.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value }
        set {
            let position = fields.firstIndex { $0.name.isEqualIgnoringASCIICase(to: name) }
            fields.removeAll { $0.name.isEqualIgnoringASCIICase(to: name) }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: position ?? fields.endIndex)
        }
    }

    /// Every value of the field in the order received.
    ///
    /// - Parameter name: the name, in any case.
    /// - Returns: the values; empty when there is no such line.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.isEqualIgnoringASCIICase(to: name) }.map(\.value)
    }

    /// Adds a line without touching others of the same name.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Adds a line without touching others of the same name.
    package mutating func append(_ field: Field) {
        fields.append(field)
    }

    /// Makes fields from some lines of others.
    package init(_ lines: some Sequence<Field>) {
        fields = Array(lines)
    }

    /// Puts another line in the place of one.
    package mutating func replace(at position: Int, with field: Field) {
        fields[position] = field
    }

    /// Removes every line whose name fulfils the condition.
    package mutating func removeAll(where isUnwanted: (_ name: String) -> Bool) {
        fields.removeAll { isUnwanted($0.name) }
    }

    /// Reserves room for the given number of lines.
    public mutating func reserveCapacity(_ count: Int) {
        // bounded: the word of the program itself
        fields.reserveCapacity(count)
    }
}

extension HTTPFields: RandomAccessCollection {
    /// The place of the first line.
    public var startIndex: Int { fields.startIndex }
    /// The place behind the last line.
    public var endIndex: Int { fields.endIndex }
    /// The line at a place.
    public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPFields: ExpressibleByDictionaryLiteral {
    /// Makes fields from a literal, in its order.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }
}

extension String {
    /// Whether two field names are the same token (RFC 9110 5.1: names are case-insensitive ASCII).
    package func isEqualIgnoringASCIICase(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        for (left, right) in zip(utf8, other.utf8) where left != right {
            guard left ^ right == 0x20, (0x61...0x7A).contains(left | 0x20) else { return false }
        }
        return true
    }
}

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
