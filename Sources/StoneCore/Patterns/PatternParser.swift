// SPDX-License-Identifier: Apache-2.0

/// Why a text is no regular expression.
struct PatternFault: Error {
    let message: String
}

/// Parses regular expressions in Python's notation.
struct PatternParser {
    private let scalars: [Unicode.Scalar]
    private var position = 0
    private var depth = 0
    private var groups = 0
    private var names: Set<String> = []

    init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

    mutating func parse() throws(PatternFault) -> PatternNode {
        let node = try parseChoice()
        if position < scalars.count { throw PatternFault(message: "a ')' has no '('") }
        return node
    }

    private var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    private mutating func parseChoice() throws(PatternFault) -> PatternNode {
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

    private mutating func parseGroup() throws(PatternFault) -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= StoneLimits.nesting else { throw PatternFault(message: "its groups are nested too deep") }
        var isBeyond = false
        if take("?") {
            switch try parseExtension() {
            case .group: break
            case .beyond: isBeyond = true
            case .nothing: return .empty
            case .flags: return .beyond
            }
        } else {
            groups += 1
        }
        let node = try parseChoice()
        guard take(")") else { throw PatternFault(message: "a '(' has no ')'") }
        return isBeyond ? .beyond : node
    }

    private enum Extension {
        case group, beyond, nothing, flags
    }

    /// What stands behind `(?`.
    private mutating func parseExtension() throws(PatternFault) -> Extension {
        guard let scalar = next else { throw PatternFault(message: "it ends behind '(?'") }
        position += 1
        switch scalar {
        case ":": return .group
        case "=", "!", ">": return .beyond
        case "<":
            guard take("=") || take("!") else { throw PatternFault(message: "behind '(?<' must be '=' or '!'") }
            return .beyond
        case "P": return try parseNamed()
        case "#":
            while let scalar = next, scalar != ")" { _ = take(scalar) }
            guard take(")") else { throw PatternFault(message: "a comment has no ')'") }
            return .nothing
        case "(": throw PatternFault(message: "conditions are not supported")
        default: return try parseFlags(scalar)
        }
    }

    private mutating func parseNamed() throws(PatternFault) -> Extension {
        let isReference = take("=")
        guard isReference || take("<") else { throw PatternFault(message: "behind '(?P' must be '<' or '='") }
        var name = ""
        while let scalar = next, scalar != ">", scalar != ")" {
            name.unicodeScalars.append(scalar)
            position += 1
        }
        if isReference {
            guard names.contains(name) else { throw PatternFault(message: "there is no group '\(name)'") }
            guard take(")") else { throw PatternFault(message: "a '(' has no ')'") }
            return .flags
        }
        guard take(">"), !name.isEmpty else { throw PatternFault(message: "a group's name is not complete") }
        guard names.insert(name).inserted else { throw PatternFault(message: "two groups have the name '\(name)'") }
        groups += 1
        return .group
    }

    private mutating func parseFlags(_ first: Unicode.Scalar) throws(PatternFault) -> Extension {
        position -= 1
        while let scalar = next, "aiLmsux-".unicodeScalars.contains(scalar) { _ = take(scalar) }
        if take(":") { return .beyond }
        guard take(")") else { throw PatternFault(message: "'(?\(first)' means nothing") }
        return .flags
    }
}

// MARK: Sets and escapes

extension PatternParser {
    private mutating func parseSet() throws(PatternFault) -> ScalarSet {
        var set = ScalarSet()
        set.isNegated = take("^")
        var isFirst = true
        while let scalar = next {
            if scalar == "]", !isFirst {
                position += 1
                return set
            }
            isFirst = false
            try parseMember(into: &set)
        }
        throw PatternFault(message: "a '[' has no ']'")
    }

    private mutating func parseMember(into set: inout ScalarSet) throws(PatternFault) {
        let low = try parseMemberStart()
        if case .kind(let kind, let isNegated) = low { set.classes.append((kind, isNegated)) }
        guard next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" else {
            if case .scalar(let scalar) = low { set.ranges.append(scalar.value...scalar.value) }
            return
        }
        position += 1
        let high = try parseMemberStart()
        guard case .scalar(let first) = low, case .scalar(let last) = high, first <= last else {
            throw PatternFault(message: "a range in '[]' has no beginning or ends before it")
        }
        set.ranges.append(first.value...last.value)
    }

    private enum Member {
        case scalar(Unicode.Scalar)
        case kind(ScalarSet.Class, Bool)
    }

    private mutating func parseMemberStart() throws(PatternFault) -> Member {
        guard let scalar = next else { throw PatternFault(message: "a '[' has no ']'") }
        position += 1
        guard scalar == "\\" else { return .scalar(scalar) }
        guard let escaped = next else { throw PatternFault(message: "it ends with a backslash") }
        position += 1
        if let (kind, isNegated) = Self.kind(escaped) { return .kind(kind, isNegated) }
        return .scalar(escaped == "b" ? "\u{8}" : try parseCode(escaped))
    }

    private mutating func parseEscape() throws(PatternFault) -> PatternNode {
        guard let scalar = next else { throw PatternFault(message: "it ends with a backslash") }
        position += 1
        if let (kind, isNegated) = Self.kind(scalar) { return .set(ScalarSet(classes: [(kind, isNegated)])) }
        switch scalar {
        case "A": return .start
        case "Z": return .end(beforeLineFeed: false)
        case "b", "B": return .wordBoundary(scalar == "b")
        case "1"..."9":
            guard Int(scalar.value) - 48 <= groups else { throw PatternFault(message: "there is no group \(scalar)") }
            return .beyond
        default: return .set(ScalarSet(try parseCode(scalar)))
        }
    }

    private static func kind(_ scalar: Unicode.Scalar) -> (ScalarSet.Class, Bool)? {
        switch scalar {
        case "d": (.digit, false)
        case "D": (.digit, true)
        case "w": (.word, false)
        case "W": (.word, true)
        case "s": (.space, false)
        case "S": (.space, true)
        default: nil
        }
    }

    /// The character that a backslash and this one mean.
    private mutating func parseCode(_ scalar: Unicode.Scalar) throws(PatternFault) -> Unicode.Scalar {
        switch scalar {
        case "a": return "\u{7}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "v": return "\u{B}"
        case "0": return "\0"
        case "x": return try parseHex(2)
        case "u": return try parseHex(4)
        case "U": return try parseHex(8)
        case "a"..."z", "A"..."Z", "1"..."9": throw PatternFault(message: "'\\\(scalar)' means nothing")
        default: return scalar
        }
    }

    private mutating func parseHex(_ count: Int) throws(PatternFault) -> Unicode.Scalar {
        var digits = ""
        while digits.count < count, let scalar = next, scalar.properties.isASCIIHexDigit {
            digits.unicodeScalars.append(scalar)
            position += 1
        }
        guard digits.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw PatternFault(message: "a character's number needs \(count) digits")
        }
        return scalar
    }
}
