// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

extension Endpoint where Self == RestRequest {
    /// Lists the list views of an object.
    public static func listViews(of type: String) -> RestRequest {
        listView("listViews", type, [])
    }

    /// Describes a list view by its columns and the query of its records.
    ///
    /// - Parameters:
    ///   - id: the list view's id, or its developer name.
    ///   - type: the object's name.
    /// - Returns: the request.
    public static func describeListView(_ id: String, of type: String) -> RestRequest {
        listView("describeListView", type, [id, "describe"]).requiring(id, "id")
    }

    /// Reads the records of a list view, in the form in which it shows them.
    ///
    /// - Parameters:
    ///   - id: the list view's id, or its developer name.
    ///   - type: the object's name.
    ///   - limit: the maximum number of rows, at most ``RestRequest/maximumListViewRows``.
    ///   - offset: the number of rows to skip, at most ``RestRequest/maximumListViewRows``.
    /// - Returns: the request.
    public static func listViewResults(
        _ id: String, of type: String, limit: Int? = nil, offset: Int? = nil
    ) -> RestRequest {
        var request = listView("listViewResults", type, [id, "results"]).requiring(id, "id")
        for (name, value, least) in [("limit", limit, 1), ("offset", offset, 0)] {
            guard let value else { continue }
            let range = least...RestRequest.maximumListViewRows
            request.query.append(.init(name, "\(value)"))
            request = request.refused(
                name, range.contains(value) ? nil : "must be a number from \(least) to \(range.upperBound)")
        }
        return request
    }

    private static func listView(_ name: String, _ type: String, _ path: [String]) -> RestRequest {
        RestRequest(name: name, resource: .data(["sobjects", type, "listviews"] + path)).requiring(type, "type")
    }
}

extension RestRequest {
    /// The maximum number of rows of a list view that one call can return, and that it can skip.
    public static let maximumListViewRows = 2_000
}

extension Endpoint where Self == RestRequest {
    /// Lists the reports that the user viewed recently, as an array in the payload.
    public static var reports: RestRequest { RestRequest(name: "reports", resource: .data(["analytics", "reports"])) }

    /// Describes a report by its columns, filters and groups.
    public static func describeReport(_ id: String) -> RestRequest {
        RestRequest(name: "describeReport", resource: .data(["analytics", "reports", id, "describe"])).requiringID(id)
    }

    /// Runs a report and waits for its result.
    ///
    /// - Parameters:
    ///   - id: the report's id.
    ///   - includesDetails: whether the result includes the rows in addition to the totals.
    /// - Returns: the request.
    public static func runReport(_ id: String, includesDetails: Bool = true) -> RestRequest {
        RestRequest(
            name: "runReport", resource: .data(["analytics", "reports", id]),
            query: [.init("includeDetails", "\(includesDetails)")]
        ).requiringID(id)
    }
}

extension Endpoint where Self == RestRequest {
    /// Lists the quick actions of an object, or the global quick actions, as an array in the payload.
    public static func quickActions(of type: String? = nil) -> RestRequest {
        quickAction("quickActions", .get, type, [])
    }

    /// Describes a quick action by its type and the object of its record.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the action's object, or `nil` for a global action.
    /// - Returns: the request.
    public static func describeQuickAction(_ name: String, of type: String? = nil) -> RestRequest {
        quickAction("describeQuickAction", .get, type, [name, "describe"]).requiring(name, "name")
    }

    /// Reads the default values of the fields of a quick action.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the action's object, or `nil` for a global action.
    ///   - id: the id of the record that the action applies to, or `nil`.
    /// - Returns: the request.
    public static func quickActionDefaults(
        _ name: String, of type: String? = nil, for id: String? = nil
    ) -> RestRequest {
        quickAction("quickActionDefaults", .get, type, [name, "defaultValues"] + [id].compactMap(\.self))
            .requiring(name, "name").requiringID(id)
    }

    /// Performs a quick action, with a save result as the payload.
    ///
    /// - Parameters:
    ///   - name: the action's name.
    ///   - type: the action's object, or `nil` for a global action.
    ///   - id: the id of the record that the action applies to, or `nil`.
    ///   - fields: the fields of the record that the action creates or updates.
    /// - Returns: the request.
    public static func performQuickAction(
        _ name: String, of type: String? = nil, for id: String? = nil, _ fields: JSONObject
    ) -> RestRequest {
        var body: JSONObject = ["record": JSONValue(fields)]
        if let id { body["contextId"] = JSONValue(id) }
        return quickAction("performQuickAction", .post, type, [name]).requiring(name, "name")
            .json(JSONValue(body)).requiringID(id)
    }

    private static func quickAction(
        _ name: String, _ method: HTTPMethod, _ type: String?, _ path: [String]
    ) -> RestRequest {
        let base = type.map { ["sobjects", $0, "quickActions"] } ?? ["quickActions"]
        return RestRequest(name: name, method: method, resource: .data(base + path)).requiring(type, "type")
    }
}

extension Endpoint where Self == RestRequest {
    /// Reads the page layouts of an object, as `layouts` and `recordTypeMappings` in the payload.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - recordType: the id of a record type, or `nil` for all record types.
    /// - Returns: the request.
    public static func layouts(of type: String, recordType: String? = nil) -> RestRequest {
        RestRequest(
            name: "layouts",
            resource: .data(["sobjects", type, "describe", "layouts"] + [recordType].compactMap(\.self))
        ).requiring(type, "type").requiringID(recordType, "recordType")
    }

    /// Reads the compact layouts of an object, which are shown at the top of its records, as `compactLayouts` in the
    /// payload.
    public static func compactLayouts(of type: String) -> RestRequest {
        RestRequest(name: "compactLayouts", resource: .data(["sobjects", type, "describe", "compactLayouts"]))
            .requiring(type, "type")
    }

    /// Reads the compact layouts of several objects for the user, by object name in the payload.
    public static func primaryCompactLayouts(of types: [String]) -> RestRequest {
        RestRequest(
            name: "primaryCompactLayouts", resource: .data(["compactLayouts"]),
            query: [RestRequest.QueryItem("q", types.joined(separator: ","))]
        ).requiring(types.joined(), "types")
    }
}
