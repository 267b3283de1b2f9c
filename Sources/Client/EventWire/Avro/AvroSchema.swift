// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON

/// An Avro schema: a list of types that refer to each other by index, so that a record can contain itself.
///
/// Parsed from the JSON of a schema (Avro specification 1.12, "Schema declaration"). Aliases and unknown attributes are
/// ignored.
package struct AvroSchema: Sendable {
    /// The index of a type in ``types``.
    package typealias ID = Int

    /// The form of a type, and the meaning of a number.
    package enum Form: String, Sendable {
        case null, boolean, int, long, float, double, bytes, string
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
        case record, enumeration, fixed, array, map, union
        /// A union of null and one other type.
        case nullable

        /// The form of the bytes, which differs for dates and times.
        var base: Form {
            switch self {
            case .date: .int
            case .timestampMillis, .timestampMicros, .dateMillis, .timeMillis: .long
            default: self
            }
        }

        /// Returns the primitive type with this name, or `nil`.
        static func primitive(_ name: String) -> Form? {
            let forms: [Form] = [.null, .boolean, .int, .long, .float, .double, .bytes, .string]
            return forms.first { name.hasSameBytes(as: $0.rawValue) }
        }
    }

    /// A type as numbers, so that a reader retains nothing.
    package struct Kind: Sendable {
        package var form: Form
        /// The index of the first member or branch, or the inner type.
        var first = 0
        /// The number of members or branches, or the size of a fixed.
        var count = 0
        /// The number of the null branch of a nullable type.
        var nullBranch = 0

        /// The inner type of an array, a map or a nullable type.
        package var inner: ID { first }
        /// The indices of the members or branches.
        var range: Range<Int> { first..<first + count }
    }

    /// A field of a record, or a symbol of an enum.
    package struct Member: Sendable {
        package let name: String
        package let type: ID
        /// The value of a field that is missing when a record is written, or `nil` if the field has no default.
        package let defaultValue: JSONValue?

        /// Whether the member has a name, which is ASCII: other spellings of the same `String` have more bytes.
        func isNamed(_ other: String) -> Bool { name == other && name.utf8.count == other.utf8.count }
    }

    package internal(set) var types: [Kind] = []
    /// The members of records in the order of their bytes, and of enums in the order of their numbers.
    var members: [Member] = []
    /// The types of unions.
    var branches: [ID] = []
    /// The numbers of the members of each record and enum.
    var positions: [ID: [String: Int]] = [:]
    /// The type of a whole value.
    package internal(set) var root: ID = 0

    /// Parses the JSON text of a schema, such as the response of GetSchema.
    ///
    /// - Throws: ``AvroError`` with the path to the invalid part.
    package init(parsing text: String) throws(AvroError) {
        var parser = AvroSchemaParser()
        self = try parser.parse(text)
    }

    init() {}

    /// A record: its fields in the order of their bytes, and the index of each field.
    package typealias Record = (fields: [Member], positions: [String: Int])

    /// The record of a type: the type itself, or the first record of a union.
    package func record(of id: ID) -> Record? {
        let ids = [id] + branches(of: id)
        guard let id = ids.first(where: { types[$0].form == .record }) else { return nil }
        return (Array(members[types[id].range]), positions[id] ?? [:])
    }

    /// The types of a union, or none for other types.
    func branches(of id: ID) -> [ID] {
        switch types[id].form {
        case .union: Array(branches[types[id].range])
        case .nullable: [types[id].inner]
        default: []
        }
    }

    /// Whether a type is null, or a union with null.
    func takesNull(_ id: ID) -> Bool {
        switch types[id].form {
        case .null, .nullable: true
        case .union: branches[types[id].range].contains { types[$0].form == .null }
        default: false
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
        // The lists of a change event's header.
        case invalidBitmap = "not a hexadecimal bitmap"
        case noCompoundField = "the schema has no compound field at this index"
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
