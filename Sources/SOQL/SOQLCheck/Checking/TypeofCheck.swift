// SPDX-License-Identifier: Apache-2.0

import SOQLSyntax

/// Checks `TYPEOF What WHEN Account THEN Phone ELSE Name END`.
struct TypeofCheck {
    let typeof: SOQLTypeof
    let scope: CheckScope

    private var check: QueryCheck { scope.check }

    func run() {
        if check.isSecurityEnforced, !typeof.otherwise.isEmpty {
            check.add(
                .misplaced, "TYPEOF with ELSE is not allowed beside WITH SECURITY_ENFORCED", at: typeof.position)
        }
        let path = typeof.reference
        let way = CheckScope.Way(path: path, parts: scope.relativeParts(of: path))
        let row = scope.parent(way, count: way.parts.count, below: scope.root)
        if let row, !row.isPolymorphic {
            return check.add(
                .typeof, "TYPEOF takes a polymorphic relationship, not '\(path.text.shortened)'", at: path.position)
        }
        checkBranches(row)
        for field in typeof.otherwise { otherwise(field) }
    }

    private func checkBranches(_ row: CheckScope.Row?) {
        var names: Set<String> = []
        for branch in typeof.branches {
            let name = branch.object.text
            if !names.insert(name.lowercased()).inserted {
                check.add(.duplicate, "TYPEOF has two branches for '\(name.shortened)'", at: branch.object.position)
            }
            guard let row, let object = object(of: branch, row) else { continue }
            let own = CheckScope.Row(objects: [object], key: "\(row.key)#\(object.name)")
            for field in branch.fields { _ = scope.operand(field, below: own) }
        }
    }

    /// The object of a branch.
    private func object(of branch: SOQLTypeof.Branch, _ row: CheckScope.Row) -> QuerySchema.Object? {
        let name = branch.object.text
        if let object = row.objects.first(where: { $0.name.lowercased() == name.lowercased() }) { return object }
        guard !row.lacks(name) else { return check.target(name, of: typeof.reference) }
        check.add(
            .typeofObject, "'\(typeof.reference.text.shortened)' does not lead to '\(name.shortened)'",
            at: branch.object.position, near: name, row.references)
        return nil
    }

    /// A field behind ELSE, which is one of the object Name.
    private func otherwise(_ field: SOQLExpression) {
        guard scope.object != nil, let path = field.namingPath(isGrouped: false) else { return }
        guard path.parts.count > 1 || NameFields.kind(of: path.last) == nil else { return }
        check.add(
            .unknownField, Message.unknownField(path.parts[0].shortened, of: "Name"), at: path.position,
            near: path.last, NameFields.all)
    }
}
