// SPDX-License-Identifier: Apache-2.0

/// The members of structs and unions with their Swift names, found out once for each type.
///
/// Without them each default, each reference in documentation and each page would walk through all members of a type,
/// and the cost would grow with the square of the spec.
final class SwiftMembers {
    private let api: StoneAPI
    private var structs: [StructID: SwiftFields] = [:]
    private var unions: [UnionID: SwiftTags] = [:]
    private var lists: [StructID: StoneField?] = [:]

    init(_ api: StoneAPI) {
        self.api = api
    }

    func fields(of id: StructID) -> SwiftFields {
        if let known = structs[id] { return known }
        let made = SwiftFields(api.allFields(of: id))
        structs[id] = made
        return made
    }

    /// The list of a struct that has just one.
    func onlyList(of id: StructID) -> StoneField? {
        if let known = lists[id] { return known }
        let found = fields(of: id).all.filter {
            if case .list = api.withoutAliases($0.type) { true } else { false }
        }
        let made = found.count == 1 ? found[0] : nil
        lists[id] = .some(made)
        return made
    }

    func tags(of id: UnionID) -> SwiftTags {
        if let known = unions[id] { return known }
        let made = SwiftTags(api.allTags(of: id))
        unions[id] = made
        return made
    }
}

/// The fields of a struct that generated code has, the inherited ones too.
struct SwiftFields {
    /// In the order of the initializer.
    let all: [StoneField]
    /// The Swift names by those of the spec.
    let names: [String: String]
    private let places: [String: Int]

    init(_ fields: [StoneField]) {
        all = fields.filter { $0.annotations.omittedCaller == nil }
        names = SwiftNames.members(all.map(\.name))
        places = Dictionary(all.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> StoneField? { places[name].map { all[$0] } }
}

/// The tags of a union, the inherited ones too.
struct SwiftTags {
    /// Those that generated code knows, in their order.
    let known: [StoneTag]
    /// The Swift names of their cases by those of the spec.
    let names: [String: String]
    /// The tag `other` of an open union.
    let catchAll: String?
    private let places: [String: Int]

    init(_ tags: [StoneTag]) {
        known = tags.filter { !$0.isCatchAll && $0.annotations.omittedCaller == nil }
        names = SwiftNames.cases(known.map(\.name))
        catchAll = tags.first(where: \.isCatchAll)?.name
        places = Dictionary(known.enumerated().map { ($1.name, $0) }) { first, _ in first }
    }

    subscript(name: String) -> StoneTag? { places[name].map { known[$0] } }
}
