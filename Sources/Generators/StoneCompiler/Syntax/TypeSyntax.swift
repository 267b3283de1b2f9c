// SPDX-License-Identifier: Apache-2.0

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
