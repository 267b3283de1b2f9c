// SPDX-License-Identifier: Apache-2.0

extension Encodable {
    /// Encodes the value as JSON: valid UTF-8, exact integers, and doubles in the shortest form that parses to the same
    /// value.
    ///
    /// Members are written in the order in which the type encodes them, unless `options.sortedKeys` is set.
    ///
    /// - Parameter options: Key strategy, rules for single types, layout and `userInfo`.
    /// - Returns: The text in UTF-8.
    /// - Throws: `JSONEncodingError` with the coding path of the value that cannot be encoded.
    public func json(options: JSONEncodingOptions = .init()) throws(JSONEncodingError) -> [UInt8] {
        let fragment = JSONFragment(shared: .init(options: options), path: [])
        do {
            try JSONValueEncoder(fragment: fragment, id: fragment.frame.id).encode(self)
        } catch {
            throw JSONEncodingError(error)
        }
        let bytes = fragment.finish()
        guard options.pretty || options.sortedKeys else { return bytes }
        return try JSONValue(written: bytes).bytes(pretty: options.pretty, sortedKeys: options.sortedKeys)
    }
}

extension JSONValue {
    /// Encodes an `Encodable` value as a JSON value.
    ///
    /// - Throws: `JSONEncodingError` with the coding path of the value that cannot be encoded.
    public init(encoding value: some Encodable, options: JSONEncodingOptions = .init()) throws(JSONEncodingError) {
        var compact = options
        (compact.pretty, compact.sortedKeys) = (false, false)
        try self.init(written: try value.json(options: compact))
    }

    /// Parses a text written by this module, which can be rejected only for its length.
    fileprivate init(written bytes: [UInt8]) throws(JSONEncodingError) {
        do throws(JSONError) {
            try self.init(parsing: bytes, limits: .unlimitedDepth)
        } catch {
            throw JSONEncodingError(
                reason: .invalidValue, codingPath: [], message: "the JSON is too long", underlying: error)
        }
    }
}

/// Options for encoding `Encodable` types as JSON.
///
/// This module does not know Foundation types. Add a rule for each type such as `Date` or `Decimal`:
///
/// ```swift
/// var options = JSONEncodingOptions()
/// options.encode(Decimal.self) { JSONValue(numberText: $0.description) ?? .null }
/// ```
public struct JSONEncodingOptions: Sendable {
    /// A conversion from the string values of coding keys to names in the text.
    public enum KeyStrategy: Sendable {
        /// Uses keys unchanged.
        case useDefaultKeys
        /// Converts `firstName` to `first_name`.
        case convertToSnakeCase
        /// Converts keys with a custom function.
        case custom(@Sendable (String) -> String)
    }

    /// The conversion from the string values of coding keys to names in the text.
    public var keyStrategy: KeyStrategy

    /// Whether each member and element is written on a separate line.
    public var pretty: Bool

    /// Whether the members of every object are sorted by the UTF-8 bytes of their names.
    public var sortedKeys: Bool

    /// Values for `Encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    private(set) var rules: [ObjectIdentifier: Rule] = [:]

    /// Converts a value of one type, or returns `nil` for a value of another type.
    typealias Rule = @Sendable (Any) throws -> JSONValue?

    /// Creates options without rules.
    public init(
        keyStrategy: KeyStrategy = .useDefaultKeys, pretty: Bool = false, sortedKeys: Bool = false,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keyStrategy = keyStrategy
        self.pretty = pretty
        self.sortedKeys = sortedKeys
        self.userInfo = userInfo
    }

    /// Encodes a type by a rule instead of its own `encode(to:)`, at any depth.
    ///
    /// - Parameters:
    ///   - type: The type that the rule encodes. A later rule for the same type replaces an earlier one.
    ///   - rule: Returns the JSON, or throws for a value that cannot be encoded, which is reported with its coding
    ///     path.
    public mutating func encode<T>(_ type: T.Type, by rule: @escaping @Sendable (T) throws -> JSONValue) {
        rules[ObjectIdentifier(type)] = { value in try (value as? T).map(rule) }
    }
}

extension JSONEncodingOptions.KeyStrategy {
    /// The function that converts string values of keys to names, or `nil` if keys stay unchanged.
    var transform: (@Sendable (String) -> String)? {
        switch self {
        case .useDefaultKeys: nil
        case .convertToSnakeCase: JSONKeyCase.snake
        case .custom(let function): function
        }
    }
}
