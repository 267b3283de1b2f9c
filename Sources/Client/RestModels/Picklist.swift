// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK
public import SOQLSyntax

/// The values of a picklist: the values in the describe, and any other value.
///
/// Generated models have an enum for each picklist, with a case for each value and `unlisted` for other values, because
/// an org can add values at any time.
public protocol Picklist: RawRepresentable, FieldValue, Codable, SOQL.Bindable, CustomStringConvertible
where RawValue == String {
    /// Creates the value with this API name.
    init(rawValue: String)
    /// The values in the describe, in its order.
    static var listed: [Self] { get }
}

extension Picklist {
    /// Reads the value's API name.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(rawValue: text)
    }

    /// The value's API name.
    public var fieldJSON: JSONValue { JSONValue(rawValue) }
    /// The value's API name.
    public var description: String { rawValue }
    /// Whether both values have the same API name, even if only one of them is listed.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    /// Hashes the value's API name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    /// Decodes the value's API name.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }
    /// Encodes the value's API name.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

/// The selected values of a multi-select picklist.
///
/// Selections with the same values in another order are equal.
public struct MultiPicklist<Value: Picklist>: Sendable {
    /// The values without duplicates, in their original order.
    public let values: [Value]

    /// Creates a selection of these values.
    public init(_ values: some Sequence<Value>) {
        var seen: Set<Value> = []
        self.values = values.filter { seen.insert($0).inserted }
    }

    private var text: String { values.map(\.rawValue).joined(separator: ";") }
}

extension MultiPicklist: Hashable {
    /// Whether both have the same values, in any order.
    public static func == (left: MultiPicklist, right: MultiPicklist) -> Bool { Set(left.values) == Set(right.values) }
    /// Hashes the values, regardless of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }
}

extension MultiPicklist: RandomAccessCollection, ExpressibleByArrayLiteral, CustomStringConvertible {
    /// Creates a selection of these values.
    public init(arrayLiteral elements: Value...) { self.init(elements) }
    /// The first index.
    public var startIndex: Int { values.startIndex }
    /// The index after the last value.
    public var endIndex: Int { values.endIndex }
    /// The value at an index.
    public subscript(position: Int) -> Value { values[position] }
    /// The values' API names, separated by `;`.
    public var description: String { text }
}

extension MultiPicklist: FieldValue, SOQL.Bindable, Codable {
    /// Reads API names that are separated by `;`.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text.split(byte: ";").map { Value(rawValue: String($0)) })
    }

    /// The API names, separated by `;`, or null for an empty selection.
    public var fieldJSON: JSONValue { values.isEmpty ? .null : JSONValue(text) }
    /// The API names as a quoted literal, which matches exactly these values, or `null` for an empty selection.
    public var soqlLiteral: SOQLLiteral? { values.isEmpty ? .null : .string(text) }
    /// Decodes API names that are separated by `;`.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }
    /// Encodes the API names, separated by `;`.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}
