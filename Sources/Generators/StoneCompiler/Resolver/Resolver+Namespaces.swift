// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Lists what each namespace has.
    mutating func makeNamespaces() {
        var namespaces = scopes.map { scope in
            StoneNamespace(name: scope.name, imports: Self.sorted(scope.imports.keys), uses: Self.sorted(scope.uses))
        }
        for index in Self.order(api.structs.map(\.name)) {
            namespaces[structs[index].scope].structs.append(StructID(index: index))
        }
        for index in Self.order(api.unions.map(\.name)) {
            namespaces[unions[index].scope].unions.append(UnionID(index: index))
        }
        for index in Self.order(api.aliases.map(\.name)) {
            namespaces[aliases[index].scope].aliases.append(AliasID(index: index))
        }
        for index in Self.order(api.annotations.map(\.name)) {
            namespaces[annotations[index].scope].annotations.append(AnnotationID(index: index))
        }
        let byVersion = api.routes.indices.sorted { api.routes[$0].version < api.routes[$1].version }
        for place in Self.order(byVersion.map { api.routes[$0].name }) {
            let index = byVersion[place]
            namespaces[routes[index].scope].routes.append(RouteID(index: index))
        }
        for index in namespaces.indices {
            namespaces[index].types = types(of: namespaces[index])
            namespaces[index].doc = namespaceDoc(scopes[index].docs, in: index)
        }
        api.namespaces = namespaces.filter { $0.name != Self.schemaNamespace }
        api.namespaces.sort { Self.precedes($0.name, $1.name) }
    }

    private func types(of namespace: StoneNamespace) -> [StoneDeclaration] {
        let all = namespace.structs.map { StoneDeclaration.structure($0) } + namespace.unions.map { .union($0) }
        return Self.order(all.map { api.name(of: $0).name }).map { all[$0] }
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    private static func sorted(_ names: some Collection<String>) -> [String] { names.sorted(by: precedes) }

    /// The places of names in the order of the names' bytes; equal ones as they stand.
    private static func order(_ names: [String]) -> [Int] {
        names.indices.sorted { one, other in
            if names[one] == names[other] { return one < other }
            return precedes(names[one], names[other])
        }
    }
}
