// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestJSON

/// The layouts of records: full, compact, and those of approvals.
///
/// The org has one layout for each object, made of its fields.
struct LayoutResources {
    let store: RecordStore

    private var schema: Schema { store.schema }

    static let recordType = "012000000000000AAA"

    /// `/sobjects/Global/describe/layouts`; `nil` for the resources of an object.
    func global(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse? {
        switch call.rest.dropFirst().map({ $0 }) {
        case ["Global", "describe", "layouts"]:
            try call.allow("GET")
            return .json(value: ["layouts": [], "recordTypeMappings": [], "recordTypeSelectorRequired": [false]])
        default: return nil
        }
    }

    func answer(_ call: RESTRouter.Call, _ object: SObjectSchema) throws(OrgFault) -> ServerResponse {
        guard (4...5).contains(call.rest.count) else { throw .notFound }
        try call.allow("GET")
        let given = call.rest.count > 4 ? call.rest[4] : nil
        let urls = self.urls(object, call.version)
        switch call.rest[3] {
        case "layouts":
            guard let given else {
                return .json(value: [
                    "layouts": [layout(object)],
                    "recordTypeMappings": [
                        [
                            "active": true, "available": true, "defaultRecordTypeMapping": true,
                            "developerName": "Master", "layoutId": JSONValue(layoutID(object)), "master": true,
                            "name": "Master", "picklistsForRecordType": nil,
                            "recordTypeId": JSONValue(Self.recordType), "urls": urls,
                        ]
                    ], "recordTypeSelectorRequired": [false],
                ])
            }
            try check(given, of: object)
            return .json(value: layout(object))
        case "namedLayouts":
            guard let given else { throw OrgFault(404, "NOT_FOUND", "The name of a layout must follow namedLayouts") }
            throw OrgFault(404, "NOT_FOUND", "\(object.name) has no layout named '\(given.prefix(100))'")
        case "compactLayouts":
            guard let given else {
                return .json(value: [
                    "compactLayouts": [compactLayout(object)], "defaultCompactLayoutId": nil,
                    "recordTypeCompactLayoutMappings": [
                        [
                            "available": true, "compactLayoutId": nil, "compactLayoutName": "SYSTEM",
                            "recordTypeId": JSONValue(Self.recordType), "recordTypeName": "Master", "urls": urls,
                        ]
                    ],
                    "urls": [
                        "primary": JSONValue(
                            "\(call.version.path)/sobjects/\(object.name)/describe/compactLayouts/primary")
                    ],
                ])
            }
            if given != "primary" { try check(given, of: object) }
            return .json(value: compactLayout(object))
        case "approvalLayouts":
            guard given == nil else {
                throw OrgFault(
                    404, "NOT_FOUND", "\(object.name) has no approval process '\((given ?? "").prefix(100))'")
            }
            return .json(value: ["approvalLayouts": []])
        default: throw .notFound
        }
    }

    /// The master record type, or one of the object's own.
    func check(_ recordType: String, of object: SObjectSchema) throws(OrgFault) {
        guard RecordID.normalized(recordType) != Self.recordType else { return }
        guard let types = schema.object(named: "RecordType"), let field = types.field(named: "SobjectType"),
            (try? store.text(field, recordType, of: types)) == object.name
        else {
            throw OrgFault(
                404, "NOT_FOUND",
                "\(object.name) has no record type '\(recordType.prefix(100))'; that of all is \(Self.recordType)")
        }
    }

    private func urls(_ object: SObjectSchema, _ version: APIVersion) -> JSONValue {
        ["layout": JSONValue("\(version.path)/sobjects/\(object.name)/describe/layouts/\(Self.recordType)")]
    }

    func layoutID(_ object: SObjectSchema) -> String {
        let position = schema.objects.firstIndex { $0.name == object.name } ?? 0
        return RecordID.make(prefix: "00h", number: Int64(position + 1))
    }

    /// A page with two columns of fields.
    private func layout(_ object: SObjectSchema) -> JSONValue {
        let fields = object.fields.filter { $0.isCreateable || $0.isNameField }
        let rows = stride(from: 0, to: fields.count, by: 2).map { start -> JSONValue in
            let items = fields[start..<min(start + 2, fields.count)].map(item)
            return ["layoutItems": JSONValue(JSONArray(items)), "numItems": JSONValue(items.count)]
        }
        let section: JSONValue = [
            "collapsed": false, "columns": 2, "heading": JSONValue("\(object.label) Information"),
            "layoutRows": JSONValue(JSONArray(rows)), "layoutSectionId": nil,
            "parentLayoutId": JSONValue(layoutID(object)),
            "rows": JSONValue(rows.count), "tabOrder": "LeftToRight", "useCollapsibleSection": false,
            "useHeading": true,
        ]
        let lists = object.childRelationships.map { child -> JSONValue in
            [
                "buttons": [], "columns": [], "custom": false, "field": JSONValue(child.field),
                "label": JSONValue(child.name), "limitRows": 5, "name": JSONValue(child.name),
                "sobject": JSONValue(child.childObject), "sort": [],
            ]
        }
        return [
            "buttonLayoutSection": ["detailButtons": []], "detailLayoutSections": [section],
            "editLayoutSections": [section], "feedView": nil, "highlightsPanelLayoutSection": nil,
            "id": JSONValue(layoutID(object)), "multirowEditLayoutSections": [], "offlineLinks": [],
            "quickActionList": ["quickActionListItems": []], "relatedContent": nil,
            "relatedLists": JSONValue(JSONArray(lists)), "saveOptions": [],
        ]
    }

    private func item(_ field: FieldSchema) -> JSONValue {
        [
            "editableForNew": JSONValue(field.isCreateable), "editableForUpdate": JSONValue(field.isUpdateable),
            "label": JSONValue(field.label),
            "layoutComponents": [
                [
                    "details": [
                        "label": JSONValue(field.label), "name": JSONValue(field.name),
                        "type": JSONValue(field.type.rawValue),
                    ],
                    "displayLines": 1, "tabOrder": 1, "type": "Field", "value": JSONValue(field.name),
                ]
            ], "placeholder": false, "required": JSONValue(!field.isNillable),
        ]
    }

    /// What stands at the top of a record: its name.
    func compactLayout(_ object: SObjectSchema) -> JSONValue {
        let fields = object.fields.filter(\.isNameField)
        return [
            "actions": [], "fieldItems": JSONValue(JSONArray(fields.map(item))), "id": nil, "imageItems": [],
            "label": "System Default", "name": "SYSTEM", "objectType": JSONValue(object.name),
        ]
    }
}
