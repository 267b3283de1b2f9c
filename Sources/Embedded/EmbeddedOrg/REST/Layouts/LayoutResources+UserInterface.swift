// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

extension LayoutResources {
    /// `/ui-api/layout/T`: the layout of an object in the shape of the User Interface API.
    func userInterface(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET")
        guard let object = store.schema.object(named: call.rest[2]) else { throw .unknownObject(call.rest[2]) }
        let type = try choice("layoutType", ["Full", "Compact"], call)
        let mode = try choice("mode", ["View", "Create", "Edit"], call)
        _ = try choice("formFactor", ["Large", "Medium", "Small"], call)
        if let recordType = call.path.parameter("recordTypeId") { try check(recordType, of: object) }
        let fields = object.fields.filter { type == "Compact" ? $0.isNameField : $0.isCreateable || $0.isNameField }
        let rows = fields.map { field -> JSONValue in ["layoutItems": [item(field)]] }
        return .json(value: [
            "id": JSONValue(layoutID(object)), "layoutType": JSONValue(type), "mode": JSONValue(mode),
            "objectApiName": JSONValue(object.name),
            "recordTypeId": JSONValue(call.path.parameter("recordTypeId") ?? Self.recordType), "saveOptions": [],
            "sections": [
                [
                    "collapsible": false, "columns": 1, "heading": JSONValue("\(object.label) Information"),
                    "id": JSONValue(layoutID(object)), "layoutRows": JSONValue(JSONArray(rows)),
                    "rows": JSONValue(rows.count), "useHeading": false,
                ]
            ],
        ])
    }

    /// A parameter with these values, the first one by default.
    private func choice(_ name: String, _ values: [String], _ call: RESTRouter.Call) throws(OrgFault) -> String {
        guard let given = call.path.parameter(name) else { return values[0] }
        guard let known = values.first(where: { $0.lowercased() == given.lowercased() }) else {
            throw OrgFault(
                400, "ILLEGAL_QUERY_PARAMETER_VALUE", "\(name) is one of \(values.joined(separator: ", "))")
        }
        return known
    }

    private func item(_ field: FieldSchema) -> JSONValue {
        [
            "editableForNew": JSONValue(field.isCreateable), "editableForUpdate": JSONValue(field.isUpdateable),
            "label": JSONValue(field.label),
            "layoutComponents": [
                [
                    "apiName": JSONValue(field.name), "componentType": "Field", "label": JSONValue(field.label),
                ]
            ], "lookupIdApiName": nil, "required": JSONValue(!field.isNillable), "sortable": false,
        ]
    }
}
