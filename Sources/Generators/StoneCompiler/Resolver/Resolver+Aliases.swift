// SPDX-License-Identifier: Apache-2.0

extension Resolver {
    mutating func resolveAliases() {
        for index in aliases.indices {
            let written = aliases[index]
            if let type = resolve(written.syntax.type, in: written.scope) {
                api.aliases[index].type = type
            } else {
                brokenTypes.insert(written.syntax.name.mark)
            }
            let annotations = resolve(written.syntax.annotations, of: written.syntax.name, in: written.scope)
            if annotations != StoneAnnotations() {
                fault("An alias cannot be Deprecated, Preview or Omitted.", at: written.syntax.name.mark)
            }
        }
        breakCycles()
    }

    /// Finds aliases that stand for themselves, also inside lists, and too long chains; they become `void`.
    private mutating func breakCycles() {
        let chains = aliases.indices.map { chain(from: $0) }
        let cyclic = Set(chains.indices.filter { chains[$0] == .cyclic })
        for index in cyclic.sorted() {
            let name = aliases[index].syntax.name
            fault("The alias '\(name.text)' stands for itself; give it another type.", at: name.mark)
        }
        // What stands for a cyclic alias is not at fault itself.
        for index in chains.indices where chains[index] == .tooLong && chain(from: index, endingAt: cyclic) == .tooLong
        {
            let message = "More than \(StoneLimits.lineage) aliases or lists stand for each other in a row."
            fault(message, at: aliases[index].syntax.name.mark)
        }
        for index in chains.indices where chains[index] != .fine {
            api.aliases[index].type = .void
            brokenTypes.insert(aliases[index].syntax.name.mark)
        }
    }

    private enum Chain {
        case fine, cyclic, tooLong
    }

    private func chain(from index: Int, endingAt ends: Set<Int> = []) -> Chain {
        var type = api.aliases[index].type
        for _ in 0..<4 * StoneLimits.lineage {
            switch type {
            case .alias(let id):
                if id.index == index || ends.contains(id.index) { return .cyclic }
                type = api[id].type
            case .nullable(let inner): type = inner
            case .list(let list): type = list.element
            case .map(_, let value): type = value
            default: return .fine
            }
        }
        return .tooLong
    }

    /// Whether a type depends on an alias that has no meaning.
    func isBroken(_ type: StoneType) -> Bool {
        var type = type
        while true {
            switch type {
            case .alias(let id):
                if brokenTypes.contains(aliases[id.index].syntax.name.mark) { return true }
                type = api[id].type
            case .nullable(let inner): type = inner
            case .list(let list): type = list.element
            case .map(_, let value): type = value
            default: return false
            }
        }
    }
}
