// SPDX-License-Identifier: Apache-2.0

extension PatternParser {
    mutating func parseSet() throws(PatternFault) -> ScalarSet {
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

    mutating func parseEscape() throws(PatternFault) -> PatternNode {
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
        // bounded: eight digits at most, and only numbers of characters are taken.
        guard digits.count == count, let value = UInt32(digits, radix: 16), let scalar = Unicode.Scalar(value) else {
            throw PatternFault(message: "a character's number needs \(count) digits")
        }
        return scalar
    }
}
