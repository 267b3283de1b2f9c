// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK
import SOQLSyntax

/// The values of `:name` in queries, which are bound and never pasted.
///
/// A value is given as `name=text`, or with its kind as `name:kind=value` (``ParameterValue/Kind``). Nothing is guessed
/// from what the value looks like, so `name=$ANYTHING` is a text in a script, whatever the variable holds.
struct QueryParameters: Sendable {
    private(set) var values: [String: ParameterValue] = [:]

    init() {}

    /// Takes the values of `--param`.
    ///
    /// - Throws: ``UsageError`` for what is no parameter, and for a name that comes twice.
    init(_ words: [String]) throws(UsageError) {
        for word in words {
            let parts = word.split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0].prefix(before: ":"))
            guard values[name] == nil else { throw UsageError("parameter '\(name)' is given twice") }
            guard parts.count == 2 || word == "\(name):null" else {
                throw UsageError("'\(word)' is no parameter; write name=value or name:kind=value")
            }
            try set(String(parts[0]), to: parts.count == 2 ? String(parts[1]) : "")
        }
    }

    /// The names of the parameters, sorted.
    var names: [String] { values.keys.sorted() }

    /// Sets or changes a parameter.
    ///
    /// - Parameters:
    ///   - target: its name, or its name and kind as `name:kind`.
    ///   - text: the value; `@FILE` for a list is a file with a value on each line.
    /// - Throws: ``UsageError``.
    mutating func set(_ target: String, to text: String) throws(UsageError) {
        let parts = target.split(byte: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard let variable = try? SOQLVariable.all(in: ":\(name)"), variable.map(\.name) == [name], !name.hasBytes(".")
        else { throw UsageError("'\(name)' is no parameter's name; use a letter, then letters, digits and _") }
        let word = parts.count == 2 ? parts[1] : ParameterValue.Kind.text.rawValue
        guard let kind = ParameterValue.Kind(rawValue: word) else {
            let known = ParameterValue.Kind.allCases.map(\.rawValue)
            let kinds = known.joined(separator: ", ")
            throw UsageError("the kind of a parameter is \(kinds), not '\(word)'", near: word, known)
        }
        values[name] = try ParameterValue(text, as: kind, of: name)
    }

    /// Removes a parameter.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    mutating func remove(_ name: String) -> Bool { values.removeValue(forKey: name) != nil }

    /// The query with its values.
    ///
    /// - Throws: ``UsageError`` for a name without a value, and for a value that cannot stand where its name stands.
    func bind(_ text: String) throws(UsageError) -> SOQL { try BoundQuery(text, self).soql }

    /// Refuses parameters that no text uses, as they are slips.
    func checkUse(in texts: [String]) throws(UsageError) {
        guard !values.isEmpty else { return }
        let used = Set(texts.flatMap { (try? SOQLVariable.all(in: $0))?.map(\.name) ?? [] })
        guard let unused = names.first(where: { !used.contains($0) }) else { return }
        throw UsageError("no query uses parameter '\(unused)'", near: unused, used.subtracting(names).sorted())
    }
}
