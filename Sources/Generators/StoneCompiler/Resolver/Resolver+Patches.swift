// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Adds the fields of patches to what they patch.
    mutating func mergePatches() {
        var tables: [Mark: [String: Mark]] = [:]
        for (patch, scope) in patches {
            switch patch {
            case .structPatch(let patch): merge(patch, in: scope, &tables)
            case .unionPatch(let patch): merge(patch, in: scope, &tables)
            default: break
            }
        }
    }

    private mutating func merge(_ patch: StructSyntax, in scope: Int, _ tables: inout [Mark: [String: Mark]]) {
        guard let target = patched(patch.name, in: scope) else { return }
        guard case .structure(let id) = target.kind else { return mismatch(patch.name, target, "struct", patch.mark) }
        // The list is taken out and put back: a copy of it for each patch would cost the square of its length.
        var fields: [FieldSyntax] = []
        swap(&fields, &structs[id.index].syntax.fields)
        merge(patch.fields, into: &fields, of: patch.name, &tables[target.mark])
        swap(&fields, &structs[id.index].syntax.fields)
        if patch.isDamaged { structs[id.index].syntax.isDamaged = true }
    }

    private mutating func merge(_ patch: UnionSyntax, in scope: Int, _ tables: inout [Mark: [String: Mark]]) {
        guard let target = patched(patch.name, in: scope) else { return }
        let kind = patch.isClosed ? "union_closed" : "union"
        guard case .union(let id) = target.kind, unions[id.index].syntax.isClosed == patch.isClosed else {
            return mismatch(patch.name, target, kind, patch.mark)
        }
        var tags: [FieldSyntax] = []
        swap(&tags, &unions[id.index].syntax.tags)
        merge(patch.tags, into: &tags, of: patch.name, &tables[target.mark])
        swap(&tags, &unions[id.index].syntax.tags)
        if patch.isDamaged { unions[id.index].syntax.isDamaged = true }
    }

    private mutating func patched(_ name: NameSyntax, in scope: Int) -> Symbol? {
        guard let symbol = scopes[scope].symbols[name.text] else {
            fault(
                "There is no '\(name.text)' in this namespace that could be patched; correct the name.", at: name.mark)
            return nil
        }
        if case .broken = symbol.kind { return nil }
        return symbol
    }

    private mutating func mismatch(_ name: NameSyntax, _ target: Symbol, _ kind: String, _ mark: Mark) {
        let message = "'\(name.text)' (\(place(target.mark))) is not a \(kind)"
        fault("\(message); a patch must name the same kind as the definition.", at: mark)
    }

    /// Adds fields.
    ///
    /// The table has the marks of those that are there, by name; it is made for the first patch of a type.
    private mutating func merge(
        _ added: [FieldSyntax], into fields: inout [FieldSyntax], of name: NameSyntax, _ table: inout [String: Mark]?
    ) {
        // A name that stands twice in the patch itself is told where all names are checked.
        var known = table ?? Self.names(fields)
        table = nil
        for field in added {
            if let mark = known[field.name.text] {
                let message = "'\(name.text)' has a field '\(field.name.text)' already (\(place(mark)))"
                fault("\(message); a patch can only add fields.", at: field.name.mark)
            } else {
                fields.append(field)
            }
        }
        known.merge(Self.names(added)) { first, _ in first }
        table = known
    }
}
