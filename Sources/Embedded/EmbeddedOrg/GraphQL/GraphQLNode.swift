// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
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

/// What a document asks of a record.
struct GraphQLNode {
    indirect enum Part {
        /// The record's id, which is no field with a value.
        case id
        /// The name of the record's object.
        case typeName
        /// A field, with the keys of what is asked of its value.
        case field(FieldSchema, [(key: String, name: String)])
        case parent(String, GraphQLNode)
        case children(String, GraphQLConnection)
    }

    let object: SObjectSchema
    private(set) var parts: [(key: String, part: Part)] = []
    /// What the query selects for it; never empty.
    private(set) var items: [SOQLSelectItem] = []

    /// How many relationships may be followed inside each other.
    private static let mostLevels = 5

    init(
        _ fields: [GraphQLSelection], of object: SObjectSchema, in schema: Schema, path: [String], depth: Int
    ) throws(GraphQLProblem) {
        self.object = object
        // The id is selected always: a query selects something, and a document may ask for children alone.
        var (columns, lists) = ([["Id"]], [SOQLSelectItem]())
        for field in fields where field.types.allSatisfy({ $0 == object.name || $0 == "Record" }) {
            let place = path + [field.key]
            guard depth < Self.mostLevels else {
                throw .validation("relationships are followed \(Self.mostLevels) times at most", field.position, place)
            }
            let part = try Self.part(field, of: object, in: schema, place, depth)
            switch part {
            case .id, .typeName: break
            case .field(let schema, _): columns.append([schema.name])
            case .parent(let name, let node): columns += node.columns.map { [name] + $0 }
            case .children(let name, let connection):
                guard !parts.contains(where: { if case .children(name, _) = $0.part { true } else { false } }) else {
                    throw .validation("the list '\(name)' can be selected once", field.position, place)
                }
                lists.append(.children(SOQLChildQuery(connection.query), alias: nil))
            }
            parts.append((field.key, part))
        }
        self.columns = columns
        var seen: Set<[String]> = []
        items =
            columns.filter { seen.insert($0).inserted }.map { SOQLSelectItem.field(.path(SOQLPath($0)), alias: nil) }
            + lists
    }

    /// The paths of the fields that are needed of it.
    private let columns: [[String]]

    private static func part(
        _ field: GraphQLSelection, of object: SObjectSchema, in schema: Schema, _ path: [String], _ depth: Int
    ) throws(GraphQLProblem) -> Part {
        switch field.name {
        case "Id": return .id
        case "ApiName", "__typename": return .typeName
        default: break
        }
        if let known = object.field(named: field.name) {
            let parts = field.children.map { (key: $0.key, name: $0.name) }
            if let other = parts.first(where: { !["value", "displayValue", "label", "__typename"].contains($0.name) }) {
                throw .validation("a value has no field '\(other.name.prefix(60))'", field.position, path)
            }
            guard !parts.isEmpty else {
                throw .validation("'\(field.name)' needs a selection such as { value }", field.position, path)
            }
            return .field(known, parts)
        }
        if let reference = object.referenceField(ofRelationship: field.name) {
            let wanted = field.children.lazy.flatMap(\.types).first { reference.referenceTo.contains($0) }
            guard let name = wanted ?? reference.referenceTo.first, let parent = schema.object(named: name) else {
                throw .validation("the object behind '\(field.name)' is not known", field.position, path)
            }
            return .parent(
                field.name, try GraphQLNode(field.children, of: parent, in: schema, path: path, depth: depth + 1))
        }
        if let children = object.childRelationship(named: field.name),
            let child = schema.object(named: children.childObject)
        {
            let connection = try GraphQLConnection(
                field, of: child, from: children.name, in: schema, path: path, depth: depth + 1)
            guard connection.after == nil else {
                throw .validation("lists of children are given from their beginning", field.position, path)
            }
            return .children(children.name, connection)
        }
        throw .validation(
            "Field '\(field.name.prefix(80))' in type '\(object.name)' is undefined", field.position, path)
    }

