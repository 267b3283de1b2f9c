// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText
import RestTransport

/// The list views that every object has: all records, the user's own, and those looked at last.
struct ListView: Sendable {
    let object: SObjectSchema
    let kind: Kind

    enum Kind: Int, CaseIterable, Sendable {
        case all = 1, mine, recent
    }

    init(object: SObjectSchema, kind: Kind) {
        self.object = object
        self.kind = kind
    }

    /// The list view of an id.
    init?(id: String, in schema: Schema) {
        guard let known = RecordID.normalized(id), known.hasBytes(prefix: Self.prefix) else { return nil }
        for object in schema.objects {
            for kind in Kind.allCases where ListView(object: object, kind: kind).isNamed(known, in: schema) {
                self.init(object: object, kind: kind)
                return
            }
        }
        return nil
    }

    private static let prefix = "00B"
    /// An id that no record has.
    private static let noRecord = "000000000000000AAA"

    private func isNamed(_ id: String, in schema: Schema) -> Bool { self.id(in: schema) == id }

    func id(in schema: Schema) -> String {
        let position = schema.objects.firstIndex { $0.name == object.name } ?? 0
        return RecordID.make(prefix: Self.prefix, number: Int64(position * 8 + kind.rawValue))
    }

    var developerName: String {
        switch kind {
        case .all: "All\(object.labelPlural.without(" "))"
        case .mine: "My\(object.labelPlural.without(" "))"
        case .recent: "RecentlyViewed\(object.labelPlural.without(" "))"
        }
    }

    var label: String {
        switch kind {
        case .all: "All \(object.labelPlural)"
        case .mine: "My \(object.labelPlural)"
        case .recent: "Recently Viewed \(object.labelPlural)"
        }
    }

    /// The fields that a list shows: the name, and the first few that say most.
    var columns: [FieldSchema] {
        let name = object.fields.filter(\.isNameField)
        let others = object.fields.filter {
            !$0.isNameField && $0.isCreateable
                && [.string, .picklist, .phone, .email, .date, .currency].contains($0.type)
        }
        return Array((name + others).prefix(5))
    }

    /// The query of the view, over all records or those of these ids.
    func query(of ids: [String]? = nil) -> String {
        let name = object.fields.first(where: \.isNameField)?.name ?? "Id"
        let scope = kind == .mine && object.field(named: "OwnerId") != nil ? " USING SCOPE mine" : ""
        let own = ids?.filter { $0.hasBytes(prefix: object.keyPrefix) }
        let list = own.map { ($0.isEmpty ? [Self.noRecord] : $0).map { "'\($0)'" }.joined(separator: ", ") }
        let condition = list.map { " WHERE Id IN (\($0))" } ?? ""
        let fields = (columns.map(\.name) + ["Id", "CreatedDate", "LastModifiedDate", "SystemModstamp"])
        return
            "SELECT \(fields.joined(separator: ", ")) FROM \(object.name)\(scope)\(condition) ORDER BY \(name) ASC NULLS FIRST, Id ASC"
    }
}

/// `/sobjects/T/listviews`: the views, what they show, and their records.
struct ListViewResources {
    let queries: QueryResources

    private var schema: Schema { queries.compiler.schema }
    private static let mostRecords = 2_000

    func answer(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        let kinds = ListView.Kind.allCases.filter { $0 != .mine || object.field(named: "OwnerId") != nil }
        let views = kinds.map { ListView(object: object, kind: $0) }
        switch call.rest.count {
        case 3:
            return .json(value: [
                "done": true, "listviews": JSONValue(JSONArray(views.map { summary($0, call) })), "nextRecordsUrl": nil,
                "size": JSONValue(views.count), "sobjectType": JSONValue(object.name),
            ])
        case 4, 5:
            let name = call.rest[3]
            guard
                let view = views.first(where: {
                    $0.id(in: schema) == RecordID.normalized(name) || $0.developerName == name
                        || (name == "recent" && $0.kind == .recent)
                })
            else { throw OrgFault(404, "NOT_FOUND", "\(object.name) has no list view '\(name.prefix(100))'") }
            switch call.rest.count > 4 ? call.rest[4] : "" {
            case "" where name == "recent": return try results(view, call)
            case "": return .json(value: summary(view, call))
            case "describe": return .json(value: description(view))
            case "results": return try results(view, call)
            default: throw .notFound
            }
        default: throw .notFound
        }
    }

