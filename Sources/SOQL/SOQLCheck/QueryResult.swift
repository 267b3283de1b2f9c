// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// What a query gives.
package enum QueryResult: Sendable, Hashable {
    /// A number: the query is `SELECT COUNT()`.
    case count
    /// Records or groups of this shape.
    case rows(RowShape)
}

/// The members of a record or a group, as the query asks for them.
package struct RowShape: Sendable, Hashable {
    /// The object of the records; `nil` for groups, and for records of several objects.
    package let object: String?
    /// The members in the order of the select list.
    package let members: [RowMember]
}

/// One member of a record or a group.
package struct RowMember: Sendable, Hashable {
    /// Its name in the JSON of the answer.
    package let key: String
    /// What it holds.
    package let value: RowValue
    /// Whether it can be null.
    package let isNillable: Bool
}

/// What a member of a record or a group holds.
package indirect enum RowValue: Sendable, Hashable {
    /// A value of a field.
    case field(ValueType.Origin)
    /// The value of a function.
    case value(ValueType)
    /// A record of a parent.
    case parent(RowShape)
    /// A list of children.
    case children(RowShape)
    /// A record of one of several objects.
    case variants(RowVariants)
}

/// What TYPEOF selects.
package struct RowVariants: Sendable, Hashable {
    /// The records of one object.
    package struct Branch: Sendable, Hashable {
        /// The object's name.
        package let object: String
        /// What is selected of its records.
        package let shape: RowShape
    }

    /// The branches in the order of the text.
    package let branches: [Branch]
    /// What is selected of the records of other objects.
    package let otherwise: RowShape
}

/// Finds out what a query without errors gives.
///
/// It is a class because the readers of queries inside queries find together.
final class ResultReader {
    let check: QueryCheck
    private let query: SOQLQuery
    private(set) var findings: [Finding] = []

    init(_ query: SOQLQuery, _ check: QueryCheck) {
        (self.query, self.check) = (query, check)
    }

    func result() -> QueryResult {
        guard !query.isCount else { return .count }
        let scope = CheckScope(check, object: check.object(of: query.from), query)
        return .rows(query.isAggregate ? groups(scope) : records(query, scope))
    }

    /// Notes a value without a type.
    func refuse(_ message: String, _ position: SOQLPosition, _ text: String) {
        let length = text.unicodeScalars.count
        findings.append(
            Finding(rule: .unknownType, message: message, position: position, length: length, suggestions: []))
    }

    /// Notes a value whose object the schema does not have.
    func refuse(_ expression: SOQLExpression) {
        let text = expression.text.shortened
        refuse(
            "the schema does not tell the type of '\(text)'; save the objects that it leads to with 'soql schema pull'",
            expression.position, text)
    }

    // MARK: Groups

    private func groups(_ scope: CheckScope) -> RowShape {
        var builder = RowBuilder(object: nil)
        let groups = GroupCheck(scope, query)
        let fields = query.select.compactMap { item in
            if case .field(let expression, _) = item { expression } else { nil }
        }
        for (expression, column) in zip(fields, query.fieldColumns) {
            guard let operand = groups.operand(expression, .groupedSelection), var leaf = RowLeaf(expression, operand)
            else {
                refuse(expression)
                continue
            }
            // A subtotal has no value of its own for what it goes over, and a record perhaps no parent.
            if !expression.isAggregate, !expression.isSubtotal {
                leaf.isNillable = leaf.isNillable || query.grouping != .plain || scope.leadsToParent(expression)
            }
            let isOwn = if case .path = expression { column.key == expression.path?.last } else { false }
            add(leaf, as: isOwn ? leaf.key : column.key, to: &builder, expression)
        }
        return builder.shape
    }

    private func add(
        _ leaf: RowLeaf, as key: String, below steps: [RowBuilder.Step] = [], to builder: inout RowBuilder,
        _ expression: SOQLExpression
    ) {
        guard !builder.add(leaf.value, isNillable: leaf.isNillable, as: key, below: steps[...]) else { return }
        let text = expression.text.shortened
        refuse("'\(text)' has the name of something else in the select list", expression.position, text)
    }

    // MARK: Records

