// SPDX-License-Identifier: Apache-2.0

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
            arguments.diagnostics.add("The format of a Timestamp must be a text.", at: format.mark)
            return nil
        }
        return .timestamp(format: text)
    }
}

extension StoneFloatType.Size {
    /// The finite numbers of this size.
    var range: ClosedRange<Double> {
        switch self {
        case .float32: -Double(Float.greatestFiniteMagnitude)...Double(Float.greatestFiniteMagnitude)
        case .float64: -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude
        }
    }
}
