// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The pagination of a route.
///
/// A route has pages if another route of its namespace continues it (`…/continue`, `…_continue`) and has the same
/// result, or if the route's argument takes the cursor of its result.
struct SwiftPaging {
    /// The route for the pages after the first, which can be the same route.
    let next: RouteID
    /// The list in a page, if there is exactly one.
    let list: StoneField?
    /// The page's cursor, the suffix of the expression for it, and whether it can be null.
    let cursor: (field: StoneField, suffix: String, isNullable: Bool)
    /// The page's field that indicates further pages.
    let hasMore: StoneField?
    /// The fields of the argument that the next request repeats.
    let repeated: [StoneField]

    let page: StructID

    static func pagings(
        _ api: StoneAPI, _ members: SwiftMembers, _ routes: [RouteID]
    ) -> [RouteID: SwiftPaging] {
        let all = routes.map { api[$0] }
        let bases = Bases(all)
        var pagings: [RouteID: SwiftPaging] = [:]
        var continued: Set<RouteID> = []
        for route in all {
            guard let base = bases[route].map({ api[$0] }) else { continue }
            continued.insert(route.id)
            if let paging = SwiftPaging(api, members, first: base, next: route) { pagings[base.id] = paging }
        }
        for route in all where pagings[route.id] == nil && !continued.contains(route.id) {
            pagings[route.id] = SwiftPaging(api, members, own: route)
        }
        return pagings
    }

    /// Finds the route that another route continues.
    private struct Bases {
        private struct Key: Hashable {
            let namespace: String
            let name: String
            let result: StoneType
        }

        private var versions: [Key: (highest: Int, all: [Int: RouteID])] = [:]

        init(_ routes: [StoneRoute]) {
            for route in routes {
                let key = Key(namespace: route.namespace, name: route.name, result: route.result)
                let highest = max(versions[key]?.highest ?? 0, route.version)
                versions[key, default: (highest, [:])].highest = highest
                versions[key]?.all[route.version] = route.id
            }
        }

        /// The route that `next` continues, in the same version or else in the highest version.
        subscript(next: StoneRoute) -> RouteID? {
            for suffix in ["/continue", "_continue"] {
                guard let name = next.name.removing(suffix: suffix) else { continue }
                let key = Key(namespace: next.namespace, name: String(name), result: next.result)
                return versions[key].flatMap { $0.all[next.version] ?? $0.all[$0.highest] }
            }
            return nil
        }
    }

    /// Creates the paging of a route that another route continues.
    private init?(_ api: StoneAPI, _ members: SwiftMembers, first: StoneRoute, next: StoneRoute) {
        guard let taken = api.structure(next.argument), api[taken].subtypes == nil,
            let page = api.structure(next.result)
        else { return nil }
        let fields = members.fields(of: taken)
        guard let target = fields["cursor"] else { return nil }
        let given = api.structure(first.argument).map { members.fields(of: $0) }
        var repeated: [StoneField] = []
        for field in fields.all where field.name != "cursor" {
            if let same = given?[field.name], same.type == field.type {
                repeated.append(same)
            } else if api.isRequired(field), !api.isNullable(field.type) {
                return nil
            }
        }
        self.init(api, members, next.id, page, target, repeated)
    }

    /// Creates the paging of a route whose own argument takes the cursor.
    private init?(_ api: StoneAPI, _ members: SwiftMembers, own route: StoneRoute) {
        guard let taken = api.structure(route.argument), api[taken].subtypes == nil,
            let page = api.structure(route.result), let target = members.fields(of: taken)["cursor"],
            api.isNullable(target.type)
        else { return nil }
        self.init(api, members, route.id, page, target, [])
    }

    private init?(
        _ api: StoneAPI, _ members: SwiftMembers, _ next: RouteID, _ page: StructID, _ target: StoneField,
        _ repeated: [StoneField]
    ) {
        let fields = members.fields(of: page)
        guard api[page].subtypes == nil, let field = fields["cursor"] else { return nil }
        let (wanted, given) = (api.unwrapped(target.type).type, api.unwrapped(field.type))
        if api.isSameKind(wanted, given.type) {
            cursor = (field, "", given.isNullable)
        } else if case .structure(let id) = given.type, let value = members.fields(of: id)["value"],
            api.isSameKind(wanted, api.withoutAliases(value.type))
        {
            cursor = (field, ".value", given.isNullable)
        } else {
            return nil
        }
        hasMore = fields["has_more"].flatMap { if case .boolean = api.withoutAliases($0.type) { $0 } else { nil } }
        guard hasMore != nil || given.isNullable else { return nil }
        list = members.onlyList(of: page)
        self.next = next
        self.page = page
        self.repeated = repeated
    }
}

extension StoneAPI {
    /// Returns the struct of a type, or `nil` for other types and types that allow null.
    func structure(_ type: StoneType) -> StructID? {
        if case .structure(let id) = withoutAliases(type) { id } else { nil }
    }

    /// Returns the union of a type, or `nil` for other types and types that allow null.
    func union(_ type: StoneType) -> UnionID? {
        if case .union(let id) = withoutAliases(type) { id } else { nil }
    }

    /// Returns whether two types are equal in Swift, regardless of their rules.
    func isSameKind(_ left: StoneType, _ right: StoneType) -> Bool {
        if case .string = left, case .string = right { return true }
        return left == right
    }
}
