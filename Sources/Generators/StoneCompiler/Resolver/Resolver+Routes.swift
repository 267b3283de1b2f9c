// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// The namespace that describes routes' attributes and is not part of the interface.
    static let schemaNamespace = "stone_cfg"

    mutating func resolveSchema() {
        guard let scope = scopeIndex[Self.schemaNamespace] else { return }
        for route in routes where route.scope == scope {
            fault("The namespace stone_cfg cannot have routes; move this one.", at: route.syntax.name.mark)
        }
        for index in structs.indices where structs[index].scope == scope {
            guard structs[index].syntax.name.text != "Route" else {
                api.routeSchema = StructID(index: index)
                continue
            }
            fault(
                "The namespace stone_cfg can only have a struct Route; move this one.", at: structs[index].syntax.mark)
        }
        for index in unions.indices where unions[index].scope == scope {
            fault(
                "The namespace stone_cfg can only have a struct Route; move this union.", at: unions[index].syntax.mark)
        }
    }

    mutating func resolveRoutes() {
        let schema = api.routeSchema.map { api.allFields(of: $0) } ?? []
        let isKnown = api.routeSchema.map { !isDamaged($0) } ?? true
        for index in routes.indices {
            let (syntax, scope) = (routes[index].syntax, routes[index].scope)
            api.routes[index].argument = resolve(syntax.argument, in: scope) ?? .void
            api.routes[index].result = resolve(syntax.result, in: scope) ?? .void
            api.routes[index].error = syntax.error.flatMap { resolve($0, in: scope) } ?? .void
            api.routes[index].deprecation = deprecation(syntax.deprecation, in: scope)
            if isKnown, scope != scopeIndex[Self.schemaNamespace] {
                api.routes[index].attributes = attributes(of: syntax, schema)
            }
        }
    }

    private mutating func deprecation(_ syntax: DeprecationSyntax?, in scope: Int) -> StoneDeprecation? {
        guard let syntax else { return nil }
        guard let name = syntax.successor else { return StoneDeprecation() }
        switch scopes[scope].symbols[name.text]?.kind {
        case .route(let versions):
            if let id = versions[syntax.version] { return StoneDeprecation(successor: id) }
            fault("The route '\(name.text)' has no version \(syntax.version).", at: name.mark)
        case .broken: break
        case nil: fault("There is no route '\(name.text)' in this namespace; correct the name.", at: name.mark)
        default: fault("'\(name.text)' is not a route, and only a route can replace one.", at: name.mark)
        }
        return StoneDeprecation()
    }

    /// The value of each field of the schema.
    private mutating func attributes(of route: RouteSyntax, _ schema: [StoneField]) -> [StoneAttribute] {
        var given = Dictionary(route.attributes.map { ($0.name.text, $0) }) { first, _ in first }
        var attributes: [StoneAttribute] = []
        for field in schema {
            let written = given.removeValue(forKey: field.name)
            guard let value = value(written, of: field, route) else { continue }
            attributes.append(StoneAttribute(name: field.name, value: value))
        }
        for attribute in route.attributes where given[attribute.name.text] != nil {
            let advice = "remove it, or add it to the struct Route of the namespace stone_cfg"
            fault("There is no attribute '\(attribute.name.text)'; \(advice).", at: attribute.name.mark)
        }
        return attributes
    }

    private mutating func value(
        _ attribute: AssignmentSyntax?, of field: StoneField, _ route: RouteSyntax
    ) -> StoneLiteral? {
        if let attribute {
            let role = "The attribute '\(field.name)'"
            return literal(attribute.value, as: field.type, role, at: attribute.name.mark)
        }
        if let value = field.defaultValue { return value }
        if api.isNullable(field.type) { return .null }
        fault("The route needs a value for the attribute '\(field.name)'.", at: route.name.mark)
        return nil
    }
}
