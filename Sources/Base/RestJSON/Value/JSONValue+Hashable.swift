// SPDX-License-Identifier: Apache-2.0
/// Equality by meaning: numbers by their exact value (`1` equals `1.0`), strings by their scalars, and objects
/// regardless of order, by the last member of each name.
extension JSONValue: Hashable {
    /// Whether two values are equal by meaning.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left.kind, right.kind) {
        case (.null, .null): true
        case (.bool, .bool): left.bool == right.bool
        case (.number, .number): left.hasSameNumber(as: right)
        case (.string, .string): JSONName(left.string ?? "") == JSONName(right.string ?? "")
        case (.array, .array): left.array == right.array
        case (.object, .object): left.object == right.object
        default: false
        }
    }

    /// Hashes the meaning, consistent with `==`.
    public func hash(into hasher: inout Hasher) {
        let kind = kind
        hasher.combine(kind)
        switch kind {
        case .null: break
        case .bool: hasher.combine(bool)
        case .number: hasher.combine(decimal)
        case .string: JSONName(string ?? "").hash(into: &hasher)
        case .array: array?.hash(into: &hasher)
        case .object: object?.hash(into: &hasher)
        }
    }

    private func hasSameNumber(as other: JSONValue) -> Bool {
        if case .integer(let left) = storage, case .integer(let right) = other.storage { return left == right }
        guard let left = decimal, let right = other.decimal else { return numberText == other.numberText }
        return left == right
    }

    /// The exact value, or `nil` if the exponent is beyond `Int` and the number is compared by its text.
    private var decimal: JSONDecimal? {
        numberText.flatMap { JSONDecimal(ArraySlice($0.utf8)) }
    }
}

extension JSONArray: Hashable {
    /// Whether two arrays are equal by meaning.
    public static func == (left: JSONArray, right: JSONArray) -> Bool { left.elementsEqual(right) }

    /// Hashes the meaning, consistent with `==`.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}

extension JSONObject: Hashable {
    /// Whether two objects are equal by meaning.
    public static func == (left: JSONObject, right: JSONObject) -> Bool { left.dictionary == right.dictionary }

    /// Hashes the meaning, consistent with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(dictionary) }

    /// The value of the last member of each name.
    private var dictionary: [JSONName: JSONValue] {
        Dictionary(map { (JSONName($0.key), $0.value) }, uniquingKeysWith: { $1 })
    }
}

extension JSONValue: ExpressibleByNilLiteral {
    /// Creates `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Creates `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Creates a number.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Creates a number, or `null` for a literal beyond the range of `Double`.
    public init(floatLiteral value: Double) { self = JSONValue(value) ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self.init(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Creates an array.
    public init(arrayLiteral elements: JSONValue...) { self.init(JSONArray(elements)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Creates an object with its members in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(members: elements.map { (key: $0.0, value: $0.1) }))
    }
}
