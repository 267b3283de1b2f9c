// SPDX-License-Identifier: Apache-2.0

import StoneCore

/// How the pages of a route follow one another.
///
/// A route has pages if another one of its namespace continues it (`…/continue`, `…_continue`) and gives the same
/// result, or if its own argument takes the cursor of its result.
struct SwiftPaging {
    /// The route of the pages after the first; the same one where it takes its own cursor.
    let next: RouteID
    /// The list in a page, if there is just one.
    let list: StoneField?
    /// The page's cursor as an expression below the page, and whether it may be absent.
    let cursor: (field: StoneField, suffix: String, isNullable: Bool)
    /// The page's field that tells whether there are more.
    let hasMore: StoneField?
    /// The argument's fields that are repeated.
    let repeated: [StoneField]

    static func pagings(_ api: StoneAPI, _ routes: [RouteID]) -> [RouteID: SwiftPaging] {
        let written = Set(routes)
        var pagings: [RouteID: SwiftPaging] = [:]
        var continued: Set<RouteID> = []
        for route in routes.map({ api[$0] }) {
            guard let base = base(of: route, among: routes.map { api[$0] }) else { continue }
            continued.insert(route.id)
            if let paging = SwiftPaging(api, first: base, next: route) { pagings[base.id] = paging }
        }
        for route in routes.map({ api[$0] }) where pagings[route.id] == nil && !continued.contains(route.id) {
            guard !continued.contains(route.id), let paging = SwiftPaging(api, own: route) else { continue }
            pagings[route.id] = paging
        }
        return pagings.filter { written.contains($0.value.next) }
    }

    /// The route that another one continues: of the same version, else of the highest one.
    private static func base(of next: StoneRoute, among routes: [StoneRoute]) -> StoneRoute? {
        for suffix in ["/continue", "_continue"] where next.name.hasSuffix(suffix) {
            let name = String(next.name.dropLast(suffix.count))
            let fitting = routes.filter {
                $0.namespace == next.namespace && $0.name == name && $0.result == next.result
            }
            return fitting.first { $0.version == next.version } ?? fitting.max { $0.version < $1.version }
        }
        return nil
    }

    /// A route that another one continues.
    private init?(_ api: StoneAPI, first: StoneRoute, next: StoneRoute) {
        guard let taken = api.structure(next.argument), let page = api.structure(next.result) else { return nil }
        let fields = api.allFields(of: taken)
        guard let target = fields.first(where: { $0.name == "cursor" }) else { return nil }
        let given = api.structure(first.argument).map { api.allFields(of: $0) } ?? []
        var repeated: [StoneField] = []
        for field in fields where field.name != "cursor" {
            if let same = given.first(where: { $0.name == field.name && $0.type == field.type }) {
                repeated.append(same)
            } else if api.isRequired(field), !api.isNullable(field.type) {
                return nil
            }
        }
        self.init(api, next.id, page, target, repeated)
    }

    /// A route whose own argument takes the cursor.
    private init?(_ api: StoneAPI, own route: StoneRoute) {
        guard let taken = api.structure(route.argument), let page = api.structure(route.result),
            let target = api.allFields(of: taken).first(where: { $0.name == "cursor" }), api.isNullable(target.type)
        else { return nil }
        self.init(api, route.id, page, target, [])
    }

    private init?(
        _ api: StoneAPI, _ next: RouteID, _ page: StructID, _ target: StoneField, _ repeated: [StoneField]
    ) {
        let fields = api.allFields(of: page)
        guard api[page].subtypes == nil, let field = fields.first(where: { $0.name == "cursor" }) else { return nil }
        let (wanted, given) = (api.unwrapped(target.type).type, api.unwrapped(field.type))
        if api.isSameKind(wanted, given.type) {
            cursor = (field, "", given.isNullable)
        } else if case .structure(let id) = given.type,
            let value = api.allFields(of: id).first(where: { $0.name == "value" }),
            api.isSameKind(wanted, api.withoutAliases(value.type))
        {
            cursor = (field, ".value", given.isNullable)
        } else {
            return nil
        }
        hasMore = fields.first {
            if case .boolean = api.withoutAliases($0.type) { $0.name == "has_more" } else { false }
        }
        guard hasMore != nil || given.isNullable else { return nil }
        let lists = fields.filter { if case .list = api.withoutAliases($0.type) { true } else { false } }
        list = lists.count == 1 ? lists[0] : nil
        self.next = next
        self.repeated = repeated
    }
}

extension StoneAPI {
    /// The struct that a type is; nil for another type, and for one that allows null.
    func structure(_ type: StoneType) -> StructID? {
        if case .structure(let id) = withoutAliases(type) { id } else { nil }
    }

    /// The union that a type is; nil for another type, and for one that allows null.
    func union(_ type: StoneType) -> UnionID? {
        if case .union(let id) = withoutAliases(type) { id } else { nil }
    }

    /// Whether two types are one in Swift, whatever their rules.
    func isSameKind(_ left: StoneType, _ right: StoneType) -> Bool {
        if case .string = left, case .string = right { return true }
        return left == right
    }
}
