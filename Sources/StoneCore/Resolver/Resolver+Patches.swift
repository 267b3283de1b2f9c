// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Adds the fields and example values of patches to what they patch.
    mutating func mergePatches() {
        for (patch, scope) in patches {
            switch patch {
            case .structPatch(let patch): merge(patch, in: scope)
            case .unionPatch(let patch): merge(patch, in: scope)
            default: break
            }
        }
    }

    private mutating func merge(_ patch: StructSyntax, in scope: Int) {
        guard let target = patched(patch.name, in: scope) else { return }
        guard case .structure(let id) = target.kind else { return mismatch(patch.name, target, "struct", patch.mark) }
        var syntax = structs[id.index].syntax
        merge(patch.fields, into: &syntax.fields, of: patch.name)
        merge(patch.examples, into: &syntax.examples, of: patch.name)
        syntax.isDamaged = syntax.isDamaged || patch.isDamaged
        structs[id.index].syntax = syntax
    }

    private mutating func merge(_ patch: UnionSyntax, in scope: Int) {
        guard let target = patched(patch.name, in: scope) else { return }
        let kind = patch.isClosed ? "union_closed" : "union"
        guard case .union(let id) = target.kind, unions[id.index].syntax.isClosed == patch.isClosed else {
            return mismatch(patch.name, target, kind, patch.mark)
        }
        var syntax = unions[id.index].syntax
        merge(patch.tags, into: &syntax.tags, of: patch.name)
        merge(patch.examples, into: &syntax.examples, of: patch.name)
        syntax.isDamaged = syntax.isDamaged || patch.isDamaged
        unions[id.index].syntax = syntax
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

    private mutating func merge(_ added: [FieldSyntax], into fields: inout [FieldSyntax], of name: NameSyntax) {
        let known = Dictionary(fields.map { ($0.name.text, $0.name.mark) }) { first, _ in first }
        for field in added {
            if let mark = known[field.name.text] {
                let message = "'\(name.text)' has a field '\(field.name.text)' already (\(place(mark)))"
                fault("\(message); a patch can only add fields.", at: field.name.mark)
            } else {
                fields.append(field)
            }
        }
    }

    private mutating func merge(_ added: [ExampleSyntax], into examples: inout [ExampleSyntax], of name: NameSyntax) {
        for example in added {
            guard let index = examples.firstIndex(where: { $0.label.text == example.label.text }) else {
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
