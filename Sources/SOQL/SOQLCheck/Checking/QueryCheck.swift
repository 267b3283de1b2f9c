// SPDX-License-Identifier: Apache-2.0

package import SOQLSyntax

/// One check of a query: what all parts of it share, and what they found.
///
/// It is a class because scopes inside scopes find and count together; it lives no longer than one check.
package final class QueryCheck {
    let schema: QuerySchema?
    private let bytes: [UInt8]
    private var found: [Finding] = []
    /// What the values of variables are compared with, by the places of their stand-ins.
    private(set) var uses: [Int: ParameterUse] = [:]
    private var childQueries = 0
    private var semiJoins: Set<Int> = []
    private var missing: Set<String> = []
    /// Whether the query checks the user's rights in the way that knows no polymorphic references.
    var isSecurityEnforced = false

    /// Near names are looked for so often, so that a text full of faults costs no more than another.
    private static let mostSuggestions = 20

    init(_ text: String, _ schema: QuerySchema?) {
        bytes = Array(text.utf8)
        self.schema = schema
    }

    /// Everything that is wrong with the text of a query, in the order of the text.
    ///
    /// Without a schema the grammar is checked, and the rules that need no object. A variable `:name` fits everywhere
    /// where a literal, or behind IN a list, can stand.
    package static func findings(in text: String, schema: QuerySchema?) -> [Finding] {
        CheckedQuery(text, schema: schema).findings
    }

    /// Everything that is wrong with a query that has been parsed from a text, in the order of the text.
    package static func findings(in query: SOQLQuery, text: String, schema: QuerySchema?) -> [Finding] {
        let check = QueryCheck(text, schema)
        check.run(query)
        return check.findings
    }

    /// Checks a whole query.
    func run(_ query: SOQLQuery) {
        checkClauses(of: query)
        let scope = CheckScope(self, object: object(of: query.from), query)
        SelectCheck(query: query, scope: scope).run()
    }

    /// What was found, in the order of the text.
    var findings: [Finding] { found.sorted { $0.position.offset < $1.position.offset } }

    /// Notes what a literal is compared with, which may stand for a variable.
    func note(_ use: ParameterUse, at position: SOQLPosition) { uses[position.offset] = use }

    // MARK: Findings

    /// Notes a finding; without a length it covers the word at the position.
    func add(
        _ rule: Rule, _ message: String, at position: SOQLPosition, length: Int? = nil, near name: String = "",
        _ known: @autoclosure () -> [String] = []
    ) {
        let isHelpful = !name.isEmpty && found.count < Self.mostSuggestions
        found.append(
            Finding(
                rule: rule, message: message, position: position, length: length ?? self.length(at: position),
                suggestions: isHelpful ? name.nearest(3, in: known()) : []))
    }

    /// The length of the word or the literal at a place, in Unicode scalars.
    private func length(at position: SOQLPosition) -> Int {
        guard bytes.indices.contains(position.offset) else { return 0 }
        let rest = bytes[position.offset...]
        guard let first = rest.first else { return 0 }
        var end = rest.startIndex
        if first == UInt8(ascii: "'") {
            end += 1
            while end < rest.endIndex, rest[end] != first { end += rest[end] == UInt8(ascii: "\\") ? 2 : 1 }
            end = min(end + 1, rest.endIndex)
        } else {
            end = rest.firstIndex { $0 <= 0x20 || ",()='<>!;".utf8.contains($0) } ?? rest.endIndex
        }
        end = max(end, rest.startIndex + 1)
        return rest[..<end].count { $0 & 0xC0 != 0x80 }
    }

    // MARK: Objects

    /// The object that a query or a semi-join is about; `nil` when it is not known.
    func object(of source: SOQLSource) -> QuerySchema.Object? {
        guard let schema else { return nil }
        let (name, place) = (source.path.text.shortened, source.path.position)
        guard source.path.parts.count == 1, let object = schema.object(named: source.path.last) else {
            add(.unknownObject, Message.unknownObject(name), at: place, near: name, schema.objects.map(\.name))
            return nil
        }
        if !object.isQueryable {
            add(.notQueryable, "entity type \(object.name) does not support query", at: place)
        }
        return object
    }

    /// An object that a relationship leads to; a schema of some objects may lack it, which is said once.
    func target(_ name: String, of path: SOQLPath) -> QuerySchema.Object? {
        guard let schema else { return nil }
        if let object = schema.object(named: name) { return object }
        if missing.insert(name.lowercased()).inserted {
            add(
                .notInSchema, "the schema has no \(name), so that '\(path.text.shortened)' is not checked",
                at: path.position)
        }
        return nil
    }

    // MARK: Limits

    func countChildQuery(at position: SOQLPosition) {
        childQueries += 1
        if childQueries == 21 { add(.limits, "a query has at most 20 parent-to-child subqueries", at: position) }
    }

    func countSemiJoin(at position: SOQLPosition) {
        semiJoins.insert(position.offset)
        if semiJoins.count == 3 { add(.semiJoin, "Maximum 2 semi join sub-selects are allowed", at: position) }
    }
}

extension String {
    /// The text for a message, cut when it is long.
    var shortened: String { count > 80 ? prefix(80) + "…" : self }
}
