// SPDX-License-Identifier: Apache-2.0

extension SOQL {
    /// A query that is built in code, as a value whose methods return modified copies.
    ///
    /// ```swift
    /// let amount: SOQL.Field = "Amount"
    /// var select = SOQL.Select("Opportunity", ["Id", "Name", "Owner.Name"])
    ///     .where(amount > 1_000)
    ///     .order(by: "CloseDate", descending: true)
    ///     .limit(50)
    /// if let stage { select = select.where(SOQL.Field("StageName") == stage) }
    /// for try await record in client.records(SOQL(select)) { … }
    /// ```
    /// Values are bound as in a ``SOQL`` literal, and names are checked. Queries that exceed Salesforce's limits are
    /// rejected before they are sent.
    public struct Select: Sendable {
        /// The position of records without a value in the order.
        public enum Nulls: String, Sendable, Hashable {
            /// Before all other records, which is Salesforce's default.
            case first = "FIRST"
            /// After all other records.
            case last = "LAST"
        }

        struct Column: Sendable {
            let field: Field
            let alias: String?
        }

        struct Ordering: Sendable {
            let field: Field
            let isDescending: Bool
            let nulls: Nulls?
        }

        /// The maximum offset.
        public static let maximumOffset = 2_000
        /// The maximum number of child queries.
        public static let maximumChildren = 20
        /// The maximum number of levels of child queries.
        public static let maximumLevels = 5

        let source: String
        var columns: [Column]
        var children: [Select] = []
        var condition: Condition?
        var groups: [Field] = []
        var having: Condition?
        var orderings: [Ordering] = []
        var limit: Int?
        var offset: Int?

        /// Makes a query for an object, or for a relationship if the query selects children.
        ///
        /// - Parameters:
        ///   - source: the name of the object or of the relationship.
        ///   - fields: the fields to select.
        public init(_ source: String, _ fields: [Field]) {
            self.source = source
            columns = fields.map { Column(field: $0, alias: nil) }
        }

        /// Returns a copy of the query that also selects `field`, with an optional alias in a query with groups.
        public func selecting(_ field: Field, as alias: String? = nil) -> Select {
            changed { $0.columns.append(Column(field: field, alias: alias)) }
        }

        /// Returns a copy of the query that also selects children of each record.
        public func children(_ select: Select) -> Select { changed { $0.children.append(select) } }

        /// Returns a copy of the query with `condition` added to its WHERE clause, or unchanged if it is `nil`.
        public func `where`(_ condition: Condition?) -> Select {
            guard let condition else { return self }
            return changed { $0.condition = $0.condition.map { $0 && condition } ?? condition }
        }

        /// Returns a copy of the query that groups records with equal values of the fields.
        public func group(by fields: Field...) -> Select { changed { $0.groups += fields } }

        /// Returns a copy of the query with `condition` added to its HAVING clause.
        public func having(_ condition: Condition) -> Select {
            changed { $0.having = $0.having.map { $0 && condition } ?? condition }
        }

        /// Returns a copy of the query with another order, which applies after the existing orders.
        public func order(by field: Field, descending isDescending: Bool = false, nulls: Nulls? = nil) -> Select {
            changed { $0.orderings.append(Ordering(field: field, isDescending: isDescending, nulls: nulls)) }
        }

        /// Returns a copy of the query limited to `count` records.
        public func limit(_ count: Int) -> Select { changed { $0.limit = count } }

        /// Returns a copy of the query that skips `count` records, at most ``maximumOffset``.
        public func offset(_ count: Int) -> Select { changed { $0.offset = count } }

        private func changed(_ change: (inout Select) -> Void) -> Select {
            var copy = self
            change(&copy)
            return copy
        }
    }

    /// Makes the query that was built in code, which fails with ``RestError/Code/invalidRequest`` if it is invalid.
    public init(_ select: Select) {
        var query = SOQLText(.query, capacity: 256)
        select.write(to: &query)
        self.init(text: query.text, description: query.shown, problem: select.problem ?? query.problem)
    }
}

extension SOQL.Select {
    func write(to query: inout SOQLText) {
        query.paste("SELECT ")
        var isFirst = true
        func separate(_ query: inout SOQLText) {
            if !isFirst { query.paste(", ") }
            isFirst = false
        }
        for column in columns {
            separate(&query)
            query.paste(column.field.text + (column.alias.map { " \($0)" } ?? ""))
        }
        for select in children {
            separate(&query)
            query.paste("(")
            select.write(to: &query)
            query.paste(")")
        }
        query.paste(" FROM \(source)")
        if let condition {
            query.paste(" WHERE ")
            condition.write(to: &query)
        }
        if !groups.isEmpty { query.paste(" GROUP BY " + groups.map(\.text).joined(separator: ", ")) }
        if let having {
            query.paste(" HAVING ")
            having.write(to: &query)
        }
        let orders = orderings.map { ordering in
            ordering.field.text + (ordering.isDescending ? " DESC" : "")
                + (ordering.nulls.map { " NULLS \($0.rawValue)" } ?? "")
        }
        if !orders.isEmpty { query.paste(" ORDER BY " + orders.joined(separator: ", ")) }
        for (word, count) in [("LIMIT", limit), ("OFFSET", offset)] {
            guard let count else { continue }
            query.paste(" \(word) ")
            query.bind(count.soqlLiteral)
        }
    }

