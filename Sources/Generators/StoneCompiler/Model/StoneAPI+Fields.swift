// SPDX-License-Identifier: Apache-2.0

extension StoneAPI {
    /// The struct and those that it extends, the topmost first.
    package func lineage(of id: StructID) -> [StructID] {
        var line = [id]
        while let parent = self[line[line.count - 1]].parent { line.append(parent) }
        return line.reversed()
    }

    /// The union and those that it extends, the topmost first.
    package func lineage(of id: UnionID) -> [UnionID] {
        var line = [id]
        while let parent = self[line[line.count - 1]].parent { line.append(parent) }
        return line.reversed()
    }

    /// All fields of a struct, the inherited ones too: first those which a value must have, then the others; in each
    /// group the topmost parent's first.
    package func allFields(of id: StructID) -> [StoneField] {
        let fields = lineage(of: id).flatMap { self[$0].fields }
        return fields.filter(isRequired) + fields.filter { !isRequired($0) }
    }

    /// Whether a value must have the field: it has no default, and its type is not written as nullable.
    ///
    /// A field whose type is an alias of a nullable type counts as required here, as for Stone's own generators;
    /// `isNullable(_:)` tells that null is allowed.
    package func isRequired(_ field: StoneField) -> Bool {
        if case .nullable = field.type { return false }
        return field.defaultValue == nil
    }

    /// All tags of a union, the inherited ones too, the topmost parent's first.
    package func allTags(of id: UnionID) -> [StoneTag] {
        lineage(of: id).flatMap { self[$0].tags }
    }

    /// The tag `other` of an open union, own or inherited; nil if the union is closed.
    package func catchAll(of id: UnionID) -> StoneTag? {
        for ancestor in lineage(of: id) {
            if let tag = self[ancestor].tags.first(where: \.isCatchAll) { return tag }
        }
        return nil
    }

    /// Whether values of the struct have a `.tag` where the type of the value is not known by its place: it enumerates
    /// its subtypes, or its parent enumerates it.
    package func isInSubtypeTree(_ id: StructID) -> Bool {
        if self[id].subtypes != nil { return true }
        guard let parent = self[id].parent else { return false }
        return self[parent].subtypes != nil
    }
}
