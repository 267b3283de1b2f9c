// SPDX-License-Identifier: Apache-2.0

/// Why a text is no regular expression.
struct PatternFault: Error {
    let message: String
}

/// Parses regular expressions in Python's notation.
struct PatternParser {
    let scalars: [Unicode.Scalar]
    var position = 0
    /// How many groups are open.
    var depth = 0
    /// How many groups have a number.
    var groups = 0
    /// The names of groups.
    var names: Set<String> = []

    init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    mutating func parse() throws(PatternFault) -> PatternNode {
        let node = try parseChoice()
        if position < scalars.count { throw PatternFault(message: "a ')' has no '('") }
        return node
    }

    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    mutating func parseChoice() throws(PatternFault) -> PatternNode {
        var choices = [try parseSequence()]
        while take("|") { choices.append(try parseSequence()) }
        return choices.count == 1 ? choices[0] : .choice(choices)
    }

    private mutating func parseSequence() throws(PatternFault) -> PatternNode {
        var parts: [PatternNode] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let atom = try parseAtom()
            parts.append(try parseRepetition(of: atom))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func parseAtom() throws(PatternFault) -> PatternNode {
        let scalar = scalars[position]
        position += 1
        switch scalar {
        case "(": return try parseGroup()
        case "[": return .set(try parseSet())
        case ".": return .set(.any)
        case "^": return .start
        case "$": return .end(beforeLineFeed: true)
        case "*", "+", "?": throw PatternFault(message: "before '\(scalar)' stands nothing that could be repeated")
        case "\\": return try parseEscape()
        default: return .set(ScalarSet(scalar))
        }
    }

    private mutating func parseRepetition(of atom: PatternNode) throws(PatternFault) -> PatternNode {
        guard let (least, most) = try parseCount() else { return atom }
        switch atom {
        case .start, .end: throw PatternFault(message: "an anchor cannot be repeated")
        default: break
        }
        // Lazy or possessive: the same texts match, but for possessive ones, which automata cannot do.
        let isPossessive = take("+")
        if !isPossessive { _ = take("?") }
        let again = position
        if try parseCount() != nil {
            position = again
            throw PatternFault(message: "a repetition is repeated")
        }
        return isPossessive ? .beyond : .repetition(atom, least: least, most: most)
    }

    /// How often the atom before may stand, if that is written here.
    private mutating func parseCount() throws(PatternFault) -> (Int, Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        let start = position
        guard take("{") else { return nil }
        let low = parseNumber()
        let isRange = take(",")
        let high = isRange ? parseNumber() : low
        guard take("}"), low != nil || isRange else {
            // Without numbers in it a brace is a brace.
            position = start
            return nil
        }
        if let low, let high, low > high {
            throw PatternFault(message: "the least number of repetitions is above the most")
        }
        return (low ?? 0, high)
    }

    private mutating func parseNumber() -> Int? {
        var number: Int?
        while let scalar = next, let digit = Self.digit(scalar) {
            number = min(1_000_000, (number ?? 0) * 10 + digit)
            position += 1
        }
        return number
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        scalar >= "0" && scalar <= "9" ? Int(scalar.value) - 48 : nil
    }
}
