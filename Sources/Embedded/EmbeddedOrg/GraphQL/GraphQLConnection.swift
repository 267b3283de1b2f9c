// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport
import SOQLSyntax

/// A list of records that a document asks for: the query of it, and how its answer is put together.
struct GraphQLConnection {
    /// What is asked of a list beside its records.
    enum Part {
        case edges([(key: String, part: EdgePart)])
        case pageInfo([(key: String, name: String)])
        case totalCount
        case typeName
    }

    /// What is asked of a place in a list.
    enum EdgePart {
        case node, cursor, typeName
    }

    let object: SObjectSchema
    let parts: [(key: String, part: Part)]
    let node: GraphQLNode
    /// How many records one page has.
    let first: Int
    /// Where the page begins.
    let after: String?
    let query: SOQLQuery

    /// Whether the places in the list are asked for, so that it must be kept for later pages.
    var wantsCursors: Bool {
        parts.contains { part in
            switch part.part {
            case .edges(let inner): inner.contains { $0.part == .cursor }
            case .pageInfo(let inner): inner.contains { $0.name == "endCursor" || $0.name == "startCursor" }
            case .totalCount, .typeName: false
            }
        }
    }

    /// Whether the number of all records is asked for.
    var wantsTotal: Bool { parts.contains { if case .totalCount = $0.part { true } else { false } } }

    /// The most records of a page, and how many it has where nothing is said.
    static let (most, usual) = (2_000, 10)
    private static let mostOfAll = 1_000_000

    private static let arguments: Set<String> = ["first", "after", "where", "orderBy", "scope", "upperBound"]

    init(
        _ field: GraphQLSelection, of object: SObjectSchema, from source: String, in schema: Schema, path: [String],
        depth: Int = 0
    ) throws(GraphQLProblem) {
        func problem(_ message: String) -> GraphQLProblem { .validation(message, field.position, path) }
        if let other = field.arguments.first(where: { !Self.arguments.contains($0.name) }) {
            throw problem("the argument '\(other.name.prefix(60))' of '\(field.name)' is not known")
        }
        self.object = object
        var (parts, nodes) = ([(key: String, part: Part)](), [GraphQLSelection]())
        for child in field.children {
            parts.append((child.key, try Self.part(child, &nodes, path)))
        }
        guard !parts.isEmpty else { throw problem("'\(field.name)' needs a selection of its parts") }
        node = try GraphQLNode(nodes, of: object, in: schema, path: path + ["edges", "node"], depth: depth)
        self.parts = parts
        first = try Self.number("first", 1...Self.most, field, problem) ?? Self.usual
        after = try Self.text("after", field, problem)
        let filter = GraphQLFilter(schema: schema, position: field.position, path: path)
        var query = SOQLQuery(select: node.items, from: SOQLSource(path: SOQLPath([source])))
        if let condition = field.argument("where") { query.where = try filter.condition(condition, on: object) }
        if let order = field.argument("orderBy") { query.orderBy = try filter.order(order, on: object) }
        query.scope = try Self.text("scope", field, problem).map { SOQLName($0.lowercased()) }
        // The most records of all pages together.
        query.limit = try Self.number("upperBound", 1...Self.mostOfAll, field, problem).map { SOQLCount($0) }
        self.query = query
    }

    private static func number(
        _ name: String, _ range: ClosedRange<Int>, _ field: GraphQLSelection, _ problem: (String) -> GraphQLProblem
    ) throws(GraphQLProblem) -> Int? {
        guard let value = field.argument(name) else { return nil }
        guard case .int(let text) = value, let number = Int(outside: text, in: .count), range.contains(number) else {
            throw problem("'\(name)' must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private static func text(
        _ name: String, _ field: GraphQLSelection, _ problem: (String) -> GraphQLProblem
    ) throws(GraphQLProblem) -> String? {
        switch field.argument(name) {
        case nil: return nil
        case .string(let text), .name(let text): return text
        default: throw problem("'\(name)' must be a string")
        }
    }

    private static func part(
        _ field: GraphQLSelection, _ nodes: inout [GraphQLSelection], _ path: [String]
    ) throws(GraphQLProblem) -> Part {
        switch field.name {
        case "__typename": return .typeName
        case "totalCount": return .totalCount
        case "pageInfo":
            let known = ["hasNextPage", "hasPreviousPage", "startCursor", "endCursor", "__typename"]
            if let other = field.children.first(where: { !known.contains($0.name) }) {
                throw .validation("'pageInfo' has no field '\(other.name.prefix(60))'", other.position, path)
            }
            return .pageInfo(field.children.map { ($0.key, $0.name) })
        case "edges":
            var parts: [(key: String, part: EdgePart)] = []
            for child in field.children {
                switch child.name {
                case "__typename": parts.append((child.key, .typeName))
                case "cursor": parts.append((child.key, .cursor))
                case "node":
                    guard nodes.isEmpty else {
                        throw .validation("the records of a list can be selected once", child.position, path)
                    }
                    nodes = child.children
                    parts.append((child.key, .node))
                default:
                    throw .validation("'edges' has no field '\(child.name.prefix(60))'", child.position, path)
                }
            }
            return .edges(parts)
        default:
            throw .validation("a list of records has no field '\(field.name.prefix(60))'", field.position, path)
        }
    }
}
