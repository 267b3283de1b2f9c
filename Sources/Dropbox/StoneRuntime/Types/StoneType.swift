// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
public import RestSDK

/// A struct or union of a Stone spec: an object on the wire.
///
/// Generated types conform to ``StoneValue``; everything else that a value can do comes from the two requirements. Two
/// values are equal when they are written alike.
///
/// The protocol does not refine `Hashable`: where it did, the conformance of every type would be put together at run
/// time, by code that takes a quarter of the time that the types take to build.
public protocol StoneType: Sendable {
    /// Reads the value at which a reader stands.
    ///
    /// - Throws: ``StoneFailure`` with the place of the first value that does not fit.
    init(from reader: StoneReader) throws(StoneFailure)

    /// Writes the members of the object, without its braces.
    func write(to writer: StoneWriter)
}

extension StoneType {
    /// Reads a JSON value.
    ///
    /// - Throws: `JSONDecodingError` with the path of the first value that does not fit, such as `entries[3].name`.
    public init(json value: JSONValue) throws(JSONDecodingError) {
        self = try StoneCoding<Self>.type.decode(value)
    }

    /// Parses a text and reads its value.
    ///
    /// - Throws: `JSONDecodingError`; for bytes that are no JSON, the parser's error is behind it.
    public init(json bytes: [UInt8]) throws(JSONDecodingError) {
        self = try StoneCoding<Self>.type.decode(bytes)
    }

    /// The value as JSON text.
    ///
    /// - Throws: `JSONEncodingError` for what JSON or the spec cannot hold: a number that is not finite, a date outside
    ///   the years 1 to 9999.
    public func json() throws(JSONEncodingError) -> [UInt8] {
        try StoneCoding<Self>.type.encode(self)
    }

    /// Whether two values are written alike.
    public static func == (left: Self, right: Self) -> Bool {
        StoneWriter.text(of: left) == StoneWriter.text(of: right)
    }

    /// Feeds what is written to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(StoneWriter.text(of: self))
    }

    /// The hash of what is written; here, so that the compiler makes no such property for each type.
    public var hashValue: Int { StoneWriter.text(of: self).hashValue }

    /// The type and the JSON text, for people.
    public var description: String {
        "\(Self.self)" + String(decoding: StoneWriter.text(of: self, isForPeople: true), as: UTF8.self)
    }
}

extension StoneType where Self: Hashable {
    /// The hash of what is written, as sets and dictionaries ask for it; here, so that the compiler makes none for each
    /// type.
    public func _rawHashValue(seed: Int) -> Int { StoneWriter.text(of: self)._rawHashValue(seed: seed) }
}

/// What every struct and union of a Stone spec is.
public typealias StoneValue = StoneType & Hashable & CustomStringConvertible

/// What a struct of a Stone spec is one of whose fields is called `description`, so that people get text another way.
public typealias DescribedStoneValue = StoneType & Hashable & TextOutputStreamable

extension StoneType where Self: TextOutputStreamable {
    /// Writes the type and the JSON text, for people.
    public func write<Target: TextOutputStream>(to target: inout Target) {
        let text = StoneWriter.text(of: self, isForPeople: true)
        target.write("\(Self.self)" + String(decoding: text, as: UTF8.self))
    }
}

/// A struct of a Stone spec that can be why a call fails, and one of whose fields is called `description`.
public typealias DescribedStoneError = DescribedStoneValue & CompoundError

/// A struct or union of a Stone spec that can be why a call fails, as a whole or as a part of another one.
public typealias StoneError = StoneValue & CompoundError

extension CompoundError where Self: StoneType {
    /// None: no part of it can be why a call fails.
    public var innerErrors: [any Error] { [] }
}

extension StoneType {
    /// The same value with another value of one property.
    public func replacing<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var copy = self
        copy[keyPath: property] = value
        return copy
    }
}

