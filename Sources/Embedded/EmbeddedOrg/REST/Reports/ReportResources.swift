// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestTransport

/// `/analytics/reports`: one table for each object with an owner, which shows all of its records.
struct ReportResources {
    let queries: QueryResources

    /// A report that is run at once has no more rows, as on the platform.
    private static let mostRows = 2_000
    private static let prefix = "00O"

    private struct Report {
        let object: SObjectSchema
        let id: String

        var name: String { "All \(object.labelPlural)" }

        /// The name, and the first few fields that say most.
        var columns: [FieldSchema] {
            let others = object.fields.filter {
                !$0.isNameField && $0.isCreateable
                    && [.string, .picklist, .currency, .double, .date, .email, .phone].contains($0.type)
            }
            return Array((object.fields.filter(\.isNameField) + others).prefix(6))
        }

        func column(_ field: FieldSchema) -> String { "\(object.name).\(field.name)" }
    }

    private var reports: [Report] {
        queries.compiler.schema.objects.enumerated().filter { $1.field(named: "OwnerId") != nil }.map {
            number, object in
            Report(object: object, id: RecordID.make(prefix: Self.prefix, number: Int64(number + 1)))
        }
    }

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard call.rest.count > 1, call.rest[1] == "reports" else { throw .notFound }
        guard call.rest.count > 2 else {
            try call.allow("GET")
            return .json(value: JSONValue(JSONArray(reports.map { summary($0, call) })))
        }
        let id = RecordID.normalized(call.rest[2])
        guard let report = reports.first(where: { $0.id == id }) else {
            throw OrgFault(404, "NOT_FOUND", "There is no report '\(call.rest[2].prefix(100))'")
        }
        switch call.rest.count {
        case 3:
            try call.allow("GET", "POST")
            return .json(value: try run(report, call))
        case 4 where call.rest[3] == "describe":
            try call.allow("GET")
            return .json(value: JSONValue(description(report)))
        default: throw .notFound
        }
    }

    private func summary(_ report: Report, _ call: RESTRouter.Call) -> JSONValue {
        let path = "\(call.version.path)/analytics/reports/\(report.id)"
        return [
            "describeUrl": JSONValue(path + "/describe"), "id": JSONValue(report.id), "name": JSONValue(report.name),
            "url": JSONValue(path),
        ]
    }

    private func description(_ report: Report) -> JSONObject {
        let columns = report.columns
        let names = columns.map { JSONValue(report.column($0)) }
        let details = columns.map { field -> (key: String, value: JSONValue) in
            let about: JSONValue = ["dataType": JSONValue(field.type.rawValue), "label": JSONValue(field.label)]
            return (key: report.column(field), value: about)
        }
        return [
            "reportExtendedMetadata": [
                "aggregateColumnInfo": ["RowCount": ["dataType": "int", "label": "Record Count"]],
                "detailColumnInfo": JSONValue(JSONObject(members: details)), "groupingColumnInfo": [:],
            ],
            "reportMetadata": [
                "aggregates": ["RowCount"], "detailColumns": JSONValue(JSONArray(names)),
                "developerName": JSONValue("All_\(report.object.name)"), "groupingsAcross": [], "groupingsDown": [],
                "id": JSONValue(report.id), "name": JSONValue(report.name), "reportFilters": [],
                "reportFormat": "TABULAR",
                "reportType": [
                    "label": JSONValue(report.object.labelPlural), "type": JSONValue("\(report.object.name)List"),
                ],
            ],
        ]
    }

    private func run(_ report: Report, _ call: RESTRouter.Call) throws(OrgFault) -> JSONValue {
        let includesDetails = call.path.parameter("includeDetails")?.lowercased() != "false"
        let columns = report.columns
        let names = (["Id"] + columns.map(\.name)).joined(separator: ", ")
        let text = "SELECT \(names) FROM \(report.object.name) ORDER BY Id LIMIT \(Self.mostRows + 1)"
        let page = try JSONValue(page: try queries.run(text, RESTRouter.Call(call, rest: ["query"])))
        let records = page["records"]?.array ?? []
        let total = page["totalSize"]?.int.flatMap { Int(outside: $0, in: .count) } ?? 0
        let rows = records.prefix(Self.mostRows).map { record -> JSONValue in
            let cells = columns.map { field -> JSONValue in
                let value = record[field.name] ?? .null
                // A name leads to its record.
                let link = field.isNameField ? record["Id"] ?? .null : value
                return ["label": JSONValue(value.string ?? value.numberText ?? "-"), "value": link]
            }
            return ["dataCells": JSONValue(JSONArray(cells))]
        }
        let count = min(total, Self.mostRows)
        var json = description(report)
        json["allData"] = JSONValue(total <= Self.mostRows)
        json["factMap"] = [
            "T!T": [
                "aggregates": [["label": JSONValue("\(count)"), "value": JSONValue(count)]],
                "rows": includesDetails ? JSONValue(JSONArray(rows)) : [],
            ]
        ]
        json["groupingsAcross"] = ["groupings": []]
        json["groupingsDown"] = ["groupings": []]
        json["hasDetailRows"] = JSONValue(includesDetails)
        return JSONValue(json)
    }
}

extension JSONValue {
    /// A page that this process has written.
    fileprivate init(page: [UInt8]) throws(OrgFault) {
        do throws(JSONError) {
            try self.init(parsing: page)
        } catch {
            throw .notFound
        }
    }
}
