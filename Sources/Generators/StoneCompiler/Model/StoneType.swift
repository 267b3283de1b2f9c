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
    let mark: Mark
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
    let mark: Mark
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
    let mark: Mark
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
    let mark: Mark
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
    let mark: Mark
}

/// A function of the interface.
package struct StoneRoute: Sendable {
    package let id: RouteID
    package let namespace: String
    /// The name without its version; it may have slashes.
    package let name: String
    /// The version, from 1.
    package let version: Int
    package var doc: StoneDoc?
    package var argument: StoneType = .void
    package var result: StoneType = .void
    package var error: StoneType = .void
    package var deprecation: StoneDeprecation?
    /// The value of each attribute, in the order of the schema's fields; absent ones have their default or null.
    package var attributes: [StoneAttribute] = []
    let mark: Mark

    /// The name as it stands in a URL: from version 2 on with `_v2` at its end.
    package var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// The attribute of this name, or nil if the schema has none or its value is null.
    package func attribute(_ name: String) -> StoneLiteral? {
        guard let value = attributes.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }
}

/// That a route should not be used any more.
package struct StoneDeprecation: Hashable, Sendable {
    /// The route to use instead, if the spec says so.
    package var successor: RouteID?
}

/// A route's attribute.
package struct StoneAttribute: Hashable, Sendable {
    package let name: String
    package let value: StoneLiteral
}

/// The annotations of a field or a tag that generated code follows.
package struct StoneAnnotations: Hashable, Sendable {
    package var isDeprecated = false
    /// Whether it may still change without notice.
    package var isPreview = false
    /// The only callers that see it, such as `internal`; nil if all do.
    package var omittedCaller: String?
}

/// Documentation, with its references recognised.
package struct StoneDoc: Hashable, Sendable {
    /// The text without line breaks inside paragraphs; paragraphs are parted by one line feed.
    package let text: String
    /// `text`, cut at its references.
    package var tokens: [StoneDocToken]
}

/// A piece of documentation.
package enum StoneDocToken: Hashable, Sendable {
    case text(String)
    /// `:type:`: a struct or a union.
    case type(StoneDeclaration)
    /// `:field:`: a field of a struct or a tag of a union. An alias is given as what it stands for.
    ///
    /// `isLocal` tells that the type is the one which the documentation belongs to and that the text does not name it.
    case field(StoneDeclaration, name: String, isLocal: Bool)
    /// `:route:`.
    case route(RouteID)
    /// `:link:`: a title and an address.
    case link(title: String, address: String)
    /// `:val:`: a literal, as it is written.
    case value(String)
}

/// A value that a spec writes out: a default, or a route's attribute.
package enum StoneLiteral: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// Exact, and within the type that it is for.
    case integer(Int128)
    /// Finite. A whole number that stands for a float is one of these.
    case float(Double)
    /// Text; also bytes and timestamps, as they are written.
    case string(String)
    /// A tag without payload, own or inherited.
    case tag(UnionID, String)
}
