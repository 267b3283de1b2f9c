// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A type whose spec has rules for its values: lengths, ranges and patterns.
///
/// Values are checked only on request. The server decides in the end, and its rules may be newer.
public protocol StoneValidated: StoneType {
    /// Checks the fields against the rules of the spec.
    ///
    /// - Throws: ``ValidationFailure`` with the path of the first field that breaks a rule.
    func check(_ checks: StoneChecks) throws(ValidationFailure)
}

extension StoneValidated {
    /// Checks the value against the rules of the spec.
    ///
    /// - Throws: ``ValidationFailure`` with the path of the first value that breaks a rule.
    public func validate() throws(ValidationFailure) { try check(StoneChecks()) }
}

/// A value that breaks a rule of the spec.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the value, such as `entries[3].path`.
    public let path: String
    /// The rule, without anything of the value.
    public let rule: String

    /// The path and the rule.
    public var description: String { "\(path): \(rule)" }
}

/// The checks that generated code applies to fields, one line for each; a field without a value passes.
public struct StoneChecks: Sendable {
    private var path = ""

    init() {}

    /// Checks the length in Unicode scalars, and that the whole string matches a pattern in Python's syntax.
    ///
    /// A pattern that Swift does not support is not applied.
    public func string(
        _ name: String, _ value: String?, _ least: Int? = nil, _ most: Int? = nil, _ pattern: String? = nil
    ) throws(ValidationFailure) {
        guard let value else { return }
        try count(name, value.unicodeScalars.count, least, most, "characters")
        guard let pattern, !StonePattern.fits(value, pattern) else { return }
        throw failure(name, "must fit the pattern \(pattern)")
    }

    /// Checks the number of elements.
    public func list<Element>(
        _ name: String, _ values: [Element]?, _ least: Int? = nil, _ most: Int? = nil
    ) throws(ValidationFailure) {
        if let values { try count(name, values.count, least, most, "elements") }
    }

    /// Checks a range.
    public func range<Number: Comparable & Sendable>(
        _ name: String, _ value: Number?, _ least: Number? = nil, _ most: Number? = nil
    ) throws(ValidationFailure) {
        guard let value else { return }
        if let least, !(value >= least) { throw failure(name, "must be \(least) or more") }
        if let most, !(value <= most) { throw failure(name, "must be \(most) or less") }
    }

    /// Checks a struct or union.
    public func value(_ name: String, _ value: (some StoneValidated)?) throws(ValidationFailure) {
        if let value { try value.check(inside(name)) }
    }

    /// Checks each element of a list.
    public func each<Element>(
        _ name: String, _ values: [Element]?, _ check: (StoneChecks, String, Element) throws(ValidationFailure) -> Void
    ) throws(ValidationFailure) {
        guard let values else { return }
        for (index, value) in values.enumerated() { try check(self, "\(name)[\(index)]", value) }
    }

    /// Checks the keys and values of a map.
    public func entries<Value>(
        _ name: String, _ values: [String: Value]?,
        _ check: (StoneChecks, String, String, Value) throws(ValidationFailure) -> Void
    ) throws(ValidationFailure) {
        guard let values else { return }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { try check(self, "\(name).\(key)", key, value) }
    }

    private func count(
        _ name: String, _ count: Int, _ least: Int?, _ most: Int?, _ things: String
    ) throws(ValidationFailure) {
        if let least, count < least { throw failure(name, "must have \(least) \(things) or more") }
        if let most, count > most { throw failure(name, "must have \(most) \(things) or less") }
    }

    private func inside(_ name: String) -> StoneChecks {
        var copy = self
        copy.path = path.isEmpty ? name : "\(path).\(name)"
        return copy
    }

    private func failure(_ name: String, _ rule: String) -> ValidationFailure {
        ValidationFailure(path: inside(name).path, rule: rule)
    }
}

enum StonePattern {
    /// A cache of the specs' patterns, because compiling takes far longer than matching.
    ///
    /// `nil` represents a pattern that Swift does not support.
    private static let compiled = Mutex<[String: Regex<AnyRegexOutput>?]>([:])

    /// Whether the whole string matches the pattern, or Swift does not support the pattern.
    ///
    /// The pattern's characters are Unicode scalars, as in Python, so CR LF is two characters.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        compiled.withLock { compiled in
            let known: Regex<AnyRegexOutput>?
            if let found = compiled[pattern] {
                known = found
            } else {
                known = (try? Regex(translated(pattern)))?.matchingSemantics(.unicodeScalar)
                compiled[pattern] = .some(known)
            }
            guard let known else { return true }
            return (try? known.wholeMatch(in: text)) != nil
        }
    }

    private static let classes: [Unicode.Scalar: String] = ["w": "\\p{L}\\p{N}_", "d": "\\p{Nd}", "D": "\\P{Nd}"]

    /// Translates a pattern to Swift's syntax.
    ///
    /// Swift's `.` matches no line end, whereas Python's `.` excludes only a line feed. Python's `\w` matches letters
    /// and numbers of all scripts. Swift's `\w` also matches marks, and misses some scalars, such as U+4E2D after a
    /// digit.
    static func translated(_ pattern: String) -> String {
        var result = ""
        var isInSet = false
        var scalars = pattern.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\\":
                let next = scalars.popFirst()
                result +=
                    next.flatMap { classes[$0] }.map { isInSet ? $0 : "[\($0)]" } ?? "\\" + (next.map { "\($0)" } ?? "")
            case "[" where !isInSet:
                isInSet = true
                result += "["
                // A bracket at the beginning of a set is a literal.
                if scalars.first == "^" { result.unicodeScalars.append(scalars.removeFirst()) }
                if scalars.first == "]" {
                    scalars.removeFirst()
                    result += "\\]"
                }
            case "[": result += "\\["
            case "]":
                isInSet = false
                result += "]"
            case "." where !isInSet: result += "[^\\n]"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
