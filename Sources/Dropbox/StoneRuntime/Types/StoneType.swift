// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// A struct or union of a Stone spec, which is an object in JSON.
///
/// Generated types conform to ``StoneValue``. All other operations use the two requirements. Two values are equal if
/// their JSON texts are equal.
///
/// The protocol does not refine `Hashable`, because the compiler would then generate code for the conformance of each
/// type, which takes a quarter of the build time of the types.
public protocol StoneType: Sendable {
    /// Reads the value at a reader's position.
    ///
    /// - Throws: ``StoneFailure`` for the first invalid value.
    init(from reader: StoneReader) throws(StoneFailure)

    /// Writes the members of the object, without its braces.
    func write(to writer: StoneWriter)
}

extension StoneType {
    /// Decodes a JSON value.
    ///
    /// - Throws: `JSONDecodingError` with the path of the first invalid value, such as `entries[3].name`.
    public init(json value: JSONValue) throws(JSONDecodingError) {
        self = try StoneCoding<Self>.type.decode(value)
    }

    /// Decodes JSON.
    ///
    /// - Throws: `JSONDecodingError`. For bytes that are not JSON, its `underlying` is the parser's error.
    public init(json bytes: [UInt8]) throws(JSONDecodingError) {
        self = try StoneCoding<Self>.type.decode(bytes)
    }

    /// Returns the value as JSON text.
    ///
    /// - Throws: `JSONEncodingError` for a number that is not finite, or a date outside the years 1 to 9999.
    public func json() throws(JSONEncodingError) -> [UInt8] {
        try StoneCoding<Self>.type.encode(self)
    }

    /// Whether two values have the same JSON text.
    public static func == (left: Self, right: Self) -> Bool {
        StoneWriter.text(of: left) == StoneWriter.text(of: right)
    }

    /// Hashes the JSON text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(StoneWriter.text(of: self))
    }

    /// The hash of the JSON text.
    ///
    /// It is defined here so that the compiler does not generate it for each type.
    public var hashValue: Int { StoneWriter.text(of: self).hashValue }

    /// The type and the JSON text, for people and logs.
    public var description: String {
        "\(Self.self)" + String(decoding: StoneWriter.text(of: self, isForPeople: true), as: UTF8.self)
    }
}

extension StoneType where Self: Hashable {
    /// The hash of the JSON text for sets and dictionaries.
    ///
    /// It is defined here so that the compiler does not generate it for each type.
    public func _rawHashValue(seed: Int) -> Int { StoneWriter.text(of: self)._rawHashValue(seed: seed) }
}

/// The conformances of a struct or union of a Stone spec.
public typealias StoneValue = StoneType & Hashable & CustomStringConvertible

/// The conformances of a struct with a field named `description`, which cannot be `CustomStringConvertible`.
public typealias DescribedStoneValue = StoneType & Hashable & TextOutputStreamable

extension StoneType where Self: TextOutputStreamable {
    /// Writes the type and the JSON text, for people and logs.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let text = StoneWriter.text(of: self, isForPeople: true)
        target.write("\(Self.self)" + String(decoding: text, as: UTF8.self))
    }
}

/// The conformances of an error struct with a field named `description`.
public typealias DescribedStoneError = DescribedStoneValue & CompoundError

/// The conformances of a struct or union that is an error or a part of an error.
public typealias StoneError = StoneValue & CompoundError

extension CompoundError where Self: StoneType {
    /// The errors inside this error; empty by default.
    public var innerErrors: [any Error] { [] }
}

extension StoneType {
    /// Returns a copy of the value with another value of one property.
    public func replacing<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }
}

/// A tag of an open union that the generated code does not have, with its whole object.
///
/// The object is written unchanged, so a value of a newer spec can be read and sent again.
public struct UnknownTag: Sendable, Hashable, CustomStringConvertible {
    /// Boxed to keep unions small.
    private final class Content: Sendable {
        let tag: String
        /// The members of the object including the tag, without braces.
        let members: [UInt8]

        init(_ tag: String, _ members: [UInt8]) {
            (self.tag, self.members) = (tag, members)
        }
    }

