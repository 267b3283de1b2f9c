// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestSDK
public import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that a record's field can have, as it stands in answers and in requests.
///
/// The properties of generated models have such types.
public protocol FieldValue: Hashable, Sendable {
    /// Reads the value of a field; `nil` where the JSON is of another kind.
    init?(field json: JSONValue)
    /// The value as a request has it.
    var fieldJSON: JSONValue { get }
}

extension String: FieldValue {
    /// Reads a text.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self = text
    }

    /// The text.
    public var fieldJSON: JSONValue { JSONValue(self) }
}

extension Bool: FieldValue {
    /// Reads `true` or `false`.
    public init?(field json: JSONValue) {
        guard let flag = json.bool else { return nil }
        self = flag
    }

    /// `true` or `false`.
    public var fieldJSON: JSONValue { JSONValue(self) }
}

extension Int: FieldValue {
    /// Reads a whole number; one with a fraction of zeros is whole.
    public init?(field json: JSONValue) {
        // bounded: no number is computed with here
        guard let number = json.int else { return nil }
        self = number
    }

    /// The number.
    public var fieldJSON: JSONValue { JSONValue(self) }
}

extension Decimal: FieldValue {
    /// Reads a number digit for digit.
    public init?(field json: JSONValue) {
        guard let text = json.numberText, let number = Decimal(string: text), !number.isNaN else { return nil }
        self = number
    }

    /// The number digit for digit; null for what is no number.
    public var fieldJSON: JSONValue { isNaN ? .null : JSONValue(numberText: "\(self)") ?? .null }
}

extension Date: FieldValue {
    /// Reads an instant in a form of ISO 8601.
    public init?(field json: JSONValue) {
        guard let text = json.string, let time = JSONTimestamp(text) else { return nil }
        self.init(timeIntervalSince1970: time.secondsSince1970)
    }

    /// The instant in UTC, rounded to milliseconds; null outside the years 0 to 9999.
    public var fieldJSON: JSONValue {
        JSONTimestamp(rounding: timeIntervalSince1970)?.text.map { JSONValue($0) } ?? .null
    }
}

extension SOQLDate: FieldValue {
    /// Reads `YYYY-MM-DD`.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }

    /// `YYYY-MM-DD`.
    public var fieldJSON: JSONValue { JSONValue(text) }
}

extension SOQLTime: FieldValue, SOQL.Bindable, LosslessStringConvertible, Codable {
    /// Reads `hh:mm:ss.SSSZ`, the form of a time in a record; `nil` for any other text.
    public init?(_ text: String) {
        guard let time = JSONTimestamp("1970-01-01T" + text), (0..<86_400).contains(time.seconds) else { return nil }
        let second = time.secondOfDay
        self.init(
            hour: second / 3_600, minute: second / 60 % 60, second: second % 60, nanosecond: time.nanoseconds)
    }

    /// `hh:mm:ss` with the shortest fraction, and `Z`.
    public var description: String { text + "Z" }

    /// Reads the text of a time.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }

    /// The text of the time, with milliseconds.
    public var fieldJSON: JSONValue {
        let clock = SOQLTime(hour: hour, minute: minute, second: second).text
        return JSONValue(clock + "." + String(1_000 + nanosecond / 1_000_000).dropFirst() + "Z")
    }

    /// A literal `hh:mm:ssZ`; `nil` for a time that no day has.
    public var soqlLiteral: SOQLLiteral? { isValid ? .time(self) : nil }

    /// Reads the text of a time.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }

    /// Writes the text of the time.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

extension JSONValue: FieldValue {
    /// Takes any value.
    public init?(field json: JSONValue) { self = json }

    /// The value itself.
    public var fieldJSON: JSONValue { self }
}

extension Decoder {
    /// Reads a value as a field has it.
    func fieldValue<Value: FieldValue>() throws -> Value {
        let container = try singleValueContainer()
        guard let value = Value(field: try container.decode(JSONValue.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "the value makes no \(Value.self)")
        }
        return value
    }
}

extension Encoder {
    /// Writes a value as a field has it.
    func write(_ value: some FieldValue) throws {
        var container = singleValueContainer()
        try container.encode(value.fieldJSON)
    }
}

/// An address, as a compound field of a record has it; to change it, change the fields that it is made of.
public struct RecordAddress: Codable, Hashable, Sendable {
    /// The lines above the city, with line breaks between.
    public var street: String?
    /// The city, the postal code, the state and the country, as people write them.
    public var city: String?, postalCode: String?, state: String?, country: String?
    /// The ISO codes of state and country, in orgs that keep lists of them.
    public var stateCode: String?, countryCode: String?
    /// Degrees north and east, where the org looked them up.
    public var latitude: Double?, longitude: Double?
    /// How exact the place is: `Address`, `Street`, `City` and others.
    public var geocodeAccuracy: String?

    /// An address of which nothing is known yet.
    public init() {}
}

/// A place, as a compound field of a record has it; to change it, change its two fields.
public struct RecordLocation: Codable, Hashable, Sendable {
    /// Degrees north.
    public var latitude: Double?
    /// Degrees east.
    public var longitude: Double?

    /// A place of which nothing is known yet.
    public init() {}
}

extension RecordAddress: FieldValue {
    /// Reads an address.
    public init?(field json: JSONValue) {
        guard json.object != nil, let address = try? json.decode(RecordAddress.self) else { return nil }
        self = address
    }

    /// The parts that are known.
    public var fieldJSON: JSONValue { (try? JSONValue(encoding: self)) ?? .null }
}

extension RecordLocation: FieldValue {
    /// Reads a place.
    public init?(field json: JSONValue) {
        guard json.object != nil, let location = try? json.decode(RecordLocation.self) else { return nil }
        self = location
    }

    /// The parts that are known.
    public var fieldJSON: JSONValue { (try? JSONValue(encoding: self)) ?? .null }
}
