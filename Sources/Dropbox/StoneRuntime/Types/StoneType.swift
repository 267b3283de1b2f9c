// SPDX-License-Identifier: Apache-2.0

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
