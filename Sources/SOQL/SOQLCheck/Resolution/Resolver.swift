// SPDX-License-Identifier: Apache-2.0

import RestBase
package import SOQLSyntax

/// A query with its findings, parameters and result type.
package struct CheckedQuery: Sendable {
    /// All findings, in the order of the text.
    package let findings: [Finding]
    /// The parameters in the order of their first use, or an empty list if the query has a syntax error.
    package let parameters: [QueryParameter]
    private let query: ResolvedQuery?
    private let standIns: StandIns?

    package init(_ text: String, schema: QuerySchema?) {
        self.init(Statement(text: text, written: text, line: 1, column: 1), schema: schema)
    }

    /// Checks a statement of a file.
    ///
    /// The findings have positions in the statement, but their messages name positions in the file.
    package init(_ statement: Statement, schema: QuerySchema?) {
        let standIns = StandIns(statement.text)
        do throws(SOQLSyntaxError) {
            let query = try SOQLQuery(parsing: standIns.text)
            let resolver = Resolver(standIns.text, schema)
            let resolved = resolver.resolve(query)
            var reader = ParameterReader(statement)
            for standIn in standIns.all { reader.add(standIn, resolver.uses[standIn.literalStart]) }
            let findings = resolver.findings.map { standIns.finding($0) } + reader.findings
            self.findings = findings.sorted { $0.position.offset < $1.position.offset }
            (parameters, self.query, self.standIns) = (reader.parameters, resolved, standIns)
        } catch {
            (findings, parameters, self.query, self.standIns) = ([standIns.finding(Finding(error))], [], nil, nil)
        }
    }

    /// Returns the type of the query's result.
    ///
    /// Call this only for queries without errors.
    ///
    /// - Throws: findings for values whose type is not in the schema.
    package func result() throws(FindingList) -> QueryResult {
        guard let query, let standIns else { throw FindingList(findings: findings) }
        var reader = ResultReader()
        let result = reader.result(of: query)
        guard reader.findings.isEmpty else {
            throw FindingList(findings: reader.findings.map { standIns.finding($0) })
        }
        return result
    }
}

package struct FindingList: Error, Sendable {
    package let findings: [Finding]

    package init(findings: [Finding]) {
        self.findings = findings
    }
}

