// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    /// Gives a name its meaning; false if it has one already.
    mutating func define(_ name: NameSyntax, as kind: Symbol.Kind, in scope: Int) -> Bool {
        guard BuiltinType(rawValue: name.text) == nil else {
            fault("'\(name.text)' is a type of the language; choose another name.", at: name.mark)
            return false
        }
        if let known = scopes[scope].symbols[name.text] {
            guard case .broken = known.kind else {
                fault("'\(name.text)' is defined already (\(place(known.mark))).", at: name.mark)
                return false
            }
        }
        let symbol = Symbol(kind: kind, mark: name.mark)
        scopes[scope].symbols[name.text] = symbol
        checkLikeness(of: name, symbol, in: scope)
        return true
    }

    /// Refuses a name that generated code could not keep apart from another one.
    private mutating func checkLikeness(of name: NameSyntax, _ symbol: Symbol, in scope: Int) {
        let likeness = name.text.likeness
        if likeness == scopes[scope].name.likeness {
            return fault(
                "The name '\(name.text)' is too like that of its namespace; choose another one.", at: name.mark)
        }
        guard let known = scopes[scope].likenesses[likeness] else {
            scopes[scope].likenesses[likeness] = (symbol, name.text)
            return
        }
        if case .route = known.symbol.kind, case .route = symbol.kind { return }
        let other = "that of \(known.symbol.kindName), '\(known.name)' (\(place(known.symbol.mark)))"
        fault("The name '\(name.text)' is too like \(other); choose another one.", at: name.mark)
    }

    /// Makes other namespaces known to those whose files import them.
    mutating func addImports(of spec: SpecSyntax) {
        guard let namespace = spec.namespace?.text, let scope = scopeIndex[namespace] else { return }
        for target in spec.imports {
            guard target.text != namespace else {
                fault("A namespace cannot import itself; remove the line.", at: target.mark)
                continue
            }
            guard let other = scopeIndex[target.text] else {
                fault("No file defines the namespace '\(target.text)'; add it to the specs.", at: target.mark)
                continue
            }
            if scopes[other].imports[namespace] != nil {
                let cycle = "'\(namespace)' and '\(target.text)' import each other"
                fault("\(cycle); move what both need to a third namespace.", at: target.mark)
            }
            scopes[scope].imports[target.text] = other
        }
    }

    /// What a reference names: the symbol and the scope that has it; nil after a fault.
    mutating func look(up reference: ReferenceSyntax, in scope: Int, _ role: String) -> Symbol? {
        guard let namespace = reference.namespace else {
            return look(up: reference.name, in: scope, "\(role) '\(reference.name.text)'", from: scope)
        }
        guard let other = scopes[scope].imports[namespace.text] else {
            let advice = scopeIndex[namespace.text] == nil ? "no file defines it" : "add 'import \(namespace.text)'"
            fault("The namespace '\(namespace.text)' is not imported; \(advice).", at: namespace.mark)
            return nil
        }
        return look(up: reference.name, in: other, "\(role) '\(namespace.text).\(reference.name.text)'", from: scope)
    }

    private mutating func look(up name: NameSyntax, in scope: Int, _ what: String, from: Int) -> Symbol? {
        if let symbol = scopes[scope].symbols[name.text] { return symbol }
        let homes = scopes[from].imports.filter { scopes[$0.value].symbols[name.text] != nil }.keys.sorted()
        let advice = homes.first.map { "; '\($0).\(name.text)' exists" } ?? "; define it or correct the name"
        fault("There is no \(what)\(scope == from ? advice : "").", at: name.mark)
        return nil
    }
}
