// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads and writes the values of one type, for arguments, results and some fields.
///
/// ```swift
/// let sizes: StoneCoding<[UInt64?]> = .list(.nullable(.uint64))
/// ```
public struct StoneCoding<Value>: Sendable {
    /// Boxed to make a route only a few words long, which generated code passes on.
    private final class Content: Sendable {
        let name: String
        let read: @Sendable (StoneReader) throws(StoneFailure) -> Value
        let write: @Sendable (StoneWriter, Value) -> Void

        init(
            _ name: String, _ read: @escaping @Sendable (StoneReader) throws(StoneFailure) -> Value,
            _ write: @escaping @Sendable (StoneWriter, Value) -> Void
        ) {
            (self.name, self.read, self.write) = (name, read, write)
        }
    }

    private let content: Content

    init(
        _ name: String, read: @escaping @Sendable (StoneReader) throws(StoneFailure) -> Value,
        write: @escaping @Sendable (StoneWriter, Value) -> Void
    ) {
        content = Content(name, read, write)
    }

    /// A description of the values for messages.
    var name: String { content.name }
    var read: @Sendable (StoneReader) throws(StoneFailure) -> Value { content.read }
    var write: @Sendable (StoneWriter, Value) -> Void { content.write }

    /// Makes a coding from a function that returns `nil` for an invalid value.
    private init(
        _ name: String, _ take: @escaping @Sendable (JSONDocument, Int) -> Value?,
        write: @escaping @Sendable (StoneWriter, Value) -> Void
    ) {
        self.init(
            name,
            read: { (reader) throws(StoneFailure) in
                guard let value = take(reader.document, reader.place) else {
                    throw reader.mismatch(name, at: reader.place)
                }
                return value
            }, write: write)
    }
}

extension StoneCoding {
    /// Decodes a JSON value.
    ///
    /// - Throws: `JSONDecodingError` with the path of the first invalid value.
    public func decode(_ value: JSONValue) throws(JSONDecodingError) -> Value {
        let (document, place) = try value.placed()
        return try StoneReader.reading(document, at: place, read)
    }

    /// Decodes JSON.
    ///
    /// - Throws: `JSONDecodingError`. For bytes that are not JSON, its `underlying` is the parser's error.
    public func decode(_ bytes: [UInt8]) throws(JSONDecodingError) -> Value {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(parsing: bytes)
        } catch {
            throw JSONDecodingError(
                reason: .dataCorrupted, codingPath: [], message: "not JSON: \(error)", underlying: error)
        }
        return try StoneReader.reading(document, at: JSONDocument.rootIndex, read)
    }

    /// Returns the value as JSON text.
    ///
    /// - Throws: `JSONEncodingError` for a value that cannot be represented in JSON or the spec.
    public func encode(_ value: Value) throws(JSONEncodingError) -> [UInt8] {
        let writer = StoneWriter()
        write(writer, value)
        return try writer.result()
    }
}

extension StoneCoding where Value: StoneType {
    /// A struct or union.
    public static var type: StoneCoding {
        StoneCoding("an object", read: { (reader) throws(StoneFailure) in try Value(from: reader) }) { $0.object($1) }
    }
}

extension StoneCoding {
    /// A list.
    public static func list<Element>(_ element: StoneCoding<Element>) -> StoneCoding where Value == [Element] {
        StoneCoding(
            "an array",
            read: { (reader) throws(StoneFailure) in
                try reader.elements(at: reader.place) { (reader, place) throws(StoneFailure) in
                    try reader.read(element, at: place)
                }
            }, write: { $0.array($1, element.write) })
    }

    /// A value or `null`.
    public static func nullable<Some>(_ some: StoneCoding<Some>) -> StoneCoding where Value == Some? {
        StoneCoding(
            "\(some.name) or null",
            read: { (reader) throws(StoneFailure) in
                reader.document.isNull(at: reader.place) ? nil : try some.read(reader)
            },
            write: { writer, value in
                if let value { some.write(writer, value) } else { writer.null() }
            })
    }

