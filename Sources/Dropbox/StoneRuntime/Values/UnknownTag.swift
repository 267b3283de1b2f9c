// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// A tag of an open union that the generated code does not know, with all that came with it.
///
/// It is written as it came, so that a value of a newer spec survives being read and sent again.
public struct UnknownTag: Sendable, Hashable, CustomStringConvertible {
    /// Boxed, so that a union with room for it does not grow by it.
    private final class Content: Sendable {
        let tag: String
        /// The members of the object, the tag among them, without braces.
        let members: [UInt8]

        init(_ tag: String, _ members: [UInt8]) {
            (self.tag, self.members) = (tag, members)
        }
    }

    private let content: Content

    /// Makes a tag without anything beside it.
    public init(_ tag: String) {
        let object: JSONValue = [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// Keeps a copy of an object, so that its document need not live on.
    init(_ tag: String, of value: JSONValue) {
        let object: JSONValue = value.kind == .object ? value : [".tag": JSONValue(tag)]
        content = Content(tag, Self.members(of: object))
    }

    /// The tag.
    public var tag: String { content.tag }

    /// The object as it came, the tag among its members.
    public var json: JSONValue { (try? JSONValue(parsing: [0x7B] + content.members + [0x7D])) ?? .null }

    /// The tag.
    public var description: String { tag }

    var members: [UInt8] { content.members }

    /// Whether the same came.
    public static func == (left: UnknownTag, right: UnknownTag) -> Bool { left.members == right.members }

    /// Feeds what came to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(members)
    }

    private static func members(of object: JSONValue) -> [UInt8] { Array(object.bytes().dropFirst().dropLast()) }
}
