// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Options for decoding `Decodable` types from JSON.
///
/// Names are compared by their bytes (RFC 8259, section 8.3), so the two Unicode spellings of `é` are two different
/// keys. A `Dictionary` with `String` keys has one entry for both (the later value), because Swift compares strings by
/// canonical equivalence. Use a ``JSONObject`` where that matters.
///
/// This module does not know Foundation types. Add a rule for each type that should not use its own `init(from:)`, such
/// as `Date` or `Decimal`:
///
/// ```swift
/// var options = JSONDecodingOptions()
/// options.decode(Date.self) { value in
///     guard let text = value.string, let time = JSONTimestamp(text) else { return nil }
///     return Date(timeIntervalSince1970: time.secondsSince1970)
/// }
/// ```
public struct JSONDecodingOptions: Sendable {
    /// A conversion from names in the text to the string values of coding keys.
    public enum KeyStrategy: Sendable {
        /// Uses names unchanged.
        case useDefaultKeys
        /// Converts `first_name` to `firstName`, leaving leading and trailing underscores.
        case convertFromSnakeCase
        /// Converts names with a custom function.
        case custom(@Sendable (String) -> String)
    }

    /// The conversion from names in the text to the string values of coding keys.
    public var keyStrategy: KeyStrategy

    /// Values for `Decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Whether decoding a long array stops when the current task is cancelled.
    package var heedsCancellation = false

    private(set) var rules: [ObjectIdentifier: Rule] = [:]

    /// Converts a value to one type, or returns `nil` if the value does not fit.
    typealias Rule = @Sendable (JSONValue) throws -> Any?

    /// Creates options without rules.
    public init(
        keyStrategy: KeyStrategy = .useDefaultKeys, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keyStrategy = keyStrategy
        self.userInfo = userInfo
    }

    /// Decodes a type by a rule instead of its own `init(from:)`, at any depth.
    ///
    /// - Parameters:
    ///   - type: The type that the rule decodes. A later rule for the same type replaces an earlier one.
    ///   - rule: Returns the value, or `nil` if the JSON does not fit, which is reported with its coding path. Errors
    ///     that it throws are reported as well.
    public mutating func decode<T>(_ type: T.Type, by rule: @escaping @Sendable (JSONValue) throws -> T?) {
        rules[ObjectIdentifier(type)] = { try rule($0) }
    }
}

extension JSONDecodingOptions.KeyStrategy {
    /// The function that converts names to string values of keys, or `nil` if names stay unchanged.
    var transform: (@Sendable (String) -> String)? {
        switch self {
        case .useDefaultKeys: nil
        case .convertFromSnakeCase: JSONKeyCase.camel
        case .custom(let function): function
        }
    }
}

/// Conversions between `camelCase` and `snake_case` names.
enum JSONKeyCase {
    /// Converts `first_name` to `firstName` and `URL_path` to `URLPath`, but leaves `_id`.
    static func camel(_ name: String) -> String {
        // prose: names are cut as Foundation's decoder cuts them
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(byte: "_")
        guard words.count > 1, let head = words.first else { return name }
        let tail = words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }
        return name[..<first] + head.lowercased() + tail.joined() + name[name.index(after: last)...]
    }

    /// Converts `firstName` to `first_name` and `myURLPath` to `my_url_path`.
    static func snake(_ name: String) -> String {
        var result = ""
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let startsWord =
                letter.isUppercase && index > 0 && letters[index - 1] != "_"
                && (!letters[index - 1].isUppercase || (index + 1 < letters.count && letters[index + 1].isLowercase))
            if startsWord { result.append("_") }
            result += letter.lowercased()
        }
        return result
    }
}
