// SPDX-License-Identifier: Apache-2.0

/// The type of a field, a tag, an alias or a part of a route.
package indirect enum StoneType: Hashable, Sendable {
    /// No value: for a tag without payload, or for a route without argument, result or error.
    case void
    case boolean
    /// Bytes, which are base64-encoded in JSON.
    case bytes
    case integer(StoneIntegerType)
    case float(StoneFloatType)
    case string(StoneStringType)
    /// A date and time, written in JSON in a format of `strptime`.
    case timestamp(format: String)
    case list(StoneListType)
    case map(key: StoneStringType, value: StoneType)
    /// A value or null.
    ///
    /// The inner type is never nullable, not even through aliases.
    case nullable(StoneType)
    case alias(AliasID)
    case structure(StructID)
    case union(UnionID)
}

/// An integer type of one of four sizes, with optional bounds.
package struct StoneIntegerType: Hashable, Sendable {
    package enum Size: String, CaseIterable, Sendable {
        case int32 = "Int32"
        case int64 = "Int64"
        case uint32 = "UInt32"
        case uint64 = "UInt64"

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
    /// The minimum value in the spec, which is in the range of the size, or `nil`.
    package var minimum: Int128?
    /// The maximum value in the spec, which is in the range of the size, or `nil`.
    package var maximum: Int128?
}

/// A floating-point type of one of two sizes, with optional bounds.
package struct StoneFloatType: Hashable, Sendable {
    package enum Size: String, CaseIterable, Sendable {
        case float32 = "Float32"
        case float64 = "Float64"
    }

    package let size: Size
    /// The minimum value in the spec, or `nil`.
    package var minimum: Double?
    /// The maximum value in the spec, or `nil`.
    package var maximum: Double?
}

/// A string type with optional rules.
package struct StoneStringType: Hashable, Sendable {
    /// The minimum number of characters (Unicode scalars) in the spec, or `nil`.
    package var minimumLength: Int?
    /// The maximum number of characters (Unicode scalars) in the spec, or `nil`.
    package var maximumLength: Int?
    /// A regular expression in Python's syntax that must match at the beginning of the string.
    package var pattern: String?
}

/// A list type with optional limits.
package struct StoneListType: Hashable, Sendable {
    package let element: StoneType
    package var minimumItems: Int?
    package var maximumItems: Int?
}

/// Another name for a type, with the same wire format.
package struct StoneAlias: Sendable {
    package let id: AliasID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    package var type: StoneType = .void
    let mark: Mark
}

package struct StoneStruct: Sendable {
    package let id: StructID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    /// The struct that it extends, whose fields it inherits.
    package var parent: StructID?
    /// Its own fields in the order of the specs, with those of a patch last.
    ///
    /// ``StoneAPI/allFields(of:)`` returns the inherited fields as well.
    package var fields: [StoneField] = []
    /// The structs that extend it directly, in the order of the specs.
    package var children: [StructID] = []
    /// The enumerated subtypes, which `.tag` distinguishes in the wire format, or `nil`.
    package var subtypes: StoneSubtypes?
    let mark: Mark
}

/// The enumerated subtypes of a struct, which are all structs that extend it directly.
package struct StoneSubtypes: Hashable, Sendable {
    package struct Member: Hashable, Sendable {
        package let tag: String
        package let type: StructID
    }

    /// The subtypes in the order of the spec, at least one.
    package var members: [Member]
    /// Whether an unknown tag is an error, and not decoded as the enumerating struct.
    package var isClosed: Bool
}

package struct StoneField: Sendable {
    package let name: String
    package var doc: StoneDoc?
    package var type: StoneType
    /// The value if the field is absent, which a nullable field does not have.
    package var defaultValue: StoneLiteral?
    package var annotations = StoneAnnotations()
    let mark: Mark
}

/// A value with one of several tags, each with or without a payload.
package struct StoneUnion: Sendable {
    package let id: UnionID
    package let namespace: String
    package let name: String
    package var doc: StoneDoc?
    /// The union that it extends, whose tags it inherits.
    package var parent: UnionID?
    /// Its own tags in the order of the specs, followed by those of a patch.
    ///
    /// If the union is open and inherits no `other`, this tag is the last. `StoneAPI.allTags(of:)` has inherited tags.
    package var tags: [StoneTag] = []
    /// Whether an unlisted tag is an error, and not decoded as the tag `other`, which can be inherited.
    package let isClosed: Bool
    let mark: Mark
}

package struct StoneTag: Sendable {
    package let name: String
    package var doc: StoneDoc?
    /// The type of the payload, or `.void` if there is no payload.
    package var type: StoneType
    /// Whether this is the implicit tag `other`, which represents all unknown tags.
    package let isCatchAll: Bool
    package var annotations = StoneAnnotations()
    let mark: Mark
}

/// A function of the API.
package struct StoneRoute: Sendable {
    package let id: RouteID
    package let namespace: String
    /// The name without its version, which can contain slashes.
    package let name: String
    /// The version, starting from 1.
    package let version: Int
    package var doc: StoneDoc?
    package var argument: StoneType = .void
    package var result: StoneType = .void
    package var error: StoneType = .void
    package var deprecation: StoneDeprecation?
    /// The attributes in the order of the schema's fields.
    ///
    /// Missing attributes have their default or null.
    package var attributes: [StoneAttribute] = []
    let mark: Mark

    /// The name in a URL, which ends with `_v2` for version 2, and so on.
    package var wireName: String { version == 1 ? name : "\(name)_v\(version)" }

    /// Returns an attribute, or `nil` if the schema lacks it or its value is null.
    package func attribute(_ name: String) -> StoneLiteral? {
        guard let value = attributes.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }
}

package struct StoneDeprecation: Hashable, Sendable {
    /// The replacement route, if the spec names one.
    package var successor: RouteID?
}

package struct StoneAttribute: Hashable, Sendable {
    package let name: String
    package let value: StoneLiteral
}

/// The annotations of a field or a tag that affect the generated code.
package struct StoneAnnotations: Hashable, Sendable {
    package var isDeprecated = false
    /// Whether it can change without notice.
    package var isPreview = false
    /// The only callers that can see it, such as `internal`, or `nil` for all callers.
    package var omittedCaller: String?
}

/// Documentation with its parsed references.
package struct StoneDoc: Hashable, Sendable {
    /// The text without line breaks in paragraphs, with one line feed between paragraphs.
    package let text: String
    /// The text, split at its references.
    package var tokens: [StoneDocToken]
}

/// A part of documentation.
package enum StoneDocToken: Hashable, Sendable {
    case text(String)
    /// `:type:`, a reference to a struct or a union.
    case type(StoneDeclaration)
    /// `:field:`, a reference to a field of a struct or a tag of a union, with aliases resolved.
    ///
    /// `isLocal` is true if the text does not name the type, because the documentation belongs to the type.
    case field(StoneDeclaration, name: String, isLocal: Bool)
    /// `:route:`, a reference to a route.
    case route(RouteID)
    /// `:link:`, a title with a URL.
    case link(title: String, address: String)
    /// `:val:`, a literal as written.
    case value(String)
}

/// A literal in a spec: a default, or a route's attribute.
package enum StoneLiteral: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// An exact integer within the range of its type.
    case integer(Int128)
    /// A finite number, which is an integer if the spec has an integer for a floating-point type.
    case float(Double)
    /// A string, or bytes or a timestamp as written.
    case string(String)
    /// A tag without payload, which can be inherited.
    case tag(UnionID, String)
}
