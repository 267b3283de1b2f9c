// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

extension RecordSelection {
    /// Adds what TYPEOF selects: one node for each object that the reference can lead to.
    func add(_ typeof: SOQLTypeof, to record: RecordNode) throws(QueryError) {
        try compilation.require(.typeof, "TYPEOF", at: typeof.position)
        let path = typeof.reference
        let parts = scope.relativeParts(of: path)
        let node = try node(parts.dropLast(), of: path, below: record)
        let parent = try scope.parent(parts, of: path, below: scope.root)
        guard parent.isPolymorphic, let last = parts.last else {
            throw compilation.error(
                .malformedQuery, "TYPEOF takes a polymorphic relationship, not '\(path.text.shortened)'",
                at: path.position)
        }
        try checkAccess(typeof)
        let branches = try branches(of: typeof, parent)
        var choices: [RecordNode] = []
        for target in parent.targets {
            let choice = RecordNode(parent.narrowed(to: target))
            if let branch = branches[target.object.name] {
                for field in branch.fields { try add(field, to: choice, orNull: false) }
            } else {
                for field in typeof.otherwise { try add(field, to: choice, orNull: true) }
            }
            choices.append(choice)
        }
        let name = node.parent.targets.first?.object.referenceField(ofRelationship: last)?.relationshipName ?? last
        guard node.add(name, .choice(choices)) else { throw duplicate(.path(path)) }
    }

    private func checkAccess(_ typeof: SOQLTypeof) throws(QueryError) {
        guard compilation.isSecurityEnforced, !typeof.otherwise.isEmpty else { return }
        throw compilation.error(
            .malformedQuery, "TYPEOF with ELSE is not allowed beside WITH SECURITY_ENFORCED", at: typeof.position)
    }

    /// The branches by the names of their objects.
    private func branches(
        of typeof: SOQLTypeof, _ parent: QueryScope.Parent
    ) throws(QueryError) -> [String: SOQLTypeof.Branch] {
        var branches: [String: SOQLTypeof.Branch] = [:]
        for branch in typeof.branches {
            let name = branch.object.text
            guard let target = parent.targets.first(where: { $0.object.name.lowercased() == name.lowercased() }) else {
                throw compilation.error(
                    .invalidType, "'\(typeof.reference.text.shortened)' does not lead to '\(name.shortened)'",
                    at: branch.object.position)
            }
            guard branches.updateValue(branch, forKey: target.object.name) == nil else {
                throw compilation.error(
                    .malformedQuery, "TYPEOF has two branches for '\(name.shortened)'", at: branch.object.position)
            }
        }
        return branches
    }

    /// Adds a field of a branch; behind ELSE it is one of the object Name, and null where a record has no such field.
    private func add(_ field: SOQLExpression, to choice: RecordNode, orNull: Bool) throws(QueryError) {
        let row = choice.parent
        if case .distance(let distance) = field { throw scope.misplaced(distance) }
        guard let path = field.namingPath(isGrouped: false) else { throw ungrouped(field) }
        if orNull {
            guard path.parts.count == 1, let name = NameFields.spelling(path.last) else {
                throw scope.unknownField(path.parts[0], of: row, path, entity: "Name")
            }
            guard let target = row.targets.first else { return }
            if let content = otherwise(name, of: target, path) {
                try checkPrinting(of: field, content)
                guard choice.add(content.name, .value(content)) else { throw duplicate(field) }
                return
            }
        }
        let operand = try scope.operand(field, below: row)
        let node = try node(path.parts.dropLast(), of: path, below: choice)
        guard node.add(operand.name, .value(operand)) else { throw duplicate(field) }
    }

    /// Refuses the functions of numbers and dates behind ELSE: the object Name has texts, whose labels they are.
    private func checkPrinting(of field: SOQLExpression, _ content: Operand) throws(QueryError) {
        guard case .call(let call) = field, call.function.uppercased() != "TOLABEL" else { return }
        throw compilation.error(
            .invalidField, "\(call.function)() takes another field than \(content.name)", at: call.position)
    }

    /// The value of a field of the object Name; `nil` when the record's own object has the field.
    private func otherwise(
        _ name: String, of target: QueryScope.Parent.Target, _ path: SOQLPath
    ) -> Operand? {
        let object = target.object
        if name != "Type", object.field(named: name) != nil { return nil }
        let column: SQLFragment
        switch name {
        case "Type": column = "\(string: object.name)"
        case "Name": column = object.nameColumn.map { "\(target.alias).\(name: $0)" } ?? "NULL"
        default: column = "NULL"
        }
        return Operand(
            sql: column, kind: .text, field: FieldSchema(name: name, label: name, type: .string), name: name,
            isOfParent: true, position: path.position)
    }
}

extension SObjectSchema {
    fileprivate var nameColumn: String? { fields.first(where: \.isNameField)?.name }
}