    /// Values by key, of which the last value of a key counts.
    public static func map<Element>(_ element: StoneCoding<Element>) -> StoneCoding where Value == [String: Element] {
        StoneCoding(
            "an object",
            read: { (reader) throws(StoneFailure) in
                guard let inside = reader.document.inside(.object, at: reader.place) else {
                    throw reader.mismatch("an object", at: reader.place)
                }
                var values: [String: Element] = [:]
                var next = inside.lowerBound
                while next < inside.upperBound {
                    values[reader.document.string(at: next)] = try reader.read(element, at: next + 1)
                    next = reader.document.index(after: next + 1)
                }
                return values
            }, write: { $0.map($1, element.write) })
    }
}

extension StoneCoding<Void> {
    /// No value, which is written as `null` and read from any value.
    public static var void: StoneCoding { StoneCoding("null", { _, _ in () }) { writer, _ in writer.null() } }
}

extension StoneCoding<String> {
    /// A string.
    public static var string: StoneCoding {
        StoneCoding("a string", { $0.characters(at: $1) }) { $0.output.append(string: $1) }
    }
}

extension StoneCoding<Bool> {
    /// A boolean.
    public static var bool: StoneCoding {
        StoneCoding("a bool", { $0.bool(at: $1) }) { $0.output.append(ascii: $1 ? "true" : "false") }
    }
}

extension StoneCoding<Int32> {
    /// A signed 32-bit integer.
    public static var int32: StoneCoding {
        StoneCoding("a number without fraction that fits in Int32", { $0.int64(at: $1).flatMap { Int32(exactly: $0) } })
        { $0.output.append(int64: Int64($1)) }
    }
}

extension StoneCoding<Int64> {
    /// A signed 64-bit integer.
    public static var int64: StoneCoding {
        StoneCoding("a number without fraction that fits in Int64", { $0.int64(at: $1) }) {
            $0.output.append(int64: $1)
        }
    }
}

extension StoneCoding<UInt32> {
    /// An unsigned 32-bit integer.
    public static var uint32: StoneCoding {
        StoneCoding(
            "a number without fraction that fits in UInt32", { $0.uint64(at: $1).flatMap { UInt32(exactly: $0) } }
        ) { $0.output.append(uint64: UInt64($1)) }
    }
}

extension StoneCoding<UInt64> {
    /// An unsigned 64-bit integer.
    public static var uint64: StoneCoding {
        StoneCoding("a number without fraction that fits in UInt64", { $0.uint64(at: $1) }) {
            $0.output.append(uint64: $1)
        }
    }
}

extension StoneCoding<Float> {
    /// A single-precision number.
    public static var float32: StoneCoding {
        StoneCoding("a number that fits in Float32", { $0.single(at: $1) }) { $0.number($1) }
    }
}

extension StoneCoding<Double> {
    /// A double-precision number.
    public static var float64: StoneCoding {
        StoneCoding("a number that fits in Float64", { $0.double(at: $1) }) { $0.number($1) }
    }
}

extension StoneCoding<[UInt8]> {
    /// Bytes in base64.
    public static var bytes: StoneCoding {
        StoneCoding("a string in base64", { $0.characters(at: $1).flatMap(Base64.decode) }) {
            $0.output.append(string: Base64.encode($1))
        }
    }
}

extension StoneCoding<Date> {
    /// A point in time in a format.
    public static func date(_ format: StoneTimestamp) -> StoneCoding {
        StoneCoding(
            "a string in the format \(format)",
            read: { (reader) throws(StoneFailure) in
                guard let date = reader.date(format, at: reader.place) else {
                    throw reader.mismatch("a string in the format \(format)", at: reader.place)
                }
                return date
            }, write: { $0.date($1, format) })
    }
}
