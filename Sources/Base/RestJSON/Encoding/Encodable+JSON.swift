// SPDX-License-Identifier: Apache-2.0

extension Encodable {
    /// The value as a JSON text: valid UTF-8, integers exact, doubles in the shortest form that reads back as the same.
    ///
    /// Members are written in the order in which the type encodes them.
    ///
    /// - Parameter options: Key strategy, rules for single types, layout and `userInfo`.
    /// - Returns: The text in UTF-8.
    /// - Throws: `JSONEncodingError` with the path to the value that cannot be written.
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
    /// Makes the JSON value of an `Encodable` one.
    ///
    /// - Throws: `JSONEncodingError` with the path to the value that cannot be written.
    public init(encoding value: some Encodable, options: JSONEncodingOptions = .init()) throws(JSONEncodingError) {
        var compact = options
        (compact.pretty, compact.sortedKeys) = (false, false)
        try self.init(written: try value.json(options: compact))
    }

    /// Parses a text of this module's own making, which can only be refused for its length.
    fileprivate init(written bytes: [UInt8]) throws(JSONEncodingError) {
        do throws(JSONError) {
            try self.init(parsing: bytes, limits: .unlimitedDepth)
        } catch {
            throw JSONEncodingError(
                reason: .invalidValue, codingPath: [], message: "the text is too long", underlying: error)
        }
    }
}

/// How `Encodable` types are written as JSON.
///
/// As this module knows no Foundation types, types such as `Date` and `Decimal` are given a rule:
///
/// ```swift
/// var options = JSONEncodingOptions()
/// options.encode(Decimal.self) { JSONValue(numberText: $0.description) ?? .null }
/// ```
public struct JSONEncodingOptions: Sendable {
    /// How the string values of coding keys become names in the text.
    public enum KeyStrategy: Sendable {
        /// Keys are taken as they are.
        case useDefaultKeys
        /// `firstName` becomes `first_name`.
        case convertToSnakeCase
        /// Keys are changed by a function.
        case custom(@Sendable (String) -> String)
    }

    /// How the string values of coding keys become names in the text.
    public var keyStrategy: KeyStrategy

    /// Whether to put each member and element on a line of its own.
    public var pretty: Bool

    /// Whether to order the members of every object by the UTF-8 bytes of their names.
    public var sortedKeys: Bool

    /// Values for `Encoder.userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable]

    /// The rules for single types, by type.
    private(set) var rules: [ObjectIdentifier: Rule] = [:]

    /// Writes a value of one type; nil for a value of another one.
    typealias Rule = @Sendable (Any) throws -> JSONValue?

    /// Makes options without rules for single types.
    public init(
        keyStrategy: KeyStrategy = .useDefaultKeys, pretty: Bool = false, sortedKeys: Bool = false,
        userInfo: [CodingUserInfoKey: any Sendable] = [:]
    ) {
        self.keyStrategy = keyStrategy
        self.pretty = pretty
        self.sortedKeys = sortedKeys
        self.userInfo = userInfo
    }

    /// Writes a type by a rule in place of its own `encode(to:)`, wherever it stands.
    ///
    /// - Parameters:
    ///   - type: The type; later rules for the same type replace earlier ones.
    ///   - rule: Gives the JSON, or throws for a value that cannot be written, which is reported with its place.
    public mutating func encode<T>(_ type: T.Type, by rule: @escaping @Sendable (T) throws -> JSONValue) {
        rules[ObjectIdentifier(type)] = { value in try (value as? T).map(rule) }
    }
}

extension JSONEncodingOptions.KeyStrategy {
    /// The function from string values of keys to names; nil when keys stay as they are.
    var transform: (@Sendable (String) -> String)? {
        switch self {
        case .useDefaultKeys: nil
        case .convertToSnakeCase: JSONKeyCase.snake
        case .custom(let function): function
        }
    }
}