    private func records(_ query: SOQLQuery, _ scope: CheckScope) -> RowShape {
        var builder = RowBuilder(object: scope.object?.name)
        var columns = query.fieldColumns.makeIterator()
        for item in query.select {
            switch item {
            case .field(let expression, let alias):
                let column = columns.next()
                add(expression, alias?.text ?? column?.key ?? "", alias != nil, scope, to: &builder)
            case .fields(let group):
                for field in scope.object?.fields ?? [] where group.value.has(field) {
                    let origin = ValueType.Origin(object: scope.object?.name ?? "", field: field)
                    _ = builder.add(.field(origin), isNillable: field.isNillable, as: field.name)
                }
            case .children(let children, let alias): add(children, alias, scope, to: &builder)
            case .typeof(let typeof): add(typeof, scope, to: &builder)
            case .count: break
            }
        }
        return builder.shape
    }

    /// Adds a field of a record, or a function of one.
    private func add(
        _ expression: SOQLExpression, _ name: String, _ isAlias: Bool, _ scope: CheckScope, to builder: inout RowBuilder
    ) {
        guard let operand = scope.operand(expression, .selection), var leaf = RowLeaf(expression, operand) else {
            return refuse(expression)
        }
        guard !isAlias, let path = expression.namingPath(isGrouped: false) else {
            leaf.isNillable = leaf.isNillable || scope.leadsToParent(expression)
            return add(leaf, as: name, to: &builder, expression)
        }
        guard let steps = steps(scope.relativeParts(of: path).dropLast(), of: path, scope, below: scope.root) else {
            return refuse(expression)
        }
        add(leaf, as: leaf.key, below: steps, to: &builder, expression)
    }

    /// The relationships of a way as the schema spells them; `nil` when one of them is not known.
    private func steps(
        _ names: ArraySlice<String>, of path: SOQLPath, _ scope: CheckScope, below root: CheckScope.Row?
    ) -> [RowBuilder.Step]? {
        let way = CheckScope.Way(path: path, parts: Array(names))
        var (row, steps) = (root, [RowBuilder.Step]())
        for (index, name) in way.parts.enumerated() {
            guard let reference = row?.objects.first?.referenceField(ofRelationship: name),
                let next = scope.parent(way, count: index + 1, below: root)
            else { return nil }
            let object = next.isName ? nil : next.objects.first?.name
            steps.append(RowBuilder.Step(name: reference.relationshipName ?? name, object: object))
            row = next
        }
        return steps
    }

    private func add(
        _ children: SOQLChildQuery, _ alias: SOQLName?, _ scope: CheckScope, to builder: inout RowBuilder
    ) {
        let source = children.query.from.path
        let name = scope.relativeParts(of: source).last ?? ""
        guard let relationship = scope.object?.childRelationship(named: name),
            let object = check.target(relationship.childObject, of: source)
        else { return refuse(.path(source)) }
        let shape = records(children.query, CheckScope(check, object: object, children.query))
        let leaf = RowLeaf(.children(shape), isNillable: false, key: alias?.text ?? relationship.name)
        add(leaf, as: leaf.key, to: &builder, .path(source))
    }

    // MARK: TYPEOF

    private func add(_ typeof: SOQLTypeof, _ scope: CheckScope, to builder: inout RowBuilder) {
        let path = typeof.reference
        let parts = scope.relativeParts(of: path)
        let way = CheckScope.Way(path: path, parts: parts)
        guard let steps = steps(parts[...], of: path, scope, below: scope.root), let last = steps.last,
            let row = scope.parent(way, count: parts.count, below: scope.root)
        else { return refuse(.path(path)) }
        let branches = typeof.branches.compactMap { branch(of: $0, row, scope) }
        var other = RowBuilder(object: nil)
        for expression in typeof.otherwise {
            let name = expression.namingPath(isGrouped: false)?.last ?? ""
            guard let kind = NameFields.kind(of: name), let key = NameFields.spelling(of: name) else { continue }
            let references = key == "Id" ? row.references : []
            let value = RowValue.value(ValueType(kind: kind, references: references))
            _ = other.add(value, isNillable: key != "Id", as: key)
        }
        let value = RowValue.variants(RowVariants(branches: branches, otherwise: other.shape))
        let leaf = RowLeaf(value, isNillable: true, key: last.name)
        add(leaf, as: leaf.key, below: steps.dropLast(), to: &builder, .path(path))
    }

    private func branch(
        of branch: SOQLTypeof.Branch, _ row: CheckScope.Row, _ scope: CheckScope
    ) -> RowVariants.Branch? {
        let name = branch.object.text
        guard let object = row.objects.first(where: { $0.name.lowercased() == name.lowercased() }) else {
            refuse("the schema has no \(name.shortened)", branch.object.position, name)
            return nil
        }
        let own = CheckScope.Row(objects: [object], key: "\(row.key)#\(object.name)")
        var builder = RowBuilder(object: object.name)
        for expression in branch.fields {
            guard let operand = scope.operand(expression, below: own), let leaf = RowLeaf(expression, operand),
                let path = expression.namingPath(isGrouped: false),
                let steps = steps(path.parts.dropLast(), of: path, scope, below: own)
            else {
                refuse(expression)
                continue
            }
            add(leaf, as: leaf.key, below: steps, to: &builder, expression)
        }
        return RowVariants.Branch(object: object.name, shape: builder.shape)
    }
}

