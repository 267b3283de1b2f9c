// SPDX-License-Identifier: Apache-2.0

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
