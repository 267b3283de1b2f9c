// SPDX-License-Identifier: Apache-2.0

import RestBase

/// How `Decodable` types are read from JSON.
///
/// Names are told apart by their bytes (RFC 8259 8.3), so two ways to write `é` are two keys of a type. A `Dictionary`
/// by `String` has one entry for both, the later one, as Swift compares strings by their characters; read a
/// ``JSONObject`` where that matters.
///
/// This module knows no Foundation types. A type that shall not be read by its own `init(from:)`, such as `Date` or
/// `Decimal`, is given a rule:
///
/// ```swift
/// var options = JSONDecodingOptions()
/// options.decode(Date.self) { value in
///     guard let text = value.string, let time = JSONTimestamp(text) else { return nil }
///     return Date(timeIntervalSince1970: time.secondsSince1970)
/// }
/// ```
public struct JSONDecodingOptions: Sendable {
    /// How names in the text become the string values of coding keys.
    public enum KeyStrategy: Sendable {
        /// Names are taken as they are.
        case useDefaultKeys
        /// `first_name` becomes `firstName`; underscores at either end stay.
        case convertFromSnakeCase
        /// Names are changed by a function.
        case custom(@Sendable (String) -> String)
    }

    /// How names in the text become the string values of coding keys.
    public var keyStrategy: KeyStrategy

    /// Values for `Decoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// Whether decoding ends when the task it runs in is cancelled; long arrays look now and then.
    package var heedsCancellation = false

    /// The rules for single types, by type.
    private(set) var rules: [ObjectIdentifier: Rule] = [:]

    /// Reads a value as one type; nil means that the value does not fit.
    typealias Rule = @Sendable (JSONValue) throws -> Any?

    /// Makes options without rules for single types.
    public init(
        keyStrategy: KeyStrategy = .useDefaultKeys, userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keyStrategy = keyStrategy
        self.userInfo = userInfo
    }

    /// Reads a type by a rule in place of its own `init(from:)`, wherever it stands.
    ///
    /// - Parameters:
    ///   - type: The type; later rules for the same type replace earlier ones.
    ///   - rule: Gives the value, nil for JSON that does not fit, which is reported with its place, or throws.
    public mutating func decode<T>(_ type: T.Type, by rule: @escaping @Sendable (JSONValue) throws -> T?) {
        rules[ObjectIdentifier(type)] = { try rule($0) }
    }
}

extension JSONDecodingOptions.KeyStrategy {
    /// The function from names to string values of keys; nil when names stay as they are.
    var transform: (@Sendable (String) -> String)? {
        switch self {
        case .useDefaultKeys: nil
        case .convertFromSnakeCase: JSONKeyCase.camel
        case .custom(let function): function
        }
    }
}

/// The two ways to write names of several words.
enum JSONKeyCase {
    /// `first_name` as `firstName`, `_id` as `_id`, `URL_path` as `URLPath`.
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

    /// `firstName` as `first_name`, `myURLPath` as `my_url_path`.
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
