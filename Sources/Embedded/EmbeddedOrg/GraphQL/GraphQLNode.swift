// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import SOQLCheck
import SOQLStore
import SOQLSyntax

/// A list of records in a document: its query, and the form of its response.
struct GraphQLConnection {
    let object: SObjectSchema
    let field: GraphQLField
    let node: GraphQLNode
    let first: Int
    /// The cursor before the page.
    let after: String?
    let query: SOQLQuery

    /// The maximum and the default number of records on a page.
    private static let (most, usual) = (2_000, 10)
    private static let mostOfAll = 1_000_000
    private static let arguments: Set<String> = ["first", "after", "where", "orderBy", "scope", "upperBound"]
    /// The parts of a list with their fields.
    private static let parts: [String: Set<String>] = [
        "edges": ["node", "cursor", "__typename"], "totalCount": [], "__typename": [],
        "pageInfo": ["hasNextPage", "hasPreviousPage", "startCursor", "endCursor", "__typename"],
    ]

    init(
        _ field: GraphQLField, of object: SObjectSchema, from source: String, in schema: Schema, path: [String],
        depth: Int = 0
    ) throws(GraphQLProblem) {
        func problem(_ message: String) -> GraphQLProblem { .validation(message, field.offset, path) }
        func number(_ name: String, _ range: ClosedRange<Int>) throws(GraphQLProblem) -> Int? {
            guard let value = field.arguments[name] else { return nil }
            guard let number = Int(outside: value.numberText ?? "", in: .count), range.contains(number) else {
                throw problem("'\(name)' must be a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
        func text(_ name: String) throws(GraphQLProblem) -> String? {
            guard let value = field.arguments[name] else { return nil }
            guard let text = value.string else { throw problem("'\(name)' must be a string") }
            return text
        }
        if let other = field.arguments.keys.first(where: { !Self.arguments.contains($0) }) {
            throw problem("the argument '\(other.prefix(60))' of '\(field.name)' is unknown")
        }
        guard !field.children.isEmpty else { throw problem("'\(field.name)' needs a selection of its parts") }
        for part in field.children {
            guard let known = Self.parts[part.name] else {
                throw problem("a list of records has no field '\(part.name.prefix(60))'")
            }
            if let other = part.children.first(where: { !known.contains($0.name) }) {
                throw problem("'\(part.name)' has no field '\(other.name.prefix(60))'")
            }
        }
        let nodes = field.children.filter { $0.name == "edges" }.flatMap(\.children).filter { $0.name == "node" }
        guard nodes.count < 2 else { throw problem("the records of a list can be selected only once") }
        self.object = object
        self.field = field
        node = try GraphQLNode(
            nodes.first?.children ?? [], of: object, in: schema, path: path + ["edges", "node"], depth: depth)
        first = try number("first", 1...Self.most) ?? Self.usual
        after = try text("after")
        let filter = GraphQLFilter(schema: schema, field: field, path: path)
        var query = SOQLQuery(select: node.items, from: SOQLSource(path: SOQLPath([source])))
        if let condition = field.arguments["where"] { query.where = try filter.condition(condition, on: object) }
        if let order = field.arguments["orderBy"] { query.orderBy = try filter.order(order, on: object) }
        query.scope = try text("scope").map { SOQLName($0.lowercased()) }
        // The maximum number of records on all pages together.
        query.limit = try number("upperBound", 1...Self.mostOfAll).map { SOQLCount($0) }
        self.query = query
    }

    /// Whether the document asks for cursors, so the result is kept for later pages.
    var wantsCursors: Bool {
        field.children.contains { part in
            part.children.contains { ["cursor", "startCursor", "endCursor"].contains($0.name) }
        }
    }

    var wantsTotal: Bool { field.children.contains { $0.name == "totalCount" } }

    /// Returns the list of children of a record.
    func json(children: JSONValue) -> JSONValue {
        let records = children["records"]?.array ?? []
        let total = children["totalSize"]?.int.flatMap { Int(outside: $0, in: .count) } ?? 0
        return json(records.prefix(first).map(\.self), total: total, hasNext: total > first) { _ in nil }
    }

    /// Returns the list in the form that the document asks for.
    ///
    /// - Parameters:
    ///   - records: The records of the page.
    ///   - total: The number of records on all pages.
    ///   - hasNext: Whether there is another page.
    ///   - cursor: The cursor after a record of the page, by the record's index.
    /// - Returns: the JSON.
    func json(_ records: [JSONValue], total: Int, hasNext: Bool, cursor: (Int) -> String?) -> JSONValue {
        func place(_ position: Int) -> JSONValue { cursor(position).map { JSONValue($0) } ?? .null }
        return field.object { part in
            switch part.name {
            case "totalCount": JSONValue(total)
            case "pageInfo":
                part.object { field in
                    switch field.name {
                    case "hasNextPage": JSONValue(hasNext)
                    case "hasPreviousPage": JSONValue(after != nil)
                    case "endCursor": records.isEmpty ? .null : place(records.count - 1)
                    case "startCursor": records.isEmpty ? .null : place(0)
                    default: "PageInfo"
                    }
                }
            case "edges":
                JSONValue(
                    JSONArray(
                        records.enumerated().map { position, record in
                            part.object { field in
                                switch field.name {
                                case "node": node.json(record)
                                case "cursor": place(position)
                                default: JSONValue("\(object.name)Edge")
                                }
                            }
                        }))
            default: JSONValue("\(object.name)Connection")
            }
        }
    }
}

/// The fields that a document asks for in a record.
struct GraphQLNode {
    private indirect enum Content {
        /// The record's ID, which has no parts.
        case id
        case typeName
        case value(FieldSchema)
        case parent(GraphQLNode)
        case children(GraphQLConnection)
    }

    private let object: SObjectSchema
    private var members: [(field: GraphQLField, content: Content)] = []
    /// The paths of the needed fields, including the ID because a document may ask for children alone.
    private var columns = [["Id"]]
    private var lists: [SOQLSelectItem] = []
    /// The maximum number of children in one list at any level, at least 1.
    private(set) var mostChildren = 1

    /// The maximum number of nested relationships.
    private static let mostLevels = 5

    init(
        _ fields: [GraphQLField], of object: SObjectSchema, in schema: Schema, path: [String], depth: Int
    ) throws(GraphQLProblem) {
        self.object = object
        for field in fields where field.types.allSatisfy({ $0 == object.name || $0 == "Record" }) {
            let path = path + [field.key]
            guard depth < Self.mostLevels else {
                throw .validation("relationships can be followed at most \(Self.mostLevels) times", field.offset, path)
            }
            let content = try Self.content(field, of: object, in: schema, path, depth)
            switch content {
            case .id, .typeName: break
            case .value(let schema): columns.append([schema.name])
            case .parent(let node):
                columns += node.columns.map { [field.name] + $0 }
                mostChildren = max(mostChildren, node.mostChildren)
            case .children(let list):
                guard !members.contains(where: { $0.field.name.lowercased() == field.name.lowercased() }) else {
                    throw .validation("the list '\(field.name)' can be selected only once", field.offset, path)
                }
                lists.append(.children(SOQLChildQuery(list.query), alias: nil))
                mostChildren = max(mostChildren, list.first, list.node.mostChildren)
            }
            members.append((field, content))
        }
    }

    /// The select list of the query, which is never empty.
    var items: [SOQLSelectItem] {
        var seen: Set<[String]> = []
        return columns.filter { seen.insert($0).inserted }.map { .field(.path(SOQLPath($0)), alias: nil) } + lists
    }

    private static func content(
        _ field: GraphQLField, of object: SObjectSchema, in schema: Schema, _ path: [String], _ depth: Int
    ) throws(GraphQLProblem) -> Content {
        func problem(_ message: String) -> GraphQLProblem { .validation(message, field.offset, path) }
        if field.name == "Id" { return .id }
        if ["ApiName", "__typename"].contains(field.name) { return .typeName }
        if let known = object.field(named: field.name) {
            let parts: Set<String> = ["value", "displayValue", "label", "__typename"]
            if let other = field.children.first(where: { !parts.contains($0.name) }) {
                throw problem("a value has no field '\(other.name.prefix(60))'")
            }
            guard !field.children.isEmpty else { throw problem("'\(field.name)' needs a selection such as { value }") }
            return .value(known)
        }
        if let reference = object.referenceField(ofRelationship: field.name) {
            let wanted = field.children.lazy.flatMap(\.types).first { reference.referenceTo.contains($0) }
            guard let name = wanted ?? reference.referenceTo.first, let parent = schema.object(named: name) else {
                throw problem("the object of '\(field.name)' is unknown")
            }
            return .parent(
                try GraphQLNode(field.children, of: parent, in: schema, path: path, depth: depth + 1))
        }
        guard let children = object.childRelationship(named: field.name),
            let child = schema.object(named: children.object)
        else { throw problem("Field '\(field.name.prefix(80))' in type '\(object.name)' is undefined") }
        let list = try GraphQLConnection(
            field, of: child, from: children.name ?? field.name, in: schema, path: path, depth: depth + 1)
        guard list.after == nil else { throw problem("a list of children can be read only from its beginning") }
        return .children(list)
    }

    /// Returns the record in the form that the document asks for.
    func json(_ record: JSONValue) -> JSONValue {
        JSONValue(
            JSONObject(
                members: members.map { field, content in
                    let value = record.member(field.name)
                    switch content {
                    case .id: return (field.key, record["Id"] ?? .null)
                    case .typeName: return (field.key, JSONValue(object.name))
                    case .value(let schema): return (field.key, Self.json(value, field, schema))
                    case .parent(let node): return (field.key, value.isNull ? .null : node.json(value))
                    case .children(let list): return (field.key, list.json(children: value))
                    }
                }))
    }

    private static func json(_ value: JSONValue, _ field: GraphQLField, _ schema: FieldSchema) -> JSONValue {
        field.object { part in
            switch part.name {
            case "value": return value
            case "__typename": return "FieldValue"
            // The display value of a picklist is its label. Numbers and times are shown as strings.
            default:
                let label = schema.picklistValues.first { $0.value == value.string }?.label
                return (label ?? value.numberText).map { JSONValue($0) } ?? .null
            }
        }
    }
}

extension JSONValue {
    /// Returns a member by its name, ignoring case, or null.
    fileprivate func member(_ name: String) -> JSONValue {
        self[name] ?? object?.first { $0.key.lowercased() == name.lowercased() }?.value ?? .null
    }
}
