// SPDX-License-Identifier: Apache-2.0

extension PatternParser {
    /// What stands in parentheses, of which one is open.
    mutating func parseGroup() throws(PatternFault) -> PatternNode {
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
