// SPDX-License-Identifier: Apache-2.0

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
