// SPDX-License-Identifier: Apache-2.0

/// What a document asks of the org: `uiapi { query { Account { … } } }`.
indirect enum GraphQLPlan {
    case typeName(String)
    case object([(key: String, plan: GraphQLPlan)])
    /// A list of records, and where it stands in the answer.
    case list(GraphQLConnection, [String])

    /// The most lists of records that one document asks for.
    private static let mostLists = 10

    init(_ fields: [GraphQLSelection], in schema: Schema) throws(GraphQLProblem) {
        self = try Self.object(fields, "Query", "uiapi", []) { (field, path) throws(GraphQLProblem) in
            try Self.object(field.children, "UIAPI", "query", path) { (field, path) throws(GraphQLProblem) in
                try Self.lists(field.children, in: schema, path)
            }
        }
    }

    /// An object that has one field beside its type.
    private static func object(
        _ fields: [GraphQLSelection], _ type: String, _ name: String, _ path: [String],
        _ make: (GraphQLSelection, [String]) throws(GraphQLProblem) -> GraphQLPlan
    ) throws(GraphQLProblem) -> GraphQLPlan {
        var members: [(key: String, plan: GraphQLPlan)] = []
        for field in fields {
            let path = path + [field.key]
            switch field.name {
            case "__typename": members.append((field.key, .typeName(type)))
            case name: members.append((field.key, try make(field, path)))
            default: throw undefined(field, type, path)
            }
        }
        return .object(members)
    }

    private static func lists(
        _ fields: [GraphQLSelection], in schema: Schema, _ path: [String]
    ) throws(GraphQLProblem) -> GraphQLPlan {
        guard fields.count <= mostLists else {
            throw .validation("a document asks for \(mostLists) lists at most", fields[mostLists].position, path)
        }
        var members: [(key: String, plan: GraphQLPlan)] = []
        for field in fields {
            let path = path + [field.key]
            guard field.name != "__typename" else {
                members.append((field.key, .typeName("RecordQuery")))
                continue
            }
            guard let object = schema.object(named: field.name), object.name == field.name else {
                throw undefined(field, "RecordQuery", path)
            }
            let list = try GraphQLConnection(field, of: object, from: object.name, in: schema, path: path)
            members.append((field.key, .list(list, path)))
        }
        return .object(members)
    }

    private static func undefined(_ field: GraphQLSelection, _ type: String, _ path: [String]) -> GraphQLProblem {
        .validation("Field '\(field.name.prefix(80))' in type '\(type)' is undefined", field.position, path)
    }
}
