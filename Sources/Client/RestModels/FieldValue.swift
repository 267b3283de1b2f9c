// SPDX-License-Identifier: Apache-2.0

public import RestJSON
public import RestSDK
public import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A type for the value of a record's field, such as a property of a generated model.
public protocol FieldValue: Hashable, Sendable {
    /// Reads the value of a field, or returns `nil` if the JSON is of another kind.
    init?(field json: JSONValue)
    /// The value as JSON for a request.
    var fieldJSON: JSONValue { get }
}

extension String: FieldValue {
    /// Reads a string.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self = text
    }

    /// The string.
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
    /// Reads a whole number, even with a fraction of zeros.
    public init?(field json: JSONValue) {
        // bounded: no number is computed with here
        guard let number = json.int else { return nil }
        self = number
    }

    /// The number.
    public var fieldJSON: JSONValue { JSONValue(self) }
}

extension Decimal: FieldValue {
    /// Reads a number without rounding.
    public init?(field json: JSONValue) {
        guard let text = json.numberText, let number = Decimal(string: text), !number.isNaN else { return nil }
        self = number
    }

    /// The number without rounding, or null for NaN.
    public var fieldJSON: JSONValue { isNaN ? .null : JSONValue(numberText: "\(self)") ?? .null }
}

extension Date: FieldValue {
    /// Reads a date and time in a form of ISO 8601.
    public init?(field json: JSONValue) {
        guard let text = json.string, let time = JSONTimestamp(text) else { return nil }
        self.init(timeIntervalSince1970: time.secondsSince1970)
    }

    /// The date and time in UTC, rounded to milliseconds, or null outside the years 0 to 9999.
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
    /// Reads `hh:mm:ss.SSSZ`, the form of a time in a record, or returns `nil` for any other string.
    public init?(_ text: String) {
        guard let time = JSONTimestamp("1970-01-01T" + text), (0..<86_400).contains(time.seconds) else { return nil }
        let second = time.secondOfDay
        self.init(
            hour: second / 3_600, minute: second / 60 % 60, second: second % 60, nanosecond: time.nanoseconds)
    }

    /// `hh:mm:ss` with the shortest fraction, and `Z`.
    public var description: String { text + "Z" }

    /// Reads a time in its string form.
    public init?(field json: JSONValue) {
        guard let text = json.string else { return nil }
        self.init(text)
    }

    /// The time as a string, with milliseconds.
    public var fieldJSON: JSONValue {
        let clock = SOQLTime(hour: hour, minute: minute, second: second).text
        return JSONValue(clock + "." + String(1_000 + nanosecond / 1_000_000).dropFirst() + "Z")
    }

    /// A literal `hh:mm:ssZ`, or `nil` for an invalid time.
    public var soqlLiteral: SOQLLiteral? { isValid ? .time(self) : nil }

    /// Decodes the string form of a time.
    public init(from decoder: any Decoder) throws { self = try decoder.fieldValue() }

    /// Encodes the string form of the time.
    public func encode(to encoder: any Encoder) throws { try encoder.write(self) }
}

extension JSONValue: FieldValue {
    /// Accepts any value.
    public init?(field json: JSONValue) { self = json }

    /// The value itself.
    public var fieldJSON: JSONValue { self }
}

extension Decoder {
    func fieldValue<Value: FieldValue>() throws -> Value {
        let container = try singleValueContainer()
        guard let value = Value(field: try container.decode(JSONValue.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "the value cannot be converted to \(Value.self)")
        }
        return value
    }
}

extension Encoder {
    func write(_ value: some FieldValue) throws {
        var container = singleValueContainer()
        try container.encode(value.fieldJSON)
    }
}

/// An address, as a compound field of a record.
///
/// To change it, change its component fields.
public struct RecordAddress: Codable, Hashable, Sendable {
    /// The street lines, separated by line breaks.
    public var street: String?
    /// The city, the postal code, the state and the country, as people write them.
    public var city: String?, postalCode: String?, state: String?, country: String?
    /// The ISO codes of state and country, in orgs with state and country picklists.
    public var stateCode: String?, countryCode: String?
    /// Degrees north and east, if the org has geocoded the address.
    public var latitude: Double?, longitude: Double?
    /// The accuracy of the coordinates: `Address`, `Street`, `City` and others.
    public var geocodeAccuracy: String?

    /// Creates an empty address.
    public init() {}
}

/// A geolocation, as a compound field of a record.
///
/// To change it, change its two fields.
public struct RecordLocation: Codable, Hashable, Sendable {
    /// Degrees north.
    public var latitude: Double?
    /// Degrees east.
    public var longitude: Double?

    /// Creates an empty location.
    public init() {}
}

extension RecordAddress: FieldValue {
    /// Reads an address.
    public init?(field json: JSONValue) {
        guard json.object != nil, let address = try? json.decode(RecordAddress.self) else { return nil }
        self = address
    }

    /// The known parts of the address.
    public var fieldJSON: JSONValue { (try? JSONValue(encoding: self)) ?? .null }
}

extension RecordLocation: FieldValue {
    /// Reads a location.
    public init?(field json: JSONValue) {
        guard json.object != nil, let location = try? json.decode(RecordLocation.self) else { return nil }
        self = location
    }

    /// The known coordinates.
    public var fieldJSON: JSONValue { (try? JSONValue(encoding: self)) ?? .null }
}