/// A tag of an open union that the generated code does not know, with all that came with it.
///
/// It is written as it came, so that a value of a newer spec survives being read and sent again.
public struct UnknownTag: Sendable, Hashable, CustomStringConvertible {
    /// Boxed, so that a union with room for it does not grow by it.
    private final class Content: Sendable {
        let tag: String
        /// The members of the object, the tag among them, without braces.
        let members: [UInt8]

        init(_ tag: String, _ members: [UInt8]) {
            (self.tag, self.members) = (tag, members)
        }
    }

    private let content: Content

    /// Makes a tag without anything beside it.
    public init(_ tag: String) {
        let object: JSONValue = [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// Keeps a copy of an object, so that its document need not live on.
    init(_ tag: String, of value: JSONValue) {
        let object: JSONValue = value.kind == .object ? value : [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// The tag.
    public var tag: String { content.tag }

    /// The object as it came, the tag among its members.
    public var json: JSONValue { (try? JSONValue(parsing: [0x7B] + content.members + [0x7D])) ?? .null }

    /// The tag.
    public var description: String { tag }

    var members: [UInt8] { content.members }

    /// Whether the same came.
    public static func == (left: UnknownTag, right: UnknownTag) -> Bool { left.members == right.members }

    /// Feeds what came to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }

    private static func members(of object: JSONValue) -> [UInt8] { Array(object.bytes().dropFirst().dropLast()) }
}

/// A format in which points in time are written, in UTC: one of the two that Dropbox's specs have.
public enum StoneTimestamp: Sendable, CustomStringConvertible {
    /// `2026-01-29T10:11:12Z`, the format `%Y-%m-%dT%H:%M:%SZ`.
    case seconds
    /// `2026-01-29`, the format `%Y-%m-%d`.
    case day

    /// The format in the notation of Python's `strptime`.
    public var description: String {
        switch self {
        case .seconds: "%Y-%m-%dT%H:%M:%SZ"
        case .day: "%Y-%m-%d"
        }
    }

    /// The seconds since 1970 that a text stands for; `nil` for one of another format.
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

    /// The days since 1970 of the date at the start of a text of ten bytes or more.
    private static func days(in text: ArraySlice<UInt8>) -> Int? {
        let start = text.startIndex
        guard let century = two(text, start, below: 100), let year = two(text, start + 2, below: 100),
            text[start + 4] == UInt8(ascii: "-"), let month = two(text, start + 5, below: 13),
            text[start + 7] == UInt8(ascii: "-"), let day = two(text, start + 8, below: 32)
        else { return nil }
        return TimestampParts.days(year: century * 100 + year, month: month, day: day)
    }

    /// A number of two digits.
    @inline(__always)
    private static func two(_ text: ArraySlice<UInt8>, _ at: Int, below bound: Int) -> Int? {
        let (tens, ones) = (text[at] &- UInt8(ascii: "0"), text[at + 1] &- UInt8(ascii: "0"))
        guard tens < 10, ones < 10 else { return nil }
        let value = Int(tens) &* 10 &+ Int(ones)
        return value < bound ? value : nil
    }
}

/// A point in time of the years 1 to 9999 in UTC, in the Gregorian calendar.
struct TimestampParts {
    let year: Int, month: Int, day: Int
    let hour: Int, minute: Int, second: Int

    /// Takes a point in time apart; parts of a second are left out.
    init?(secondsSince1970 seconds: Double) {
        guard (-62_135_596_800..<253_402_300_800).contains(seconds) else { return nil }
        // bounded: by the guard
        let whole = Int(seconds.rounded(.down))
        let time = (whole % 86_400 + 86_400) % 86_400
        let days = (whole - time) / 86_400
        (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60)
        (year, month, day) = CivilDay(number: days).parts
    }

    /// The days since 1970-01-01 of a date; `nil` for one that is not in the calendar of the years 1 to 9999.
    static func days(year: Int, month: Int, day: Int) -> Int? {
        (1...9999).contains(year) ? CivilDay(checkedYear: year, month: month, day: day)?.number : nil
    }
}
