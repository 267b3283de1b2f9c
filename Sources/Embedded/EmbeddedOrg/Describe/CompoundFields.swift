// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Finds the fields that addresses and places consist of.
enum CompoundFields {
    private static let parts = [
        "City", "Country", "GeocodeAccuracy", "Latitude", "Longitude", "PostalCode", "State", "Street",
    ]

    /// Tells each compound field its components; those of a place are added where they are not described.
    ///
    /// Those of the platform's own objects that consist of nothing are left out.
    static func complete(_ draft: inout ObjectDraft, _ node: DescribeNode) throws(LocalOrgError) {
        if !draft.isCustom {
            let empty = draft.fields.filter { $0.type.isCompound && !hasParts($0, draft) }
            if !empty.isEmpty { draft.remove(Set(empty.map(\.name))) }
        }
        for position in draft.fields.indices where draft.fields[position].type.isCompound {
            let field = draft.fields[position]
            let isCustom = field.name.hasBytes(suffix: "__c")
            guard isCustom || (field.type == .address && field.name.hasBytes(suffix: "Address")) else {
                throw node.error(
                    "\(field.name) must end with '\(field.type == .address ? "Address" : "__c")', so that its parts can be "
                        + "found; leave the field out", at: "fields")
            }
            let stem = String(field.name.dropLast(isCustom ? 3 : 7)) + (isCustom ? "__" : "")
            let names = field.type == .location ? ["Latitude", "Longitude"] : parts
            var components: [FieldSchema.Component] = []
            for name in names {
                let full = stem + name + (isCustom ? "__s" : "")
                if draft.position(ofField: full) == nil, field.type == .location {
                    let part = FieldSchema(name: full, label: "\(field.label) (\(name))", type: .double)
                    try draft.add(part, node)
                }
                guard let place = draft.position(ofField: full) else { continue }
                components.append(
                    .init(key: name.prefix(1).lowercased() + name.dropFirst(), field: draft.fields[place].name))
            }
            guard !components.isEmpty else {
                throw node.error(
                    "\(field.name) has no parts, such as \(stem)City\(isCustom ? "__s" : ""); describe them, or leave it out",
                    at: "fields")
            }
            draft.fields[position].components = components
        }
    }

    private static func hasParts(_ field: FieldSchema, _ draft: ObjectDraft) -> Bool {
        let isCustom = field.name.hasBytes(suffix: "__c")
        guard isCustom || (field.type == .address && field.name.hasBytes(suffix: "Address")) else { return false }
        let stem = field.name.dropLast(isCustom ? 3 : 7)
        return field.type == .location
            || parts.contains { draft.position(ofField: isCustom ? "\(stem)__\($0)__s" : "\(stem)\($0)") != nil }
    }
}