/// The state shared by all parts of one query while it is resolved, with its findings.
///
/// This is a class because nested scopes add to the same findings and counts. It lives for one resolution.
package final class Resolver {
    let schema: QuerySchema?
    private let bytes: [UInt8]
    private var found: [Finding] = []
    /// The operands that variables are compared with, by the offsets of the stand-ins.
    private(set) var uses: [Int: ParameterUse] = [:]
    private var childQueries = 0
    private var semiJoins: Set<Int> = []
    private var missing: [String: String] = [:]
    /// Whether the query has WITH SECURITY_ENFORCED, which does not support polymorphic relationships.
    var isSecurityEnforced = false
    /// Whether every part of the query is resolved.
    package internal(set) var isComplete = true

    /// The maximum number of findings with suggestions, which bounds the cost of a text with many errors.
    private static let mostSuggestions = 20

    /// Creates a resolver for a text, which without a schema checks only the rules that need no object.
    package init(_ text: String, _ schema: QuerySchema?) {
        bytes = Array(text.utf8)
        self.schema = schema
    }

    /// Whether the schema has every object of the org, so that an unknown name is an error.
    var isWhole: Bool { schema?.isWhole ?? false }

    /// Resolves a query of the text as far as the schema allows, or returns `nil` if its object is unknown.
    package func resolve(_ query: SOQLQuery) -> ResolvedQuery? {
        checkClauses(of: query)
        let scope = ResolverScope(self, object: object(of: query.from), query)
        return SelectResolver(query: query, scope: scope).resolve()
    }

    /// The objects that the query leads to and the schema lacks.
    package var missingObjects: Set<String> { Set(missing.values) }

    /// All findings, in the order of the text.
    package var findings: [Finding] { found.sorted { $0.position.offset < $1.position.offset } }

    /// Records the operand of a literal, which can be the stand-in of a variable.
    func note(_ use: ParameterUse, at position: SOQLPosition) { uses[position.offset] = use }

    // MARK: Findings

    /// Adds a finding, which covers the word at the position if `length` is `nil`.
    ///
    /// `start` is the start of the path with the name. Names in `known` that are similar to `name` become suggestions.
    func add(
        _ rule: Rule, _ message: String, at position: SOQLPosition, length: Int? = nil, start: SOQLPosition? = nil,
        near name: String = "", _ known: @autoclosure () -> [String] = []
    ) {
        if rule.severity == .error || rule == .notInSchema { isComplete = false }
        let isHelpful = !name.isEmpty && found.count < Self.mostSuggestions
        found.append(
            Finding(
                rule: rule, message: message, position: position, length: length ?? self.length(at: position),
                start: start ?? position, suggestions: isHelpful ? name.nearest(3, in: known()) : []))
    }

    /// The length in Unicode scalars of the word or literal at a position.
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

    /// The object of a query or semi-join, or `nil` if it is unknown.
    func object(of source: SOQLSource) -> ObjectDescription? {
        guard let schema else { return nil }
        let (name, place) = (source.path.text.shortened, source.path.position)
        guard source.path.parts.count == 1, let object = schema.object(named: source.path.last) else {
            add(.unknownObject, Message.unknownObject(name), at: place, near: name, schema.objects.map(\.name))
            return nil
        }
        if !object.summary.isQueryable {
            add(.notQueryable, "entity type \(object.name) does not support query", at: place)
        }
        return object
    }

    /// The object that a relationship leads to, or `nil` if a partial schema lacks it, which is reported once.
    func target(_ name: String, of path: SOQLPath) -> ObjectDescription? {
        guard let schema else { return nil }
        if let object = schema.object(named: name) { return object }
        if isWhole {
            add(.unknownObject, Message.unknownObject(name), at: path.position)
        } else if missing.updateValue(name, forKey: name.lowercased()) == nil {
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
    /// The string for a message, truncated to 80 characters.
    package var shortened: String { count > 80 ? prefix(80) + "…" : self }
}

extension Resolver {
    /// The valid names after USING SCOPE.
    package static let scopes = [
        "everything", "mine", "delegated", "team", "mine_and_my_groups", "scopingRule", "my_territory",
        "my_team_territory", "allPrivate",
    ]

    /// Checks the clauses of a query at any depth that do not name fields.
    func checkClauses(of query: SOQLQuery) {
        for clause in query.apexClauses { refuse(clause) }
        var access: SOQLPlaced<SOQLAccess>?
        for clause in query.with {
            switch clause {
            case .access(let mode):
                if access != nil { add(.duplicate, "a query has one access mode at most", at: mode.position) }
                access = mode
            case .dataCategories: checkCategories(clause, query.from)
            case .setting: break
            }
        }
        isSecurityEnforced = isSecurityEnforced || access?.value == .securityEnforced
        guard let scope = query.scope,
            !Self.scopes.contains(where: { $0.lowercased() == scope.text.lowercased() })
        else { return }
        add(
            .misplaced,
            "unknown scope '\(scope.text.shortened)': use everything, mine, mine_and_my_groups, delegated or team",
            at: scope.position, near: scope.text, Self.scopes)
    }

    private func refuse(_ clause: SOQLPlaced<SOQLApexClause>) {
        let message =
            switch clause.value {
            case .forUpdate: "unexpected token: 'UPDATE'; FOR UPDATE is only allowed in Apex code"
            case .allRows: "ALL ROWS not allowed in this context"
            }
        add(.apexOnly, message, at: clause.position)
    }

    private func checkCategories(_ clause: SOQLWith, _ source: SOQLSource) {
        let name = source.path.last.lowercased()
        guard !name.hasBytes(suffix: "__kav"), !["knowledgearticleversion", "question"].contains(name) else { return }
        add(
            .misplaced, "WITH DATA CATEGORY is for articles and questions, not \(source.path.text.shortened)",
            at: clause.position)
    }

    /// Checks LIMIT and OFFSET, for a child query also against the enclosing query.
    func checkWindow(of query: SOQLQuery, insideOf outer: SOQLQuery? = nil) {
        if let limit = query.limit, limit.value < 0 {
            add(.limits, "LIMIT must not be negative: \(limit.value)", at: limit.position)
        }
        guard let offset = query.offset else { return }
        if offset.value < 0 {
            add(.limits, "OFFSET must not be negative: \(offset.value)", at: offset.position)
        } else if offset.value > 2_000 {
            add(.outsideRange, "Maximum SOQL offset allowed is 2000", at: offset.position)
        }
        if let outer, outer.limit?.value != 1 {
            add(.limits, "OFFSET in a subquery needs a parent query with LIMIT 1", at: offset.position)
        }
    }

    /// Adds a finding for FOR VIEW and FOR REFERENCE if the query returns no records that a user could view.
    func refuseUsage(of query: SOQLQuery, in place: String) {
        guard let usage = query.usage else { return }
        add(.misplaced, "FOR \(usage.value.rawValue) is not allowed in \(place)", at: usage.position)
    }
}

/// A query whose `:name` variables are replaced by valid literals, with a mapping back to the original positions.
struct StandIns: Sendable {
    /// The literal that replaces a variable.
    struct StandIn: Sendable {
        let variable: SOQLVariable
        /// The start in the new text, in UTF-8 bytes.
        let start: Int
        /// The number of scalars and bytes by which the variable is longer than its stand-in.
        fileprivate let scalars: Int, bytes: Int

        /// The start of the literal in the new text, after the parenthesis of a list.
        var literalStart: Int { variable.place.isWholeList ? start + 1 : start }
        fileprivate var end: Int { start + variable.place.standIn.utf8.count }
    }

    let text: String
    let all: [StandIn]

    init(_ text: String) {
        let bytes = Array(text.utf8)
        var (result, end, all) = ([UInt8](), 0, [StandIn]())
        for variable in SOQLVariable.all(in: text) {
            result += bytes[end..<variable.range.lowerBound]
            let standIn = variable.place.standIn.utf8
            let scalars = bytes[variable.range].count { $0 & 0xC0 != 0x80 } - standIn.count
            all.append(
                StandIn(
                    variable: variable, start: result.count, scalars: scalars,
                    bytes: variable.range.count - standIn.count))
            result += standIn
            end = variable.range.upperBound
        }
        self.text = String(decoding: result + bytes[end...], as: UTF8.self)
        self.all = all
    }

    /// Moves a finding from its position in the new text to its position in the original text.
    func finding(_ finding: Finding) -> Finding {
        Finding(
            rule: finding.rule, message: finding.message, position: position(finding.position), length: finding.length,
            start: self.position(finding.start), suggestions: finding.suggestions)
    }

    private func position(_ found: SOQLPosition) -> SOQLPosition {
        var position = found
        for standIn in all where standIn.end <= found.offset {
            position.offset += standIn.bytes
            if standIn.variable.position.line == position.line { position.column += standIn.scalars }
        }
        return position
    }
}
