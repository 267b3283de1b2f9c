// SPDX-License-Identifier: Apache-2.0

/// A file as it is written.
struct SpecSyntax: Sendable {
    let file: Int
    var namespace: NameSyntax?
    var namespaceDoc: DocSyntax?
    var imports: [NameSyntax] = []
    /// The definitions in their order; those written inside fields come last.
    var definitions: [DefinitionSyntax] = []
    /// The names of definitions that could not be read.
    var broken: [String] = []
}

enum DefinitionSyntax: Sendable {
    case alias(AliasSyntax)
    case annotation(AnnotationSyntax)
    /// Its name alone: no annotation of it changes what is generated.
    case annotationType(NameSyntax)
    case structure(StructSyntax)
    case union(UnionSyntax)
    case structPatch(StructSyntax)
    case unionPatch(UnionSyntax)
    case route(RouteSyntax)
}

struct NameSyntax: Hashable, Sendable {
    let text: String
    let mark: Mark
}

/// A documentation text.
struct DocSyntax: Sendable {
    /// The text without trailing blanks in its lines.
    let raw: String
    let mark: Mark
    /// Where the text ends in the file, in bytes.
    let end: Int
}

struct AliasSyntax: Sendable {
    let name: NameSyntax
    let type: TypeSyntax
    var annotations: [ReferenceSyntax] = []
    var doc: DocSyntax?
}

struct AnnotationSyntax: Sendable {
    let name: NameSyntax
    let type: ReferenceSyntax
    let arguments: [ArgumentSyntax]
}

struct StructSyntax: Sendable {
    let name: NameSyntax
    /// Where the definition begins.
    let mark: Mark
    var parent: TypeSyntax?
    var doc: DocSyntax?
    var subtypes: SubtypesSyntax?
    var fields: [FieldSyntax] = []
    var isInline = false
    /// Whether something in it could not be read.
    var isDamaged = false
}

struct SubtypesSyntax: Sendable {
    struct Member: Sendable {
        let tag: NameSyntax
        let type: TypeSyntax
    }

    let members: [Member]
    let isClosed: Bool
}

struct UnionSyntax: Sendable {
    let name: NameSyntax
    /// Where the definition begins.
    let mark: Mark
    let isClosed: Bool
    var parent: TypeSyntax?
    var doc: DocSyntax?
    var tags: [FieldSyntax] = []
    var isInline = false
    /// Whether something in it could not be read.
    var isDamaged = false
}

/// A field or a tag.
struct FieldSyntax: Sendable {
    let name: NameSyntax
    /// Absent in a tag without payload.
    let type: TypeSyntax?
    let defaultValue: ValueSyntax?
    var annotations: [ReferenceSyntax] = []
    var doc: DocSyntax?
}

struct RouteSyntax: Sendable {
    let name: NameSyntax
    let version: Int
    let argument: TypeSyntax
    let result: TypeSyntax
    let error: TypeSyntax?
    let deprecation: DeprecationSyntax?
    var doc: DocSyntax?
    var attributes: [AssignmentSyntax] = []
}

struct DeprecationSyntax: Sendable {
    let successor: NameSyntax?
    let version: Int
}

/// `name = value`.
struct AssignmentSyntax: Sendable {
    let name: NameSyntax
    let value: ValueSyntax
}

/// A name, perhaps of another namespace.
struct ReferenceSyntax: Sendable {
    let namespace: NameSyntax?
    let name: NameSyntax

    var mark: Mark { namespace?.mark ?? name.mark }
}

/// A type with its arguments.
struct TypeSyntax: Sendable {
    let reference: ReferenceSyntax
    var arguments: [ArgumentSyntax] = []
    var isNullable = false

    var mark: Mark { reference.mark }
    var name: String { reference.name.text }
}

/// An argument of a type or an annotation.
struct ArgumentSyntax: Sendable {
    enum Value: Sendable {
        case literal(StoneLiteral)
        case type(TypeSyntax)
    }

    /// The name, if the argument is given by name.
    let keyword: NameSyntax?
    let value: Value
    let mark: Mark
}

/// A value of a default or an attribute.
struct ValueSyntax: Sendable {
    enum Kind: Sendable {
        case literal(StoneLiteral)
        /// A tag.
        case name(String)
    }

    let kind: Kind
    let mark: Mark

    /// How a message calls it.
    var kindName: String {
        switch kind {
        case .literal(let literal): literal.kindName
        case .name: "a name"
        }
    }
}

extension StoneLiteral {
    /// How a message calls it.
    var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "a Boolean"
        case .integer: "a whole number"
        case .float: "a number with a fraction"
        case .string: "a text"
        case .tag: "a tag"
        }
    }
}
