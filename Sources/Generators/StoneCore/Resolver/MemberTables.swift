// SPDX-License-Identifier: Apache-2.0

/// The fields of structs and the tags of unions by their names, made when they are first asked for.
///
/// Without them each default and each example would walk through all members of its type, and the cost would grow with
/// the square of the spec. They are right once members have their types, and fields their defaults.
struct MemberTables: Sendable {
    struct Fields: Sendable {
        /// All fields, the inherited ones too, in the order of values.
        let all: [StoneField]
        /// Where each stands.
        let places: [String: Int]
        /// Where those stand that a value must have.
        let required: [Int]
        /// Where those stand that have a default.
        let defaulted: [Int]

        init(_ fields: [StoneField], _ api: StoneAPI) {
            all = fields
            places = Dictionary(fields.enumerated().map { ($1.name, $0) }) { first, _ in first }
            required = fields.indices.filter { api.isRequired(fields[$0]) }
            defaulted = fields.indices.filter { fields[$0].defaultValue != nil }
        }
    }

    private var fields: [StructID: Fields] = [:]
    private var tags: [UnionID: [String: StoneTag]] = [:]

    mutating func fields(of id: StructID, in api: StoneAPI) -> Fields {
        if let known = fields[id] { return known }
        let made = Fields(api.allFields(of: id), api)
        fields[id] = made
        return made
    }

    mutating func tag(_ name: String, of id: UnionID, in api: StoneAPI) -> StoneTag? {
        if tags[id] == nil { tags[id] = Dictionary(api.allTags(of: id).map { ($0.name, $0) }) { first, _ in first } }
        return tags[id]?[name]
    }
}
