// SPDX-License-Identifier: Apache-2.0

/// What is known of examples while they are evaluated.
struct ExampleEvaluation: Sendable {
    struct Key: Hashable, Sendable {
        let type: StoneDeclaration
        let label: String
    }

    enum State: Sendable {
        /// Being evaluated: who meets it has found a cycle.
        case begun
        /// Evaluated, and how many values it has.
        case done(StoneJSON, size: Int)
        /// It has a fault, which has been noted.
        case failed
    }

    var states: [Key: State] = [:]
    /// The written examples of each type, by label.
    var written: [Key: ExampleSyntax] = [:]
    /// Values in all examples so far.
    var total = 0
}

/// A JSON value, and how many values are in it.
struct SizedJSON {
    var value: StoneJSON
    var size: Int

    init(_ value: StoneJSON, size: Int = 1) {
        self.value = value
        self.size = size
    }
}

extension StoneJSON {
    init(_ literal: StoneLiteral) {
        switch literal {
        case .null: self = .null
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .float(let value): self = .float(value)
        case .string(let value): self = .string(value)
        case .tag(_, let name): self = .object([Member(".tag", .string(name))])
        }
    }

    var members: [Member] {
        guard case .object(let members) = self else { return [] }
        return members
    }
}