    private let content: Content

    /// Makes a tag without other members.
    public init(_ tag: String) {
        let object: JSONValue = [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// Makes a tag with a copy of its object, to release the document.
    init(_ tag: String, of value: JSONValue) {
        let object: JSONValue = value.kind == .object ? value : [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// The tag.
    public var tag: String { content.tag }

    /// The object as it was received, including the tag.
    public var json: JSONValue { (try? JSONValue(parsing: [0x7B] + content.members + [0x7D])) ?? .null }

    /// The tag.
    public var description: String { tag }

    var members: [UInt8] { content.members }

    /// Whether two objects have the same JSON text.
    public static func == (left: UnknownTag, right: UnknownTag) -> Bool { left.members == right.members }

    /// Hashes the JSON text.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }

    private static func members(of object: JSONValue) -> [UInt8] { Array(object.bytes().dropFirst().dropLast()) }
}

/// The format of a point in time in UTC.
public enum StoneTimestamp: Sendable, CustomStringConvertible {
    /// `2026-01-29T10:11:12Z`, the format `%Y-%m-%dT%H:%M:%SZ`.
    case seconds
    /// `2026-01-29`, the format `%Y-%m-%d`.
    case day

    /// The format in the syntax of Python's `strptime`.
    public var description: String {
        switch self {
        case .seconds: "%Y-%m-%dT%H:%M:%SZ"
        case .day: "%Y-%m-%d"
        }
    }

    /// The seconds since 1970 of a text, or `nil` for another format.
    func seconds(in text: ArraySlice<UInt8>) -> Double? {
        switch self {
        case .seconds: return Self.plainSeconds(in: text)
        case .day:
            guard text.count == 10, let days = Self.days(in: text) else { return nil }
            return Double(days * 86_400)
        }
    }

    private static func plainSeconds(in text: ArraySlice<UInt8>) -> Double? {
        let start = text.startIndex
        guard text.count == 20, let days = days(in: text), text[start + 10] == UInt8(ascii: "T"),
            let hour = two(text, start + 11, below: 24), text[start + 13] == UInt8(ascii: ":"),
            let minute = two(text, start + 14, below: 60), text[start + 16] == UInt8(ascii: ":"),
            let second = two(text, start + 17, below: 62), text[start + 19] == UInt8(ascii: "Z")
        else { return nil }
        return Double(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// The days since 1970 of the date at the start of a text of at least ten bytes.
    private static func days(in text: ArraySlice<UInt8>) -> Int? {
        let start = text.startIndex
        guard let century = two(text, start, below: 100), let year = two(text, start + 2, below: 100),
            text[start + 4] == UInt8(ascii: "-"), let month = two(text, start + 5, below: 13),
            text[start + 7] == UInt8(ascii: "-"), let day = two(text, start + 8, below: 32)
        else { return nil }
        return TimestampParts.days(year: century * 100 + year, month: month, day: day)
    }

    @inline(__always)
    private static func two(_ text: ArraySlice<UInt8>, _ at: Int, below bound: Int) -> Int? {
        let (tens, ones) = (text[at] &- UInt8(ascii: "0"), text[at + 1] &- UInt8(ascii: "0"))
        guard tens < 10, ones < 10 else { return nil }
        let value = Int(tens) &* 10 &+ Int(ones)
        return value < bound ? value : nil
    }
}

/// The parts of a point in time of the years 1 to 9999 in UTC, in the Gregorian calendar.
struct TimestampParts {
    let year: Int, month: Int, day: Int
    let hour: Int, minute: Int, second: Int

    /// Makes the parts of a point in time, without fractions of a second.
    init?(secondsSince1970 seconds: Double) {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        // bounded: by the guard
        let whole = Int(seconds.rounded(.down))
        let time = (whole % 86_400 + 86_400) % 86_400
        let days = (whole - time) / 86_400
        (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        (year, month, day) = CivilDay(number: days).parts
    }

    /// The days since 1970-01-01 of a date, or `nil` for an invalid date or another year.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        (1...9999).contains(year) ? CivilDay(checkedYear: year, month: month, day: day)?.number : nil
    }
}
