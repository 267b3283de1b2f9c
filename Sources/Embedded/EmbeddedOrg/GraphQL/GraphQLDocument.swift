// SPDX-License-Identifier: Apache-2.0

/// A document of the query language as a tree (October 2021, §2.2).
struct GraphQLDocument {
    struct Operation {
        /// `query`, `mutation` or `subscription`.
        let kind: String
        let name: String?
        let variables: [Variable]
        let selections: [Selection]
        let position: GraphQLProblem.Position
    }

    struct Variable {
        let name: String
        /// Whether its type ends with `!`, so that it must have a value.
        let isRequired: Bool
        let initial: Value?
        let position: GraphQLProblem.Position
    }

    struct Fragment {
        let type: String
        let selections: [Selection]
    }

    struct Directive {
        let name: String
        let arguments: [Argument]
        let position: GraphQLProblem.Position
    }

    struct Argument: Hashable {
        let name: String
        let value: Value
    }

    struct Field {
        let key: String
        let name: String
        let arguments: [Argument]
        let directives: [Directive]
        let selections: [Selection]
        let position: GraphQLProblem.Position
    }

    indirect enum Selection {
        case field(Field)
        case spread(String, [Directive], GraphQLProblem.Position)
        case inline(type: String?, [Directive], [Selection])
    }

    indirect enum Value: Hashable, Sendable {
        case variable(String, GraphQLProblem.Position)
        case int(String), float(String), string(String), boolean(Bool), null
        /// A name that is no string: `ASC`.
        case name(String)
        case list([Value])
        case object([Member])

        struct Member: Hashable, Sendable {
            let name: String
            let value: Value
        }
    }

    var operations: [Operation] = []
    var fragments: [String: Fragment] = [:]
}
