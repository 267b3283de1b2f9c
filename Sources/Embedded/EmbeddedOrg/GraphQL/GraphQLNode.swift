// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestTransport
import SOQLSyntax

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
