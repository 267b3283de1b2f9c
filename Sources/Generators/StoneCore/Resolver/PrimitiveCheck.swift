// SPDX-License-Identifier: Apache-2.0

extension PatternCache {
    /// Why a literal is no value of a primitive type; nil if it is one.
    mutating func problem(with literal: StoneLiteral, as type: StoneType) -> String? {
        switch (type, literal) {
        case (.boolean, .boolean), (.bytes, .string): nil
        case (.boolean, _): "it must be true or false, not \(literal.kindName)"
        case (.bytes, _): "bytes are written as a text, not as \(literal.kindName)"
        case (.integer(let type), .integer(let number)): Self.problem(with: number, as: type)
        case (.integer, _): "it must be a whole number, not \(literal.kindName)"
        case (.float(let type), .integer(let number)): Self.problem(with: Double(number), as: type)
        case (.float(let type), .float(let number)): Self.problem(with: number, as: type)
        case (.float, _): "it must be a number, not \(literal.kindName)"
        case (.string(let type), .string(let text)): problem(with: text, as: type)
        case (.string, _): "it must be a text, not \(literal.kindName)"
        case (.timestamp(let format), .string(let text)): TimestampFormat(format).problem(with: text)
        case (.timestamp, _): "a timestamp is written as a text, not as \(literal.kindName)"
        default: "there is no such value"
        }
    }

    private static func problem(with number: Int128, as type: StoneIntegerType) -> String? {
        let low = type.minimum ?? type.size.range.lowerBound
        let high = type.maximum ?? type.size.range.upperBound
        if number < low { return "\(number) is less than \(low)" }
        return number > high ? "\(number) is greater than \(high)" : nil
    }

    private static func problem(with number: Double, as type: StoneFloatType) -> String? {
        guard type.size.range.contains(number) else { return "\(number) is out of the range of \(type.size.rawValue)" }
        if let low = type.minimum, number < low { return "\(number) is less than \(low)" }
        if let high = type.maximum, number > high { return "\(number) is greater than \(high)" }
        return nil
    }

    private mutating func problem(with text: String, as type: StoneStringType) -> String? {
        let count = text.unicodeScalars.count
        if let most = type.maximumLength, count > most { return "the text has more than \(most) characters" }
        if let least = type.minimumLength, count < least { return "the text has fewer than \(least) characters" }
        guard let pattern = type.pattern else { return nil }
        return matches(text, pattern) ? nil : "the text does not match the pattern \(pattern.prefix(200))"
    }
}