extension CheckScope {
    /// Whether the value is one of a parent, which a record perhaps does not have.
    fileprivate func leadsToParent(_ expression: SOQLExpression) -> Bool {
        expression.path.map { relativeParts(of: $0).count > 1 } ?? false
    }
}

/// A record's shape while paths are added to it.
struct RowBuilder {
    /// A relationship on the way to a field.
    struct Step {
        let name: String
        /// The object that it leads to; `nil` for several.
        let object: String?
    }

    private indirect enum Entry {
        case leaf(RowValue, isNillable: Bool)
        case parent(RowBuilder)
    }

    private let object: String?
    private var names: [String] = []
    private var entries: [String: Entry] = [:]

    init(object: String?) {
        self.object = object
    }

    /// Adds a value.
    ///
    /// - Returns: whether there is room for it: what is a record at one place is none of another kind at another.
    mutating func add(
        _ value: RowValue, isNillable: Bool, as key: String, below steps: ArraySlice<Step> = []
    ) -> Bool {
        guard let step = steps.first else {
            guard entries[key] == nil else { return false }
            names.append(key)
            entries[key] = .leaf(value, isNillable: isNillable)
            return true
        }
        var parent: RowBuilder
        // Taken out, so that it is changed and not copied.
        switch entries.removeValue(forKey: step.name) {
        case .parent(let builder): parent = builder
        case .leaf(let value, let isNillable):
            entries[step.name] = .leaf(value, isNillable: isNillable)
            return false
        case nil:
            parent = RowBuilder(object: step.object)
            names.append(step.name)
        }
        let isAdded = parent.add(value, isNillable: isNillable, as: key, below: steps.dropFirst())
        entries[step.name] = .parent(parent)
        return isAdded
    }

    /// The shape of all that was added.
    var shape: RowShape {
        RowShape(
            object: object,
            members: names.compactMap { name in
                switch entries[name] {
                case .leaf(let value, let isNillable): RowMember(key: name, value: value, isNillable: isNillable)
                case .parent(let builder): RowMember(key: name, value: .parent(builder.shape), isNillable: true)
                case nil: nil
                }
            })
    }
}

/// The value of one entry of a select list.
struct RowLeaf {
    let value: RowValue
    var isNillable: Bool
    /// The name of the field at the bottom, as the schema spells it.
    let key: String

    init(_ value: RowValue, isNillable: Bool, key: String) {
        (self.value, self.isNillable, self.key) = (value, isNillable, key)
    }

    /// What an expression gives; `nil` for a type that is not known.
    init?(_ expression: SOQLExpression, _ operand: Operand) {
        key = operand.field?.name ?? NameFields.spelling(of: operand.name) ?? operand.name
        let origin = operand.object.flatMap { object in
            operand.field.map { ValueType.Origin(object: object, field: $0) }
        }
        if expression.givesFieldValues, let origin {
            value = .field(origin)
        } else if let kind = operand.kind {
            value = .value(ValueType(kind: kind, references: kind == .id ? operand.references : []))
        } else {
            return nil
        }
        isNillable = !expression.isCount && (expression.isAggregate || operand.field?.isNillable ?? (key != "Id"))
        if case .distance = expression { isNillable = true }
    }
}

extension SOQLExpression {
    /// Whether the values are such as the field at the bottom has.
    fileprivate var givesFieldValues: Bool {
        guard case .call(let call) = self else { return if case .path = self { true } else { false } }
        switch call.aggregate {
        case .minimum, .maximum, .sum: return true
        case .count, .countDistinct, .average: return false
        case nil: return PrintFunction(rawValue: call.function.uppercased()) == .currency
        }
    }

    /// Whether it is a number of rows, of which there is one for no rows too.
    fileprivate var isCount: Bool {
        guard case .call(let call) = self else { return false }
        return call.aggregate == .count || call.aggregate == .countDistinct || isSubtotal
    }

    /// Whether it is `GROUPING(field)`.
    var isSubtotal: Bool { if case .call(let call) = self { call.function.uppercased() == "GROUPING" } else { false } }
}
