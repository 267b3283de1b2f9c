// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON
import RestText

/// How an app looks: tabs, colours, the menu, compact layouts of several objects, and processes.
struct AppearanceResources {
    let store: RecordStore

    private var schema: Schema { store.schema }

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        let rest = call.rest
        switch (rest[0], rest.count) {
        case ("tabs", 1):
            try call.allow("GET")
            return .json(value: JSONValue(JSONArray(shown.map { tab($0, call.version) })))
        case ("theme", 1):
            try call.allow("GET")
            let items = shown.map { object -> JSONValue in
                ["colors": [color], "icons": [], "name": JSONValue(object.name)]
            }
            return .json(value: ["themeItems": JSONValue(JSONArray(items))])
        case ("compactLayouts", 1):
            try call.allow("GET")
            return try compactLayouts(call)
        case ("appMenu", 1):
            try call.allow("GET")
            return .json(value: [
                "AppSwitcher": JSONValue("\(call.version.path)/appMenu/AppSwitcher"),
                "NetworkTabs": JSONValue("\(call.version.path)/appMenu/NetworkTabs"),
                "Salesforce1": JSONValue("\(call.version.path)/appMenu/Salesforce1"),
            ])
        case ("appMenu", 2) where ["AppSwitcher", "Salesforce1", "NetworkTabs"].contains(rest[1]):
            try call.allow("GET")
            return .json(value: ["appMenuItems": []])
        case ("process", 2...): return try ProcessResources(schema: schema).answer(call)
        default: throw .notFound
        }
    }

    /// The objects that have tabs.
    private var shown: [SObjectSchema] {
        schema.objects.filter {
            ["Account", "Contact", "Lead", "Opportunity", "Case", "Campaign", "Product2"].contains($0.name)
        }
    }

    private var color: JSONValue { ["color": "1589EE", "context": "primary", "theme": "theme4"] }

    private func tab(_ object: SObjectSchema, _ version: APIVersion) -> JSONValue {
        [
            "colors": [color], "custom": false, "iconUrl": nil, "icons": [], "label": JSONValue(object.labelPlural),
            "miniIconUrl": nil, "name": JSONValue("standard-\(object.name)"), "sobjectName": JSONValue(object.name),
            "url": JSONValue("/\(object.keyPrefix)/o"),
        ]
    }

    private func compactLayouts(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        guard let names = call.path.parameter("q"), !names.isEmpty else {
            throw OrgFault(400, "MISSING_ARGUMENT", "The parameter q with the names of objects is missing")
        }
        var layouts: JSONObject = [:]
        for name in names.split(byte: ",").prefix(100) {
            guard let object = schema.object(named: String(name)) else { throw .unknownObject(String(name)) }
            layouts[object.name] = LayoutResources(store: store).compactLayout(object)
        }
        return .json(value: JSONValue(layouts))
    }
}
