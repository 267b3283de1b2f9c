// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// What a written type is; nil after a fault.
    mutating func resolve(_ type: TypeSyntax, in scope: Int) -> StoneType? {
        guard let plain = resolvePlain(type, in: scope) else { return nil }
        guard type.isNullable else { return plain }
        if plain == .void {
            fault("Void cannot be nullable; remove the '?'.", at: type.mark)
            return nil
        }
        if case .nullable = plain { return nil }
        nullables.append((plain, type.mark))
        return .nullable(plain)
    }

    private mutating func resolvePlain(_ type: TypeSyntax, in scope: Int) -> StoneType? {
        if type.reference.namespace == nil, let builtin = BuiltinType(rawValue: type.name) {
            return resolve(builtin, type, in: scope)
        }
        guard let symbol = look(up: type.reference, in: scope, "type") else { return nil }
        let named: StoneType
        switch symbol.kind {
        case .structure(let id): named = .structure(id)
        case .union(let id): named = .union(id)
        case .alias(let id): named = .alias(id)
        case .broken: return nil
        case .annotation, .annotationType, .route:
            fault("'\(type.name)' is \(symbol.kindName), but here must be a type.", at: type.mark)
            return nil
        }
        if let namespace = type.reference.namespace { scopes[scope].uses.insert(namespace.text) }
        if let first = type.arguments.first {
            fault("Only types of the language have arguments, '\(type.name)' has none; remove them.", at: first.mark)
        }
        return named
    }

    private mutating func resolve(_ builtin: BuiltinType, _ type: TypeSyntax, in scope: Int) -> StoneType? {
        var arguments = TypeArguments(type)
        let resolved: StoneType?
        switch builtin {
        case .bytes: resolved = .bytes
        case .boolean: resolved = .boolean
        case .void: resolved = .void
        case .int32, .int64, .uint32, .uint64: resolved = integer(builtin, &arguments)
        case .float32, .float64: resolved = float(builtin, &arguments)
        case .string: resolved = string(&arguments)
        case .timestamp: resolved = timestamp(&arguments)
        case .list: resolved = list(&arguments, in: scope)
        case .map: resolved = map(&arguments, in: scope)
        }
        arguments.refuseRest()
        diagnostics.add(arguments.diagnostics)
        return resolved
    }

    private mutating func list(_ arguments: inout TypeArguments, in scope: Int) -> StoneType? {
        guard let element = arguments.type("the type of the elements") else { return nil }
        let resolved = resolve(element, in: scope)
        var list = StoneListType(element: resolved ?? .void)
        list.minimumItems = arguments.count("min_items", from: 0)
        list.maximumItems = arguments.count("max_items", from: 1)
        arguments.check(list.minimumItems, "min_items", notAbove: list.maximumItems, "max_items")
        if resolved == .void {
            fault("The elements of a List cannot be Void.", at: element.mark)
            return nil
        }
        return resolved == nil ? nil : .list(list)
    }

    private mutating func map(_ arguments: inout TypeArguments, in scope: Int) -> StoneType? {
        guard let key = arguments.type("the type of the keys, String") else { return nil }
        guard let value = arguments.type("the type of the values") else { return nil }
        let resolved = (key: resolve(key, in: scope), value: resolve(value, in: scope))
        guard let keyType = resolved.key, let valueType = resolved.value else { return nil }
        guard case .string(let string) = keyType else {
            fault("The keys of a Map must be of the type String.", at: key.mark)
            return nil
        }
        if valueType == .void {
            fault("The values of a Map cannot be Void.", at: value.mark)
            return nil
        }
        return .map(key: string, value: valueType)
    }

    /// Refuses nullable types of nullable types, also through aliases.
    mutating func checkNullables() {
        for (type, mark) in nullables {
            guard case .nullable = api.withoutAliases(type) else { continue }
            fault("The type is nullable already; remove the '?'.", at: mark)
        }
    }
}
