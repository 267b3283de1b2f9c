// SPDX-License-Identifier: Apache-2.0

/// The standard objects every embedded org has.
package enum Catalogue {
    /// The schema, made once.
    package static let standard = schema(
        of: parties + sales + activities + people + relations + access + files + messages + organization + definitions)

    /// Derives the child relationships from the references that name them.
    static func schema(of definitions: [ObjectDefinition]) -> Schema {
        var children: [String: [ChildRelationship]] = [:]
        for definition in definitions {
            for field in definition.fields {
                guard let name = field.children else { continue }
                for parent in field.schema.referenceTo {
                    children[parent, default: []].append(
                        ChildRelationship(name: name, childObject: definition.name, field: field.schema.name))
                }
            }
        }
        return Schema(
            objects: definitions.map { definition in
                SObjectSchema(
                    name: definition.name, label: definition.label, labelPlural: definition.plural,
                    keyPrefix: definition.prefix, fields: definition.fields.map(\.schema),
                    childRelationships: children[definition.name] ?? [], abilities: definition.abilities)
            })
    }
}
