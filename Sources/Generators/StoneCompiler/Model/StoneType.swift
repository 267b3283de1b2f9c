// SPDX-License-Identifier: Apache-2.0

/// A type as a field, a tag, an alias or a route names it.
package indirect enum StoneType: Hashable, Sendable {
    /// No value: of a tag without payload, or of a route without argument, result or error.
    case void
    case boolean
    /// Bytes, which JSON carries as base 64.
    case bytes
    case integer(StoneIntegerType)
    case float(StoneFloatType)
    case string(StoneStringType)
    /// A date and time, written in JSON in the given format of `strptime`.
    case timestamp(format: String)
    case list(StoneListType)
    /// A map from strings to values of any type.
    case map(key: StoneStringType, value: StoneType)
    /// A value or null. What it holds is never nullable itself, not through aliases either.
    case nullable(StoneType)
    case alias(AliasID)
    case structure(StructID)
    case union(UnionID)
}

/// A whole number of one of four sizes, perhaps with narrower bounds.
package struct StoneIntegerType: Hashable, Sendable {
    package enum Size: String, CaseIterable, Sendable {
        case int32 = "Int32"
        case int64 = "Int64"
        case uint32 = "UInt32"
        case uint64 = "UInt64"

        /// All numbers of this size.
        package var range: ClosedRange<Int128> {
            switch self {
            case .int32: Int128(Int32.min)...Int128(Int32.max)
            case .int64: Int128(Int64.min)...Int128(Int64.max)
            case .uint32: 0...Int128(UInt32.max)
            case .uint64: 0...Int128(UInt64.max)
            }
        }
    }

    package let size: Size
    /// The least value if the spec states one; within the range of the size.
    package var minimum: Int128?
    /// The greatest value if the spec states one; within the range of the size.
    package var maximum: Int128?
}

/// A floating-point number of one of two sizes, perhaps with bounds.
package struct StoneFloatType: Hashable, Sendable {
    package enum Size: String, CaseIterable, Sendable {
        case float32 = "Float32"
        case float64 = "Float64"
    }

    package let size: Size
    /// The least value if the spec states one.
    package var minimum: Double?
    /// The greatest value if the spec states one.
    package var maximum: Double?
}

/// Text, perhaps with rules for it.
package struct StoneStringType: Hashable, Sendable {
    /// The fewest characters (Unicode scalars) if the spec states a number.
    package var minimumLength: Int?
    /// The most characters (Unicode scalars) if the spec states a number.
    package var maximumLength: Int?
    /// A regular expression in Python's notation, to be found at the beginning of the text.
    package var pattern: String?
}

/// Values of one type in a row.
package struct StoneListType: Hashable, Sendable {
    package let element: StoneType
    package var minimumItems: Int?
    package var maximumItems: Int?
}

/// Another name for a type; what the wire carries is the type's.
package struct StoneAlias: Sendable {
    package let id: AliasID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    package var type: StoneType = .void
    package let location: StoneLocation
}

/// A value with named fields.
package struct StoneStruct: Sendable {
    package let id: StructID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    /// The struct that it extends, of which it has all fields.
    package var parent: StructID?
    /// Its own fields in the order in which they are written, those of a patch last.
    ///
    /// `StoneAPI.allFields(of:)` has the inherited ones as well.
    package var fields: [StoneField] = []
    /// The structs that extend it directly, in the order in which they were written.
    package var children: [StructID] = []
    /// Present if the struct enumerates its subtypes: then the wire tells by `.tag` which of them a value is.
    package var subtypes: StoneSubtypes?
    /// Whether it was written inside the field that uses it.
    package var isInline = false
    package let location: StoneLocation
}

/// The subtypes that a struct enumerates: all structs that extend it directly.
package struct StoneSubtypes: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        /// The value of `.tag`.
        package let tag: String
        package let type: StructID
    }

    /// In the order in which they are written; never empty.
    package var members: [Member]
    /// Whether an unknown tag is an error; else it means the struct that enumerates.
    package var isClosed: Bool
}

/// A field of a struct.
package struct StoneField: Sendable {
    package let name: String
    package var doc: StoneDoc?
    package var type: StoneType
    /// The value of a field that is absent; a nullable field has none.
    package var defaultValue: StoneLiteral?
    package var annotations = StoneAnnotations()
    /// The struct that it is written in.
    package let owner: StructID
    package let location: StoneLocation
}

/// A value that is one of several tags, each with its own payload or none.
package struct StoneUnion: Sendable {
    package let id: UnionID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    /// The union that it extends, of which it has all tags.
    package var parent: UnionID?
    /// Its own tags in the order in which they are written, those of a patch after them.
    ///
    /// The last one is the tag `other` if the union is open and inherits none. `StoneAPI.allTags(of:)` has the
    /// inherited tags as well.
    package var tags: [StoneTag] = []
    /// Whether a tag that is not listed is an error; else it is read as the tag `other`, own or inherited.
    package let isClosed: Bool
    /// Whether it was written inside the field that uses it.
    package var isInline = false
    package let location: StoneLocation
}

/// A tag of a union.
package struct StoneTag: Sendable {
    package let name: String
    package var doc: StoneDoc?
    /// The type of the payload; `.void` if there is none.
    package var type: StoneType
    /// Whether it is the implicit tag `other`, which stands for every unknown one.
    package let isCatchAll: Bool
    package var annotations = StoneAnnotations()
    /// The union that it is written in.
    package let owner: UnionID
    package let location: StoneLocation
}
