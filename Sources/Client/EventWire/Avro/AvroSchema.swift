// SPDX-License-Identifier: Apache-2.0

package import RestJSON

/// An Avro schema: a list of types that refer to each other by index, so that a record can contain itself.
///
/// Parsed from the JSON of a schema (Avro specification 1.12, "Schema declaration"). Aliases and unknown attributes are
/// ignored.
package struct AvroSchema: Sendable {
    /// The index of a type in ``types``.
    package typealias ID = Int

    /// A type without names of other types.
    package enum Primitive: String, Sendable, CaseIterable {
        case null, boolean, int, long, float, double, bytes, string
    }

    /// The meaning of a number, by the attribute `logicalType` or by the documentation of a field of an org.
    package enum Logical: String, Sendable {
        /// An `int`: days since 1970-01-01.
        case date
        /// A `long`: milliseconds since 1970-01-01T00:00:00Z.
        case timestampMillis = "timestamp-millis"
        /// A `long`: microseconds since 1970-01-01T00:00:00Z.
        case timestampMicros = "timestamp-micros"
        /// A `long` of an org: midnight in UTC, in milliseconds since 1970-01-01T00:00:00Z.
        case dateMillis = "DateOnly"
        /// A `long` of an org: milliseconds since midnight.
        case timeMillis = "TimeOnly"
    }

    /// A field of a record.
    package struct Field: Sendable {
        package let name: String
        package let type: ID
        /// The value of a field that is missing when a record is written, or `nil` if the field has no default.
        package let defaultValue: JSONValue?
    }

    /// The fields of a record in the order of their bytes.
    package struct Record: Sendable {
        /// The name with its namespace.
        package let name: String
        package let fields: [Field]
        /// The index of each field.
        package let positions: [String: Int]
    }

    /// The symbols of an enum in the order of their numbers.
    package struct Enumeration: Sendable {
        package let symbols: [String]
        /// The number of each symbol.
        package let positions: [String: Int]
    }

    /// A type.
    package enum Kind: Sendable {
        case primitive(Primitive, Logical?)
        case record(Record)
        case enumeration(Enumeration)
        /// This number of bytes.
        case fixed(Int)
        case array(ID)
        case map(ID)
        case union([ID])
    }

    package let types: [Kind]
    /// The type of a whole value.
    package let root: ID

    /// Parses the JSON text of a schema, such as the response of GetSchema.
    ///
    /// - Throws: ``AvroError`` with the path to the invalid part.
    package init(parsing text: String) throws(AvroError) {
        var parser = AvroSchemaParser()
        root = try parser.parse(text)
        types = parser.types.map { $0 ?? .primitive(.null, nil) }
    }

    /// The record of a type: the type itself, or the first record of a union.
    package func record(of id: ID) -> Record? {
        switch types[id] {
        case .record(let record): return record
        case .union(let branches):
            for branch in branches {
                if case .record(let record) = types[branch] { return record }
            }
            return nil
        default: return nil
        }
    }
}

extension [String: Int] {
    /// The position of a name or a symbol, which is ASCII.
    ///
    /// A `String` also equals other spellings, such as the Kelvin sign for K.
    subscript(ascii name: String) -> Int? { name.utf8.allSatisfy { $0 < 0x80 } ? self[name] : nil }
}

/// The error thrown when a schema or bytes are invalid, or when a value does not fit a schema.
package struct AvroError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    package enum Reason: String, Sendable, CaseIterable {
        // A schema.
        case invalidJSON = "the schema is not valid JSON"
        case invalidSchema = "the schema is invalid"
        case unknownType = "the schema uses a name that it does not define"
        case repeatedName = "the schema defines a name twice"
        // A schema, bytes or a value.
        case tooLarge = "the size exceeds the limit"
        case tooDeep = "the nesting exceeds the limit"
        // Bytes.
        case endOfInput = "the bytes end inside a value"
        case trailingBytes = "bytes follow the value"
        case invalidNumber = "a number has too many bytes or is out of range"
        case invalidBoolean = "a Boolean is neither 0 nor 1"
        case invalidLength = "a length or a count is invalid"
        case invalidIndex = "the index of a union or an enum is out of range"
        case invalidUTF8 = "a string is not UTF-8"
        // A value.
        case missingField = "a required field is missing; give it a value"
        case unknownField = "the schema has no such field; remove the field"
        case wrongType = "the value has another type than the schema"
        case outOfRange = "the number is out of range"
        case unknownSymbol = "the enum has no such symbol"
        case noBranch = "no type of the union takes the value"
    }

    package let reason: Reason
    /// The path to a part of a schema or of a value, such as `Address.Lines[2]`, or an empty string for the whole.
    package let path: String
    /// The offset of the invalid byte, from 0, if bytes are invalid.
    package let offset: Int?

    package init(_ reason: Reason, path: String = "", offset: Int? = nil) {
        (self.reason, self.path, self.offset) = (reason, path, offset)
    }

    package var description: String {
        "avro: \(reason.rawValue)" + (path.isEmpty ? "" : " (at \(path))") + (offset.map { " (byte \($0))" } ?? "")
    }
}

/// The position in a schema or a value while it is walked, which costs nothing until an error needs its text.
struct AvroPath {
    enum Step {
        case name(String)
        case index(Int)
    }

    /// The maximum length of a path in an error.
    private static let maximumBytes = 1_000

    var steps: [Step] = []

    /// An error at this position.
    func error(_ reason: AvroError.Reason) -> AvroError {
        var text = ""
        for step in steps where text.utf8.count < Self.maximumBytes {
            switch step {
            case .name(let name): text += (text.isEmpty ? "" : ".") + String(name.unicodeScalars.prefix(100))
            case .index(let index): text += "[\(index)]"
            }
        }
        return AvroError(reason, path: text)
    }
}
