// SPDX-License-Identifier: Apache-2.0

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
    package let location: StoneLocation

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

/// A named annotation, which fields and aliases refer to.
package struct StoneAnnotation: Sendable {
    package enum Kind: Hashable, Sendable {
        case deprecated
        case preview
        case omitted(caller: String)
        /// A redaction, or an annotation of a type that the specs define: it changes nothing.
        case ignored
    }

    package let id: AnnotationID
    package let namespace: String
    package let name: String
    package var kind: Kind
    package let location: StoneLocation
}

/// Documentation, with its references recognised.
package struct StoneDoc: Hashable, Sendable {
    /// The text as it stands in the spec, without indentation and trailing blanks.
    package let raw: String
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
