// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Adds the fields and example values of patches to what they patch.
    mutating func mergePatches() {
        var tables: [Mark: PatchTable] = [:]
        for (patch, scope) in patches {
            switch patch {
            case .structPatch(let patch): merge(patch, in: scope, &tables)
            case .unionPatch(let patch): merge(patch, in: scope, &tables)
            default: break
            }
        }
    }

    private mutating func merge(_ patch: StructSyntax, in scope: Int, _ tables: inout [Mark: PatchTable]) {
        guard let target = patched(patch.name, in: scope) else { return }
        guard case .structure(let id) = target.kind else { return mismatch(patch.name, target, "struct", patch.mark) }
        // The lists are taken out and put back: a copy of them for each patch would cost the square of their length.
        var (fields, examples): ([FieldSyntax], [ExampleSyntax]) = ([], [])
        swap(&fields, &structs[id.index].syntax.fields)
        swap(&examples, &structs[id.index].syntax.examples)
        var table = tables.removeValue(forKey: target.mark) ?? PatchTable(fields, examples)
        merge(patch.fields, into: &fields, of: patch.name, &table)
        merge(patch.examples, into: &examples, of: patch.name, table)
        tables[target.mark] = table
        swap(&fields, &structs[id.index].syntax.fields)
        swap(&examples, &structs[id.index].syntax.examples)
        if patch.isDamaged { structs[id.index].syntax.isDamaged = true }
    }

    private mutating func merge(_ patch: UnionSyntax, in scope: Int, _ tables: inout [Mark: PatchTable]) {
        guard let target = patched(patch.name, in: scope) else { return }
        let kind = patch.isClosed ? "union_closed" : "union"
        guard case .union(let id) = target.kind, unions[id.index].syntax.isClosed == patch.isClosed else {
            return mismatch(patch.name, target, kind, patch.mark)
        }
        var (tags, examples): ([FieldSyntax], [ExampleSyntax]) = ([], [])
        swap(&tags, &unions[id.index].syntax.tags)
        swap(&examples, &unions[id.index].syntax.examples)
        var table = tables.removeValue(forKey: target.mark) ?? PatchTable(tags, examples)
        merge(patch.tags, into: &tags, of: patch.name, &table)
        merge(patch.examples, into: &examples, of: patch.name, table)
        tables[target.mark] = table
        swap(&tags, &unions[id.index].syntax.tags)
        swap(&examples, &unions[id.index].syntax.examples)
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

    private mutating func merge(
        _ added: [FieldSyntax], into fields: inout [FieldSyntax], of name: NameSyntax, _ table: inout PatchTable
    ) {
        for field in added {
            if let mark = table.fields[field.name.text] {
                let message = "'\(name.text)' has a field '\(field.name.text)' already (\(place(mark)))"
                fault("\(message); a patch can only add fields.", at: field.name.mark)
            } else {
                fields.append(field)
            }
        }
        for field in added where table.fields[field.name.text] == nil {
            table.fields[field.name.text] = field.name.mark
        }
    }

    private mutating func merge(
        _ added: [ExampleSyntax], into examples: inout [ExampleSyntax], of name: NameSyntax, _ table: PatchTable
    ) {
        for example in added {
            guard let index = table.examples[example.label.text] else {
                let message = "'\(name.text)' has no example '\(example.label.text)'"
                fault("\(message); a patch can only add values to examples.", at: example.mark)
                continue
            }
            for field in example.fields {
                examples[index].fields.removeAll { $0.name.text == field.name.text }
                examples[index].fields.append(field)
            }
        }
    }
}

/// What something that is patched has already, by name.
private struct PatchTable {
    var fields: [String: Mark]
    let examples: [String: Int]

    init(_ fields: [FieldSyntax], _ examples: [ExampleSyntax]) {
        self.fields = Dictionary(fields.map { ($0.name.text, $0.name.mark) }) { first, _ in first }
        self.examples = Dictionary(examples.enumerated().map { ($1.label.text, $0) }) { first, _ in first }
    }
}
