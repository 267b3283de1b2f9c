// SPDX-License-Identifier: Apache-2.0

extension JSONValue: ExpressibleByNilLiteral {
    /// Makes `null`.
    public init(nilLiteral: ()) { self = .null }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    /// Makes `true` or `false`.
    public init(booleanLiteral value: Bool) { self.init(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    /// Makes a number.
    public init(integerLiteral value: Int) { self.init(value) }
}

extension JSONValue: ExpressibleByFloatLiteral {
    /// Makes a number; a literal beyond the range of doubles makes `null`.
    public init(floatLiteral value: Double) { self = JSONValue(value) ?? .null }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    /// Makes a string.
    public init(stringLiteral value: String) { self.init(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    /// Makes an array.
    public init(arrayLiteral elements: JSONValue...) { self.init(JSONArray(elements)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Makes an object with its members in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(JSONObject(members: elements.map { (key: $0.0, value: $0.1) }))
    }
}