    /// How many children one list has at most, at any level; at least one.
    var mostChildren: Int {
        parts.reduce(1) { most, part in
            switch part.part {
            case .id, .typeName, .field: most
            case .parent(_, let node): max(most, node.mostChildren)
            case .children(_, let list): max(most, list.first, list.node.mostChildren)
            }
        }
    }

    /// The record as the document asks for it.
    func json(_ record: JSONValue) -> JSONValue {
        var json: JSONObject = [:]
        for (key, part) in parts {
            json[key] =
                switch part {
                case .id: record["Id"] ?? .null
                case .typeName: JSONValue(object.name)
                case .field(let field, let parts): Self.value(record.member(field.name), field, parts)
                case .parent(let name, let node): record.member(name).isNull ? .null : node.json(record.member(name))
                case .children(let name, let list): list.json(children: record.member(name))
                }
        }
        return JSONValue(json)
    }

    private static func value(
        _ value: JSONValue, _ field: FieldSchema, _ parts: [(key: String, name: String)]
    ) -> JSONValue {
        var json: JSONObject = [:]
        for (key, name) in parts {
            switch name {
            case "value": json[key] = value
            case "__typename": json[key] = "FieldValue"
            // People see the label of a choice, and of numbers and times a text; a text is what it is.
            default:
                let label = field.picklistValues.first { $0.value == value.string }?.label
                json[key] = label.map { JSONValue($0) } ?? value.numberText.map { JSONValue($0) } ?? .null
            }
        }
        return JSONValue(json)
    }
}

extension GraphQLConnection {
    /// A list of children as a query gave it; `null` where there are none.
    func json(children: JSONValue) -> JSONValue {
        let records = children["records"]?.array ?? []
        let total = children["totalSize"]?.int.flatMap { Int(outside: $0, in: .count) } ?? 0
        return json(records.prefix(first).map(\.self), total: total, hasNext: total > first) { _ in nil }
    }

    /// The list as the document asks for it.
    ///
    /// - Parameters:
    ///   - records: the records of the page.
    ///   - total: how many there are in all.
    ///   - hasNext: whether more follow.
    ///   - cursor: the place behind the record of that number.
    /// - Returns: the JSON.
    func json(_ records: [JSONValue], total: Int, hasNext: Bool, cursor: (Int) -> String?) -> JSONValue {
        func place(_ number: Int) -> JSONValue { cursor(number).map { JSONValue($0) } ?? .null }
        var json: JSONObject = [:]
        for (key, part) in parts {
            switch part {
            case .typeName: json[key] = JSONValue("\(object.name)Connection")
            case .totalCount: json[key] = JSONValue(total)
            case .pageInfo(let inner):
                var info: JSONObject = [:]
                for (key, name) in inner {
                    info[key] =
                        switch name {
                        case "hasNextPage": JSONValue(hasNext)
                        case "hasPreviousPage": JSONValue(after != nil)
                        case "endCursor": records.isEmpty ? .null : place(records.count - 1)
                        case "startCursor": records.isEmpty ? .null : place(0)
                        default: "PageInfo"
                        }
                }
                json[key] = JSONValue(info)
            case .edges(let inner):
                let edges = records.enumerated().map { number, record in
                    var edge: JSONObject = [:]
                    for (key, part) in inner {
                        edge[key] =
                            switch part {
                            case .node: node.json(record)
                            case .cursor: place(number)
                            case .typeName: JSONValue("\(object.name)Edge")
                            }
                    }
                    return JSONValue(edge)
                }
                json[key] = JSONValue(JSONArray(edges))
            }
        }
        return JSONValue(json)
    }
}

extension JSONValue {
    /// A member by its name in any case, as the query may have written it; null where there is none.
    fileprivate func member(_ name: String) -> JSONValue {
        self[name] ?? object?.first { $0.key.lowercased() == name.lowercased() }?.value ?? .null
    }
}