    private func summary(_ view: ListView, _ call: RESTRouter.Call) -> JSONValue {
        let id = view.id(in: schema)
        let path = "\(call.version.path)/sobjects/\(view.object.name)/listviews/\(id)"
        return [
            "describeUrl": JSONValue(path + "/describe"), "developerName": JSONValue(view.developerName),
            "id": JSONValue(id), "label": JSONValue(view.label), "resultsUrl": JSONValue(path + "/results"),
            "soqlCompatible": true, "url": JSONValue(path),
        ]
    }

    private func columns(_ view: ListView) -> JSONValue {
        let shown = view.columns.map { ($0, false) }
        let hidden = view.object.fields
            .filter { ["Id", "CreatedDate", "LastModifiedDate", "SystemModstamp"].contains($0.name) }.map { ($0, true) }
        return JSONValue(
            JSONArray(
                (shown + hidden).map { field, isHidden in
                    [
                        "ascendingLabel": "Z-A", "descendingLabel": "A-Z", "fieldNameOrPath": JSONValue(field.name),
                        "hidden": JSONValue(isHidden), "label": JSONValue(field.label), "searchable": true,
                        "selectListItem": JSONValue(field.name),
                        "sortDirection": field.isNameField ? "ascending" : nil,
                        "sortIndex": field.isNameField ? 0 : nil, "sortable": true,
                        "type": JSONValue(field.type.rawValue),
                    ] as JSONValue
                }))
    }

    private func description(_ view: ListView) -> JSONValue {
        let name = view.object.fields.first(where: \.isNameField)?.name ?? "Id"
        return [
            "columns": columns(view), "id": JSONValue(view.id(in: schema)),
            "orderBy": [["fieldNameOrPath": JSONValue(name), "nullsPosition": "first", "sortDirection": "ascending"]],
            "query": JSONValue(view.query()), "relatedEntityId": nil,
            "scope": view.kind == .mine ? "mine" : "everything", "scopeEntityId": nil,
            "sobjectType": JSONValue(view.object.name), "whereCondition": nil,
        ]
    }

    private func results(_ view: ListView, _ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        func number(_ name: String, _ most: Int, _ usual: Int) throws(OrgFault) -> Int {
            guard let text = call.path.parameter(name) else { return usual }
            guard let number = Int(outside: text, in: .count), number <= most else {
                throw OrgFault(400, "INVALID_QUERY_SCOPE", "\(name) is a number up to \(most)")
            }
            return number
        }
        let limit = try number("limit", Self.mostRecords, 25)
        let offset = try number("offset", Self.mostRecords, 0)
        let recent = RecentRecords(database: queries.database)
        let seen = try view.kind == .recent ? recent.ids(of: call.userID) : nil
        let page = try queries.run("\(view.query(of: seen)) LIMIT \(limit) OFFSET \(offset)", call)
        let records = (try? JSONValue(parsing: page))?["records"]?.array ?? []
        let rows = records.map { record in
            let columns = (record.object ?? [:]).filter { $0.key != "attributes" }.map { name, value in
                ["fieldNameOrPath": JSONValue(name), "value": value.text] as JSONValue
            }
            return ["columns": JSONValue(JSONArray(columns))] as JSONValue
        }
        return .json(value: [
            "columns": columns(view), "developerName": JSONValue(view.developerName), "done": true,
            "id": JSONValue(view.id(in: schema)), "label": JSONValue(view.label),
            "records": JSONValue(JSONArray(rows)), "size": JSONValue(rows.count),
        ])
    }
}

extension JSONValue {
    /// A value as list views show it: a text, or null.
    fileprivate var text: JSONValue {
        if let text = string ?? numberText { return JSONValue(text) }
        return bool.map { JSONValue($0 ? "true" : "false") } ?? .null
    }
}
