// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// A struct or union of a Stone spec, which is a JSON object.
///
/// Generated types conform to ``StoneValue``. The two requirements provide everything else that a value can do. Two
/// values are equal if their JSON is equal.
///
/// The protocol does not refine `Hashable`, because then the conformance of every type would be created at run time, by
/// code that takes a quarter of the types' build time.
public protocol StoneType: Sendable {
    /// Reads the value at the reader's position.
    ///
    /// - Throws: ``StoneFailure`` with the position of the first value that does not fit.
    init(from reader: StoneReader) throws(StoneFailure)

    /// Writes the members of the object, without its braces.
    func write(to writer: StoneWriter)
}

extension StoneType {
    /// Decodes a JSON value.
    ///
    /// - Throws: `JSONDecodingError` with the path of the first value that does not fit, such as `entries[3].name`.
    public init(json value: JSONValue) throws(JSONDecodingError) {
        self = try StoneCoding<Self>.type.decode(value)
    }

    /// Decodes JSON.
    ///
    /// - Throws: `JSONDecodingError`. For invalid JSON, it contains the parser's error.
    public init(json bytes: [UInt8]) throws(JSONDecodingError) {
        self = try StoneCoding<Self>.type.decode(bytes)
    }

    /// Encodes the value as JSON.
    ///
    /// - Throws: `JSONEncodingError` for values that JSON or the spec cannot represent: a number that is not finite, a
    ///   date outside the years 1 to 9999.
    public func json() throws(JSONEncodingError) -> [UInt8] {
        try StoneCoding<Self>.type.encode(self)
    }

    /// Compares the JSON of two values.
    public static func == (left: Self, right: Self) -> Bool {
        StoneWriter.text(of: left) == StoneWriter.text(of: right)
    }

    /// Hashes the JSON of the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(StoneWriter.text(of: self))
    }

    /// The hash of the JSON, declared here so that the compiler does not generate it for each type.
    public var hashValue: Int { StoneWriter.text(of: self).hashValue }

    /// The type and the JSON, for people.
    public var description: String {
        "\(Self.self)" + String(decoding: StoneWriter.text(of: self, isForPeople: true), as: UTF8.self)
    }
}

extension StoneType where Self: Hashable {
    /// The hash of the JSON for sets and dictionaries, declared here for the same reason.
    public func _rawHashValue(seed: Int) -> Int { StoneWriter.text(of: self)._rawHashValue(seed: seed) }
}

/// A struct or union of a Stone spec.
public typealias StoneValue = StoneType & Hashable & CustomStringConvertible

/// A struct of a Stone spec with a field called `description`, so that it is printed in another way.
public typealias DescribedStoneValue = StoneType & Hashable & TextOutputStreamable

extension StoneType where Self: TextOutputStreamable {
    /// Writes the type and the JSON, for people.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let text = StoneWriter.text(of: self, isForPeople: true)
        target.write("\(Self.self)" + String(decoding: text, as: UTF8.self))
    }
}

/// A struct of a Stone spec that can be an error and has a field called `description`.
public typealias DescribedStoneError = DescribedStoneValue & CompoundError

/// A struct or union of a Stone spec that can be an error or a part of an error.
public typealias StoneError = StoneValue & CompoundError

extension CompoundError where Self: StoneType {
    /// Empty, because no part of the value can be an error.
    public var innerErrors: [any Error] { [] }
}

extension StoneType {
    /// Returns a copy of the value with a new value of one property.
    public func replacing<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }
}

/// A tag of an open union that the generated code does not know, with all its data.
///
/// It is written as it was received, so that a value of a newer spec is not changed by reading and sending it.
public struct UnknownTag: Sendable, Hashable, CustomStringConvertible {
    /// Boxed, so that a union with this case is not larger.
    private final class Content: Sendable {
        let tag: String
        /// The members of the object, including the tag, without braces.
        let members: [UInt8]

        init(_ tag: String, _ members: [UInt8]) {
            (self.tag, self.members) = (tag, members)
        }
    }

    private let content: Content

    /// Creates a tag without data.
    public init(_ tag: String) {
        let object: JSONValue = [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// Stores a copy of the object, so that its document can be released.
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

    /// Compares the received data.
    public static func == (left: UnknownTag, right: UnknownTag) -> Bool { left.members == right.members }

    /// Hashes the received data.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }

    private static func members(of object: JSONValue) -> [UInt8] { Array(object.bytes().dropFirst().dropLast()) }
}

/// A date format of Dropbox's specs, in UTC.
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

    /// Returns the seconds since 1970, or `nil` if the string has another format.
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

    /// Returns the days since 1970 for the date at the start of at least ten bytes.
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

/// A date in UTC of the years 1 to 9999 in the Gregorian calendar, without fractions of a second.
struct TimestampParts {
    let year: Int, month: Int, day: Int
    let hour: Int, minute: Int, second: Int

    init?(secondsSince1970 seconds: Double) {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        // bounded: by the guard
        let whole = Int(seconds.rounded(.down))
        let time = (whole % 86_400 + 86_400) % 86_400
        let days = (whole - time) / 86_400
        (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        (year, month, day) = CivilDay(number: days).parts
    }

    /// Returns the days since 1970-01-01, or `nil` if the date does not exist in the years 1 to 9999.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        (1...9999).contains(year) ? CivilDay(checkedYear: year, month: month, day: day)?.number : nil
    }
}
