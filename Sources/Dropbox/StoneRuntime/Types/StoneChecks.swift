// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// A type of a spec some of whose values break the spec's rules: lengths, ranges, patterns.
///
/// Nothing is checked unless somebody asks; the server has the last word, and its rules may be newer.
public protocol StoneValidated: StoneType {
    /// Checks the fields by the rules of the spec.
    ///
    /// - Throws: ``ValidationFailure`` with the path of the first field that breaks a rule.
    func check(_ checks: StoneChecks) throws(ValidationFailure)
}

extension StoneValidated {
    /// Checks the value by the rules of the spec.
    ///
    /// - Throws: ``ValidationFailure`` with the path of the first value that breaks a rule.
    public func validate() throws(ValidationFailure) { try check(StoneChecks()) }
}

/// A value that breaks a rule of the spec.
public struct ValidationFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where the value is, such as `entries[3].path`.
    public let path: String
    /// What the rule wants; holds nothing of the value.
    public let rule: String

    /// The path and the rule.
    public var description: String { "\(path): \(rule)" }
}

/// The rules that generated code applies to fields, one line for each; a field without a value fulfils them all.
public struct StoneChecks: Sendable {
    private var path = ""

    init() {}

    /// The length in Unicode scalars, and a pattern in Python's notation that the whole text must fit.
    ///
    /// A pattern that Swift does not understand is not applied.
    public func string(
        _ name: String, _ value: String?, _ least: Int? = nil, _ most: Int? = nil, _ pattern: String? = nil
    ) throws(ValidationFailure) {
        guard let value else { return }
        try count(name, value.unicodeScalars.count, least, most, "characters")
        guard let pattern, !StonePattern.fits(value, pattern) else { return }
        throw failure(name, "must fit the pattern \(pattern)")
    }

    /// The number of elements.
    public func list<Element>(
        _ name: String, _ values: [Element]?, _ least: Int? = nil, _ most: Int? = nil
    ) throws(ValidationFailure) {
        if let values { try count(name, values.count, least, most, "elements") }
    }

    /// A range.
    public func range<Number: Comparable & Sendable>(
        _ name: String, _ value: Number?, _ least: Number? = nil, _ most: Number? = nil
    ) throws(ValidationFailure) {
        guard let value else { return }
        if let least, !(value >= least) { throw failure(name, "must be \(least) or more") }
        if let most, !(value <= most) { throw failure(name, "must be \(most) or less") }
    }

    /// A struct or union.
    public func value(_ name: String, _ value: (some StoneValidated)?) throws(ValidationFailure) {
        if let value { try value.check(inside(name)) }
    }

    /// The elements of a list, each by rules of its own.
    public func each<Element>(
        _ name: String, _ values: [Element]?, _ check: (StoneChecks, String, Element) throws(ValidationFailure) -> Void
    ) throws(ValidationFailure) {
        guard let values else { return }
        for (index, value) in values.enumerated() { try check(self, "\(name)[\(index)]", value) }
    }

    /// The entries of a map, keys and values by rules of their own.
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

/// A pattern of a spec, in Python's notation.
enum StonePattern {
    /// The patterns that were needed so far: to compile one takes far longer than to match a text.
    ///
    /// There are as many as the specs have; `nil` stands for one that Swift does not understand.
    private static let compiled = Mutex<[String: Regex<AnyRegexOutput>?]>([:])

    /// Whether the whole text fits; any text fits a pattern that Swift does not understand.
    ///
    /// Characters are Unicode scalars, as in Python: a line's end may be two of them.
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

    /// Python's classes of characters as parts of a set.
    private static let classes: [Unicode.Scalar: String] = ["w": "\\p{L}\\p{N}_", "d": "\\p{Nd}", "D": "\\P{Nd}"]

    /// The pattern in Swift's notation.
    ///
    /// Swift's `.` stops at every kind of line end, Python's at a line feed alone. Python's `\w` takes letters and
    /// numbers of all scripts; Swift's takes marks too, and of scalars it misses some, such as U+4E2D after a digit.
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
                // A bracket at the beginning of a set stands for itself.
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
