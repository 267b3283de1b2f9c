// SPDX-License-Identifier: Apache-2.0
/// Writes a tree as text, in one pass from left to right.
struct Printer {
    private var text = ""

    static func text(_ body: (inout Printer) -> Void) -> String {
        var printer = Printer()
        body(&printer)
        return printer.text
    }

    mutating func print(_ chunk: String) { text += chunk }

    /// Prints the elements with a separator between them.
    mutating func print<Element>(
        _ elements: [Element], separator: String = ", ", _ body: (inout Printer, Element) -> Void
    ) {
        for (index, element) in elements.enumerated() {
            if index > 0 { text += separator }
            body(&self, element)
        }
    }

    // MARK: The select list

    mutating func print(_ item: SOQLSelectItem) {
        switch item {
        case .count: print("COUNT()")
        case .field(let expression, let alias):
            print(expression)
            printAlias(alias)
        case .children(let children, let alias):
            print(children)
            printAlias(alias)
        case .typeof(let typeof): print(typeof)
        case .fields(let group): print("FIELDS(\(group.value.rawValue))")
        }
    }

    private mutating func printAlias(_ alias: SOQLName?) {
        if let alias { print(" " + alias.text) }
    }

    mutating func print(_ children: SOQLChildQuery) {
        print("(")
        print(children.query)
        print(")")
    }

    private mutating func print(_ typeof: SOQLTypeof) {
        print("TYPEOF " + typeof.reference.text)
        for branch in typeof.branches {
            print(" WHEN \(branch.object.text) THEN ")
            print(branch.fields) { $0.print($1) }
        }
        if !typeof.otherwise.isEmpty {
            print(" ELSE ")
            print(typeof.otherwise) { $0.print($1) }
        }
        print(" END")
    }

    mutating func print(_ source: SOQLSource) {
        print(source.path.text)
        printAlias(source.alias)
    }

    // MARK: Expressions

    mutating func print(_ expression: SOQLExpression) {
        switch expression {
        case .path(let path): print(path.text)
        case .call(let call):
            print(call.function + "(")
            if let argument = call.argument { print(argument) }
            print(")")
        case .distance(let distance):
            let place = "GEOLOCATION(\(distance.latitude.text), \(distance.longitude.text))"
            print("DISTANCE(\(distance.field.text), \(place), '\(distance.unit.rawValue)')")
        }
    }
}

extension SOQLQuery: CustomStringConvertible {
    /// The query in canonical form: one line, keywords in upper case, single spaces.
    ///
    /// Parsing it returns an equal tree.
    public var text: String { Printer.text { $0.print(self) } }

    /// The same as ``text``.
    public var description: String { text }
}

extension SOQLSelectItem {
    /// The entry as written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLExpression {
    /// The expression as written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLCondition {
    /// The condition as written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLComparison {
    /// The comparison as written in a query.
    public var text: String { Printer.text { $0.print(self) } }
}

extension SOQLWith {
    /// The clause as written after WITH.
    public var text: String { Printer.text { $0.print(self) } }
}

extension Printer {
    mutating func print(_ query: SOQLQuery) {
        print("SELECT ")
        print(query.select) { $0.print($1) }
        print(" FROM ")
        print([query.from] + query.joined) { $0.print($1) }
        if let scope = query.scope { print(" USING SCOPE " + scope.text) }
        if let condition = query.where {
            print(" WHERE ")
            print(condition)
        }
        for clause in query.with {
            print(" WITH ")
            print(clause)
        }
        printGroups(of: query)
        if !query.orderBy.isEmpty {
            print(" ORDER BY ")
            print(query.orderBy) { $0.print($1) }
        }
        printEnd(of: query)
    }

    private mutating func printGroups(of query: SOQLQuery) {
        guard !query.groupBy.isEmpty else { return }
        print(" GROUP BY " + query.grouping.rawValue)
        if query.grouping != .plain { print("(") }
        print(query.groupBy) { $0.print($1) }
        if query.grouping != .plain { print(")") }
        guard let having = query.having else { return }
        print(" HAVING ")
        print(having)
    }

    private mutating func printEnd(of query: SOQLQuery) {
        if let limit = query.limit { print(" LIMIT \(limit.value)") }
        if let offset = query.offset { print(" OFFSET \(offset.value)") }
        if let usage = query.usage { print(" FOR " + usage.value.rawValue) }
        if !query.statistics.isEmpty {
            print(" UPDATE ")
            print(query.statistics) { $0.print($1.value.rawValue) }
        }
        for clause in query.apexClauses { print(" " + clause.value.rawValue) }
    }

    private mutating func print(_ ordering: SOQLOrdering) {
        print(ordering.expression)
        if ordering.isDescending { print(" DESC") }
        switch ordering.nulls {
        case nil: break
        case .first?: print(" NULLS FIRST")
        case .last?: print(" NULLS LAST")
        }
    }

    // MARK: WITH

    mutating func print(_ clause: SOQLWith) {
        switch clause {
        case .access(let access): print(access.value.rawValue)
        case .dataCategories(let tests):
            print("DATA CATEGORY ")
            print(tests, separator: " AND ") { $0.print($1) }
        case .setting(let setting):
            print(setting.name.text)
            if let value = setting.value { print(" = " + value.literal.text) }
            guard !setting.options.isEmpty else { return }
            print(" (")
            print(setting.options) { $0.print("\($1.name.text) = \($1.value.literal.text)") }
            print(")")
        }
    }

    private mutating func print(_ test: SOQLDataCategory) {
        print("\(test.group.text) \(test.selector.rawValue) ")
        guard test.categories.count != 1 else { return print(test.categories[0].text) }
        print("(")
        print(test.categories) { $0.print($1.text) }
        print(")")
    }

    // MARK: Conditions

    mutating func print(_ condition: SOQLCondition) {
        switch condition {
        case .comparison(let comparison): print(comparison)
        case .not(let condition):
            print("NOT ")
            printTerm(condition)
        case .and(let terms): print(terms, separator: " AND ") { $0.printTerm($1) }
        case .or(let terms): print(terms, separator: " OR ") { $0.printTerm($1) }
        }
    }

    private mutating func printTerm(_ condition: SOQLCondition) {
        if case .comparison(let comparison) = condition { return print(comparison) }
        print("(")
        print(condition)
        print(")")
    }

    mutating func print(_ comparison: SOQLComparison) {
        print(comparison.left)
        print(" \(comparison.operator.rawValue) ")
        switch comparison.right {
        case .literal(let value): print(value.literal.text)
        case .pattern(let pattern): print(pattern.text)
        case .list(let values):
            print("(")
            print(values) { $0.print($1.literal.text) }
            print(")")
        case .query(let query): print(query)
        }
    }
}
