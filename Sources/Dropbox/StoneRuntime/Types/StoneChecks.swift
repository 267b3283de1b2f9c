// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A type with rules in its spec, such as lengths, ranges and patterns.
///
/// Rules are checked only by ``validate()``. The server may have newer rules.
public protocol StoneValidated: StoneType {
    /// Checks the rules of the fields.
    ///
    /// - Throws: ``ValidationFailure`` for the first field that breaks a rule.
    func check(_ checks: StoneChecks) throws(ValidationFailure)
}

extension StoneValidated {
    /// Checks the rules of the value.
    ///
    /// - Throws: ``ValidationFailure`` for the first value that breaks a rule.
    public func validate() throws(ValidationFailure) { try check(StoneChecks()) }
}

/// A value that breaks a rule of the spec.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the value, such as `entries[3].path`.
    public let path: String
    /// The rule, without contents of the value.
    public let rule: String

    /// The path and the rule.
    public var description: String { "\(path): \(rule)" }
}

/// The rules that generated code applies to fields, which a field without a value satisfies.
public struct StoneChecks: Sendable {
    private var path = ""

    init() {}

    /// Checks the length in Unicode scalars, and a pattern in Python's syntax that must match the whole text.
    ///
    /// A pattern that Swift does not support is ignored.
    public func string(
        _ name: String, _ value: String?, _ least: Int? = nil, _ most: Int? = nil, _ pattern: String? = nil
    ) throws(ValidationFailure) {
        guard let value else { return }
        try count(name, value.unicodeScalars.count, least, most, "characters")
        guard let pattern, !StonePattern.fits(value, pattern) else { return }
        throw failure(name, "must match the pattern \(pattern)")
    }

    /// Checks the number of elements.
    public func list<Element>(
        _ name: String, _ values: [Element]?, _ least: Int? = nil, _ most: Int? = nil
    ) throws(ValidationFailure) {
        if let values { try count(name, values.count, least, most, "elements") }
    }

    /// Checks the range of a number.
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

    /// Checks each key and value of a map.
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
        if let most, count > most { throw failure(name, "must have \(most) \(things) or fewer") }
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

/// A pattern of a spec, in Python's syntax.
enum StonePattern {
    /// The compiled patterns, because compiling takes much longer than matching.
    ///
    /// Their number is limited by the specs. `nil` is a pattern that Swift does not support.
    private static let compiled = Mutex<[String: Regex<AnyRegexOutput>?]>([:])

    /// Whether a pattern matches the whole text, or Swift does not support the pattern.
    ///
    /// As in Python, characters are Unicode scalars, so a line ending may be two characters.
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

    /// Python's character classes as parts of a set.
    private static let classes: [Unicode.Scalar: String] = ["w": "\\p{L}\\p{N}_", "d": "\\p{Nd}", "D": "\\P{Nd}"]

    /// Translates a pattern to Swift's syntax.
    ///
    /// Swift's `.` excludes every kind of line ending, Python's only a line feed. Python's `\w` matches letters and
    /// numbers of all scripts. Swift's `\w` also matches marks, and misses some scalars, such as U+4E2D after a digit.
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
                // A bracket at the beginning of a set is literal.
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
