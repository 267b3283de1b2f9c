// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK
public import SOQLSyntax

/// The values of a picklist: those that the describe listed, and any other one.
///
/// Generated models have an enum for each picklist, with a case for each value and `unlisted` for the rest, as an org
/// can get new values any day.
public protocol Picklist: RawRepresentable, FieldValue, Codable, SOQL.Bindable, CustomStringConvertible
where RawValue == String {
    /// The value of that name, as queries and records have it.
    init(rawValue: String)
    /// The values that the describe listed, in its order.
    static var listed: [Self] { get }
}

extension Picklist {
    /// Reads the value's name.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(rawValue: text)
    }

    /// The value's name.
    public var fieldJSON: JSONValue { JSONValue(rawValue) }
    /// The value's name.
    public var description: String { rawValue }
    /// Whether two are the same value, be it that only one of them is listed.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
    /// Adds the value's name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
    /// Reads the value's name.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }
    /// Writes the value's name.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

/// Several values of one picklist: what is chosen where a record can have more than one.
///
/// Their order means nothing: two choices of the same values are equal.
public struct MultiPicklist<Value: Picklist>: Sendable {
    /// The values, each once, in the order in which they came.
    public let values: [Value]

    /// The choice of these values.
    public init(_ values: some Sequence<Value>) {
        var seen: Set<Value> = []
        self.values = values.filter { seen.insert($0).inserted }
    }

    private var text: String { values.map(\.rawValue).joined(separator: ";") }
}

extension MultiPicklist: Hashable {
    /// Whether the same values are chosen.
    public static func == (left: MultiPicklist, right: MultiPicklist) -> Bool { Set(left.values) == Set(right.values) }
    /// Adds the values, whatever their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(Set(values)) }
}

extension MultiPicklist: RandomAccessCollection, ExpressibleByArrayLiteral, CustomStringConvertible {
    /// The choice of these values.
    public init(arrayLiteral elements: Value...) { self.init(elements) }
    /// The first place.
    public var startIndex: Int { values.startIndex }
    /// The place behind the last value.
    public var endIndex: Int { values.endIndex }
    /// The value at a place.
    public subscript(position: Int) -> Value { values[position] }
    /// The values' names with `;` between them.
    public var description: String { text }
}

extension MultiPicklist: FieldValue, SOQL.Bindable, Codable {
    /// Reads names with `;` between them.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text.split(byte: ";").map { Value(rawValue: String($0)) })
    }

    /// The names with `;` between them; null for none.
    public var fieldJSON: JSONValue { values.isEmpty ? .null : JSONValue(text) }
    /// The names with `;` between them, as a quoted literal: exactly these values; `null` for none.
    public var soqlLiteral: SOQLLiteral? { values.isEmpty ? .null : .string(text) }
    /// Reads names with `;` between them.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }
    /// Writes the names with `;` between them.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}