    var problem: String? { problem(level: 1) }

    private func problem(level: Int) -> String? {
        guard source[...].isQueryName else { return "'\(source.prefix(80))' is not a valid name of an object" }
        if columns.isEmpty && children.isEmpty { return "the query selects nothing; select at least one field" }
        if children.count > Self.maximumChildren {
            return "there are \(children.count) lists of children; the server accepts \(Self.maximumChildren)"
        }
        if level > Self.maximumLevels {
            return "lists of children are nested too deeply; the server accepts \(Self.maximumLevels) levels"
        }
        if let alias = columns.compactMap(\.alias).first(where: { !$0[...].isQueryName }) {
            return "'\(alias.prefix(80))' is not a valid name of a column"
        }
        let fields = columns.map(\.field) + groups + orderings.map(\.field)
        if let problem = fields.lazy.compactMap(\.problem).first { return problem }
        if let problem = [condition, having].lazy.compactMap({ $0?.problem(level: 1) }).first { return problem }
        if let limit, limit < 0 { return "the limit must not be negative" }
        if let offset, !(0...Self.maximumOffset).contains(offset) {
            return "the offset \(offset) is outside 0–\(Self.maximumOffset)"
        }
        return problemOfGroups ?? children.lazy.compactMap { $0.problem(level: level + 1) }.first
    }

    private var problemOfGroups: String? {
        let isGrouped = !groups.isEmpty || having != nil || columns.contains { $0.field.isAggregate }
        guard isGrouped else {
            return columns.contains { $0.alias != nil } ? "only a grouped query can rename columns" : nil
        }
        guard children.isEmpty else { return "a grouped query cannot select children" }
        if having != nil, groups.isEmpty { return "HAVING needs groups; group by at least one field" }
        let isCount = columns.count == 1 && columns[0].field.isCountOfRows
        if isCount { return groups.isEmpty && columns[0].alias == nil ? nil : "COUNT() must be the only field" }
        if columns.contains(where: \.field.isCountOfRows) {
            return "COUNT() must be the only field; count a field instead"
        }
        let names = Set(groups.map { $0.text.lowercased() })
        let other = columns.first { !$0.field.isAggregate && !names.contains($0.field.text.lowercased()) }
        return other.map { "'\($0.field.text.prefix(80))' must be grouped or aggregated" }
    }
}

extension SOQL.Condition {
    func write(to query: inout SOQLText, isInside: Bool = false) {
        switch kind {
        case .test(let field, let sign, let literal):
            query.paste("\(field.text) \(sign) ")
            query.bind(literal, "the value of \(field.text)")
        case .list(let field, let word, let literals):
            query.paste("\(field.text) \(word) ")
            query.bind(literals) { "value \($0 + 1) of \(field.text)" }
        case .pattern(let field, let pattern):
            query.paste("\(field.text) LIKE ")
            query.bind(pattern)
        case .rows(let field, let word, let select):
            query.paste("\(field.text) \(word) (")
            select.write(to: &query)
            query.paste(")")
        case .not(let condition):
            query.paste("(NOT ")
            condition.write(to: &query, isInside: true)
            query.paste(")")
        case .both(let parts, let word):
            if isInside { query.paste("(") }
            for (position, part) in parts.enumerated() {
                if position > 0 { query.paste(" \(word) ") }
                part.write(to: &query, isInside: true)
            }
            if isInside { query.paste(")") }
        }
    }

    /// The maximum nesting of parentheses, in addition to Salesforce's own limit.
    private static let mostLevels = 50

    func problem(level: Int) -> String? {
        guard level <= Self.mostLevels else { return "conditions are nested too deeply" }
        switch kind {
        case .test(let field, _, _), .list(let field, _, _), .pattern(let field, _): return field.problem
        case .rows(let field, _, let select):
            if select.columns.count != 1 || !select.children.isEmpty {
                return "a query after IN must select exactly one field"
            }
            return field.problem ?? select.problem
        case .not(let condition): return condition.problem(level: level + 1)
        case .both(let parts, _): return parts.lazy.compactMap { $0.problem(level: level + 1) }.first
        }
    }
}
