// SPDX-License-Identifier: Apache-2.0

/// The objects that queries are checked against, as the platform describes them.
///
/// Names are looked up without case, as the platform does.
package struct QuerySchema: Sendable, Hashable {
    /// The objects in the order of their names.
    package let objects: [Object]
    private let positions: [String: Int]

    /// A schema of these objects.
    ///
    /// - Throws: ``SchemaError`` when two of them have one name, or names that differ in case only.
    package init(objects: [Object]) throws(SchemaError) {
        self.objects = objects.sorted { $0.name.isBefore($1.name) }
        var positions: [String: Int] = [:]
        for (position, object) in self.objects.enumerated() {
            if let other = positions.updateValue(position, forKey: object.name.lowercased()) {
                throw SchemaError(
                    message: "two objects have the name \(object.name), one of them as \(self.objects[other].name)",
                    place: object.name)
            }
        }
        self.positions = positions
    }

    /// The object of that name, any case.
    package func object(named name: String) -> Object? { positions[name.lowercased()].map { objects[$0] } }
}

extension QuerySchema {
    /// One object: its fields, and the relationships that end at it.
    package struct Object: Sendable, Hashable {
        /// The API name.
        package let name: String
        /// The name for people.
        package let label: String
        /// Whether queries can read it.
        package let isQueryable: Bool
        /// The fields in the order of their names.
        package let fields: [Field]
        /// The relationships to children that queries can name, in the order of their names.
        package let childRelationships: [ChildRelationship]
        private let positions: [String: Int]
        private let parents: [String: Int]

        init(
            name: String, label: String, isQueryable: Bool, fields: [Field], childRelationships: [ChildRelationship]
        ) {
            (self.name, self.label, self.isQueryable) = (name, label, isQueryable)
            self.fields = fields.sorted { $0.name.isBefore($1.name) }
            self.childRelationships = childRelationships.sorted { $0.name.isBefore($1.name) }
            let named = self.fields.enumerated()
            positions = Dictionary(named.map { ($1.name.lowercased(), $0) }) { first, _ in first }
            parents = Dictionary(
                named.compactMap { position, field in field.relationshipName.map { ($0.lowercased(), position) } }
            ) { first, _ in first }
        }

        /// The field of that name, any case.
        package func field(named name: String) -> Field? { positions[name.lowercased()].map { fields[$0] } }

        /// The reference field behind a parent relationship (`Owner` → `OwnerId`), any case.
        package func referenceField(ofRelationship name: String) -> Field? {
            parents[name.lowercased()].map { fields[$0] }
        }

        /// The child relationship of that name (`Contacts`), any case.
        package func childRelationship(named name: String) -> ChildRelationship? {
            childRelationships.first { $0.name.lowercased() == name.lowercased() }
        }
    }

    /// A relationship seen from its parent: `Account.Contacts` is `Contact.AccountId`.
    package struct ChildRelationship: Sendable, Hashable {
        /// Its name in child queries.
        package let name: String
        /// The object of the children.
        package let childObject: String
        /// The children's field that holds the parent's id.
        package let field: String
    }
}

extension String {
    /// The order of names in a schema: by letters without case, so that no setting of the machine has a say.
    func isBefore(_ other: String) -> Bool {
        let (own, others) = (lowercased(), other.lowercased())
        return own == others ? self < other : own < others
    }
}
