// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Resolves a type, or reports an error and returns `nil`.
    mutating func resolve(_ type: TypeSyntax, in scope: Int) -> StoneType? {
        guard let plain = resolvePlain(type, in: scope) else { return nil }
        guard type.isNullable else { return plain }
        if plain == .void {
            fault("Void cannot be nullable; remove the '?'", at: type.mark)
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
        case .annotation, .annotationType, .route:
            fault("'\(type.name)' is \(symbol.kindName), not a type", at: type.mark)
            return nil
        }
        if let first = type.arguments.first {
            fault("only built-in types have arguments; remove those of '\(type.name)'", at: first.mark)
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
            fault("the elements of a List cannot be Void", at: element.mark)
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
            fault("the keys of a Map must be of the type String", at: key.mark)
            return nil
        }
        if valueType == .void {
            fault("the values of a Map cannot be Void", at: value.mark)
            return nil
        }
        return .map(key: string, value: valueType)
    }

    /// Reports nullable types of nullable types, also through aliases.
    mutating func checkNullables() {
        for (type, mark) in nullables {
            guard case .nullable = api.withoutAliases(type) else { continue }
            fault("the type is already nullable; remove the '?'", at: mark)
        }
    }
}

extension Resolver {
    func integer(_ builtin: BuiltinType, _ arguments: inout TypeArguments) -> StoneType? {
        guard let size = StoneIntegerType.Size(rawValue: builtin.rawValue) else { return nil }
        var type = StoneIntegerType(size: size)
        type.minimum = arguments.integer("min_value", in: size.range)
        type.maximum = arguments.integer("max_value", in: size.range)
        arguments.check(type.minimum, "min_value", notAbove: type.maximum, "max_value")
        return .integer(type)
    }

    func float(_ builtin: BuiltinType, _ arguments: inout TypeArguments) -> StoneType? {
        guard let size = StoneFloatType.Size(rawValue: builtin.rawValue) else { return nil }
        var type = StoneFloatType(size: size)
        type.minimum = arguments.float("min_value", in: size.range)
        type.maximum = arguments.float("max_value", in: size.range)
        arguments.check(type.minimum, "min_value", notAbove: type.maximum, "max_value")
        return .float(type)
    }

    func string(_ arguments: inout TypeArguments) -> StoneType {
        var type = StoneStringType()
        type.minimumLength = arguments.count("min_length", from: 0)
        type.maximumLength = arguments.count("max_length", from: 1)
        arguments.check(type.minimumLength, "min_length", notAbove: type.maximumLength, "max_length")
        type.pattern = arguments.text("pattern")
        return .string(type)
    }

    func timestamp(_ arguments: inout TypeArguments) -> StoneType? {
        guard let format = arguments.positional("a format such as \"%Y-%m-%dT%H:%M:%SZ\"") else { return nil }
        guard case .literal(.string(let text)) = format.value else {
            arguments.diagnostics.add("the format of a Timestamp must be a string", at: format.mark)
            return nil
        }
        return .timestamp(format: text)
    }
}

extension StoneFloatType.Size {
    var range: ClosedRange<Double> {
        switch self {
        case .float32: -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude)
        case .float64: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        }
    }
}

/// The arguments of a predefined type, which are taken one by one.
struct TypeArguments {
    let type: TypeSyntax
    var diagnostics = Diagnostics()
    private var positional: [ArgumentSyntax]
    private var named: [String: ArgumentSyntax] = [:]
    /// Whether an error makes further errors meaningless.
    private var isIncomplete = false

    init(_ type: TypeSyntax) {
        self.type = type
        positional = type.arguments.filter { $0.keyword == nil }.reversed()
        for argument in type.arguments {
            if let keyword = argument.keyword { named[keyword.text] = argument }
        }
    }

    /// Takes the next positional argument, which is required.
    mutating func positional(_ role: String) -> ArgumentSyntax? {
        if let argument = positional.popLast() { return argument }
        if !isIncomplete { diagnostics.add("\(type.name) needs an argument: \(role)", at: type.mark) }
        isIncomplete = true
        return nil
    }

    /// Takes the next positional argument, which must be a type.
    mutating func type(_ role: String) -> TypeSyntax? {
        guard let argument = positional(role) else { return nil }
        guard case .type(let type) = argument.value else {
            diagnostics.add("expected \(role)", at: argument.mark)
            return nil
        }
        return type
    }

    private mutating func literal(_ name: String) -> (StoneLiteral, Mark)? {
        guard let argument = named.removeValue(forKey: name) else { return nil }
        guard case .literal(let literal) = argument.value else {
            diagnostics.add("'\(name)' must be a value, not a type", at: argument.mark)
            return nil
        }
        return (literal, argument.mark)
    }

    mutating func text(_ name: String) -> String? {
        guard let (literal, mark) = literal(name) else { return nil }
        guard case .string(let text) = literal else {
            diagnostics.add("'\(name)' must be a string, not \(literal.kindName)", at: mark)
            return nil
        }
        return text
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int128>) -> Int128? {
        guard let (literal, mark) = literal(name) else { return nil }
        guard case .integer(let number) = literal else {
            diagnostics.add("'\(name)' must be a whole number, not \(literal.kindName)", at: mark)
            return nil
        }
        guard range.contains(number) else {
            let bounds = "between \(range.lowerBound) and \(range.upperBound)"
            diagnostics.add("'\(name)' of \(type.name) must be \(bounds); it is \(number)", at: mark)
            return nil
        }
        return number
    }

    /// Takes a count that must be at least `least`.
    mutating func count(_ name: String, from least: Int128) -> Int? {
        integer(name, in: least...Int128(Int32.max)).flatMap { Int(exactly: $0) }
    }

    mutating func float(_ name: String, in range: ClosedRange<Double>) -> Double? {
        guard let (literal, mark) = literal(name) else { return nil }
        let number: Double
        switch literal {
        case .integer(let value): number = Double(value)
        case .float(let value): number = value
        default:
            diagnostics.add("'\(name)' must be a number, not \(literal.kindName)", at: mark)
            return nil
        }
        guard range.contains(number) else {
            diagnostics.add("'\(name)' is out of the range of \(type.name)", at: mark)
            return nil
        }
        return number
    }

    mutating func check<Number: Comparable>(
        _ low: Number?, _ lowName: String, notAbove high: Number?, _ highName: String
    ) {
        guard let low, let high, low > high else { return }
        diagnostics.add("no value can have a \(lowName) of \(low) and a \(highName) of \(high)", at: type.mark)
    }

    /// Reports arguments that were not taken.
    mutating func refuseRest() {
        if let extra = positional.last, !isIncomplete {
            diagnostics.add(
                "\(type.name) has too many arguments; give others by name or remove this one", at: extra.mark)
        }
        for argument in type.arguments {
            guard let keyword = argument.keyword, named[keyword.text] != nil else { continue }
            diagnostics.add("\(type.name) has no argument '\(keyword.text)'", at: argument.mark)
        }
    }
}
