// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import SOQLSyntax

extension QueryResources {
    /// `columns=true`: what the columns of a query are, without its rows.
    func columns(_ text: String, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let compiled = try compiled(text, call)
        guard let object = compiler.schema.queried(compiled.object), let query = try? SOQLQuery(parsing: text)
        else { throw .notFound }
        var columns: [JSONValue] = []
        for item in query.select { columns.append(contentsOf: Self.columns(of: item, object, compiler.schema)) }
        let isGrouped = if case .groups = compiled.shape { true } else { false }
        let hasID = columns.contains { $0["columnName"]?.string == "Id" }
        return .json(value: [
            "columnMetadata": JSONValue(JSONArray(columns)), "entityName": JSONValue(object.name),
            "groupBy": JSONValue(isGrouped), "idSelected": JSONValue(hasID), "keyPrefix": JSONValue(object.keyPrefix),
        ])
    }

    private static func columns(of item: SOQLSelectItem, _ object: SObjectSchema, _ schema: Schema) -> [JSONValue] {
        switch item {
        case .field(.path(let path), _):
            var (owner, names) = (object, path.parts)
            if names.count > 1, names[0].lowercased() == object.name.lowercased() { names.removeFirst() }
            for name in names.dropLast() {
                guard let field = owner.referenceField(ofRelationship: name), let next = field.referenceTo.first,
                    let target = schema.object(named: next)
                else { return [column(path.text, nil)] }
                owner = target
            }
            return [column(names.joined(separator: "."), owner.field(named: names.last ?? ""))]
        case .field(_, let alias): return [column(alias?.text ?? "expr0", nil, isAggregate: true)]
        case .children(let children, _):
            let name = children.query.from.path.last
            guard let relationship = object.childRelationship(named: name),
                let child = schema.object(named: relationship.childObject)
            else { return [] }
            let joined = children.query.select.flatMap { columns(of: $0, child, schema) }
            return [column(relationship.name, nil, isAggregate: true, joined: joined)]
        case .fields: return object.fields.map { column($0.name, $0) }
        case .count, .typeof: return []
        }
    }

    private static func column(
        _ name: String, _ field: FieldSchema?, isAggregate: Bool = false, joined: [JSONValue] = []
    ) -> JSONValue {
        let type = field?.type
        let isNumber = [.int, .double, .currency, .percent].contains(type)
        return [
            "aggregate": JSONValue(isAggregate), "apexType": JSONValue(type?.apexName ?? "String"),
            "booleanType": JSONValue(type == .boolean), "columnName": JSONValue(name),
            "custom": JSONValue(name.hasBytes(suffix: "__c")), "displayName": JSONValue(name),
            "foreignKeyName": field?.referenceTo.first.map { JSONValue($0) } ?? .null,
            "insertable": JSONValue(field?.isCreateable ?? false), "joinColumns": JSONValue(JSONArray(joined)),
            "numberType": JSONValue(isNumber), "textType": JSONValue(!isNumber && type != .boolean && type != nil),
            "updatable": JSONValue(field?.isUpdateable ?? false),
        ]
    }
}

extension FieldType {
    /// The type of Apex that holds such a value.
    fileprivate var apexName: String {
        switch self {
        case .id, .reference: "Id"
        case .boolean: "Boolean"
        case .int: "Integer"
        case .double, .currency, .percent: "Double"
        case .date: "Date"
        case .datetime: "Datetime"
        case .base64: "Blob"
        case .time: "Time"
        case .location: "Location"
        case .address: "Address"
        case .string, .picklist, .multipicklist, .textarea, .email, .phone, .url, .combobox, .encryptedstring: "String"
        }
    }
}
