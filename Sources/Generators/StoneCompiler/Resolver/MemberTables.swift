// SPDX-License-Identifier: Apache-2.0

/// The names of structs' fields, and the tags of unions by their names, made when they are first asked for.
///
/// Without them each default and each reference would walk through all members of its type, and the cost would grow
/// with the square of the spec.
struct MemberTables: Sendable {
    private var fields: [StructID: Set<String>] = [:]
    private var tags: [UnionID: [String: StoneTag]] = [:]

    mutating func hasField(_ name: String, in id: StructID, of api: StoneAPI) -> Bool {
        if fields[id] == nil { fields[id] = Set(api.lineage(of: id).flatMap { api[$0].fields.map(\.name) }) }
        return fields[id]?.contains(name) ?? false
    }

    mutating func tag(_ name: String, of id: UnionID, in api: StoneAPI) -> StoneTag? {
        if tags[id] == nil { tags[id] = Dictionary(api.allTags(of: id).map { ($0.name, $0) }) { first, _ in first } }
        return tags[id]?[name]
    }
}
