// SPDX-License-Identifier: Apache-2.0

/// The arguments of a type of the language, taken one by one.
struct TypeArguments {
    let type: TypeSyntax
    var diagnostics = Diagnostics()
    private var positional: [ArgumentSyntax]
    private var named: [String: ArgumentSyntax] = [:]
    /// Whether a fault makes further ones meaningless.
    private var isIncomplete = false

    init(_ type: TypeSyntax) {
        self.type = type
        positional = type.arguments.filter { $0.keyword == nil }.reversed()
        for argument in type.arguments {
            if let keyword = argument.keyword { named[keyword.text] = argument }
        }
    }

    /// The next argument that has no name and must be there.
    mutating func positional(_ role: String) -> ArgumentSyntax? {
        if let argument = positional.popLast() { return argument }
        if !isIncomplete { diagnostics.add("\(type.name) needs an argument: \(role).", at: type.mark) }
        isIncomplete = true
        return nil
    }

    /// The next argument without a name, which must be a type.
    mutating func type(_ role: String) -> TypeSyntax? {
        guard let argument = positional(role) else { return nil }
        guard case .type(let type) = argument.value else {
            diagnostics.add("Here must be \(role).", at: argument.mark)
            return nil
        }
        return type
    }

    private mutating func literal(_ name: String) -> (StoneLiteral, Mark)? {
        guard let argument = named.removeValue(forKey: name) else { return nil }
        guard case .literal(let literal) = argument.value else {
            diagnostics.add("'\(name)' must be a value, not a type.", at: argument.mark)
            return nil
        }
        return (literal, argument.mark)
    }

    mutating func text(_ name: String) -> String? {
        guard let (literal, mark) = literal(name) else { return nil }
        guard case .string(let text) = literal else {
            diagnostics.add("'\(name)' must be a text, not \(literal.kindName).", at: mark)
            return nil
        }
        return text
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int128>) -> Int128? {
        guard let (literal, mark) = literal(name) else { return nil }
        guard case .integer(let number) = literal else {
            diagnostics.add("'\(name)' must be a whole number, not \(literal.kindName).", at: mark)
            return nil
        }
        guard range.contains(number) else {
            let bounds = "between \(range.lowerBound) and \(range.upperBound)"
            diagnostics.add("'\(name)' of \(type.name) must be \(bounds); it is \(number).", at: mark)
            return nil
        }
        return number
    }

    /// A number of things, at least so many.
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
            diagnostics.add("'\(name)' must be a number, not \(literal.kindName).", at: mark)
            return nil
        }
        guard range.contains(number) else {
            diagnostics.add("'\(name)' is out of the range of \(type.name).", at: mark)
            return nil
        }
        return number
    }

    mutating func check<Number: Comparable>(
        _ low: Number?, _ lowName: String, notAbove high: Number?, _ highName: String
    ) {
        guard let low, let high, low > high else { return }
        diagnostics.add("No value can have a \(lowName) of \(low) and a \(highName) of \(high).", at: type.mark)
    }

    /// Arguments that nobody has asked for are faults.
    mutating func refuseRest() {
        if let extra = positional.last, !isIncomplete {
            diagnostics.add(
                "\(type.name) has too many arguments; give others by name or remove this one.", at: extra.mark)
        }
        for argument in type.arguments {
            guard let keyword = argument.keyword, named[keyword.text] != nil else { continue }
            diagnostics.add("\(type.name) has no argument '\(keyword.text)'.", at: argument.mark)
        }
    }
}
