// SPDX-License-Identifier: Apache-2.0

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
