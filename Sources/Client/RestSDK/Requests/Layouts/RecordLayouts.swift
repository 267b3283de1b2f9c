// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// How pages of an object's records are laid out, for each record type.
public struct RecordLayouts: Sendable, Hashable {
    /// One cell of a page.
    public struct Item: Sendable, Hashable {
        /// What stands beside it.
        public let label: String
        /// The fields in it: one, several of a compound field, or none of a blank.
        public let fields: [String]
        /// Whether it must be filled in.
        public let isRequired: Bool
        /// Whether it can be filled in for a new record, and changed.
        public let isEditableForNew: Bool, isEditableForUpdate: Bool

        init(_ value: JSONValue, at place: String) {
            label = value["label"]?.string ?? ""
            fields = (value["layoutComponents"]?.array ?? []).compactMap { component in
                component["type"]?.string == "Field" ? component["value"]?.string : nil
            }
            isRequired = value.flag("required")
            (isEditableForNew, isEditableForUpdate) = (value.flag("editableForNew"), value.flag("editableForUpdate"))
        }
    }

    /// A part of a page under a heading.
    public struct Section: Sendable, Hashable {
        /// The heading.
        public let heading: String
        /// The cells, row by row.
        public let rows: [[Item]]

        init(_ value: JSONValue, at place: String) throws(RestError) {
            heading = value["heading"]?.string ?? ""
            rows = try value.list("layoutRows") { (row, _) throws(RestError) in
                try row.list("layoutItems", Item.init)
            }
        }
    }

    /// A list of children on a page.
    public struct RelatedList: Sendable, Hashable {
        /// The relationship's name.
        public let name: String
        /// The heading.
        public let label: String
        /// The object of the children; `nil` where the server does not say.
        public let object: String?

        init(_ value: JSONValue, at place: String) throws(RestError) {
            name = try value.required("name", at: place)
            label = value["label"]?.string ?? name
            object = value["sobject"]?.string
        }
    }

    /// A page.
    public struct Layout: Sendable, Hashable {
        /// Its id; `nil` for one that the platform makes.
        public let id: String?
        /// The sections for looking at a record, and for changing it.
        public let detailSections: [Section], editSections: [Section]
        /// The lists of children below.
        public let relatedLists: [RelatedList]

        init(_ value: JSONValue, at place: String) throws(RestError) {
            id = value["id"]?.string
            detailSections = try value.list("detailLayoutSections", Section.init)
            editSections = try value.list("editLayoutSections", Section.init)
            relatedLists = try value.list("relatedLists", RelatedList.init)
        }
    }

    /// What belongs to a record type.
    public struct Mapping: Sendable, Hashable {
        /// The record type.
        public let recordType: ObjectDescription.RecordType
        /// The id of its layout.
        public let layoutID: String?
        /// The choices of its picklists, by the fields' names; empty where the server does not tell.
        public let picklists: [String: [ObjectDescription.PicklistValue]]

        init(_ value: JSONValue, at place: String) throws(RestError) {
            recordType = try ObjectDescription.RecordType(value, at: place)
            layoutID = value["layoutId"]?.string
            let lists = try value.list("picklistsForRecordType") { (list, inner) throws(RestError) in
                let values = try list.list("picklistValues", ObjectDescription.PicklistValue.init)
                return (try list.required("picklistName", at: "\(place).\(inner)"), values)
            }
            picklists = Dictionary(lists) { first, _ in first }
        }
    }

    /// The layouts.
    public let layouts: [Layout]
    /// Which of them each record type has, with its picklists.
    public let mappings: [Mapping]

    init(_ response: RestResponse) throws(RestError) {
        layouts = try response.list("layouts", of: "list of layouts", Layout.init)
        mappings = try response.object(of: "list of layouts").list("recordTypeMappings", Mapping.init)
    }
}

extension RecordLayouts {
    /// What stands at the top of a record, where there is little room.
    public struct Compact: Sendable, Hashable {
        /// Its id; `nil` for the one that the platform makes.
        public let id: String?
        /// The name for code, and for people.
        public let name: String, label: String
        /// What it shows, in order.
        public let items: [RecordLayouts.Item]

        init(_ value: JSONValue, at place: String) throws(RestError) {
            id = value["id"]?.string
            name = value["name"]?.string ?? ""
            label = value["label"]?.string ?? name
            guard value["fieldItems"]?.array != nil else {
                throw RestError(.decoding, "\(place).fieldItems: must be a list")
            }
            items = try value.list("fieldItems", RecordLayouts.Item.init)
        }
    }
}

extension RestRequest {
    /// How pages of an object's records are laid out; the payload has `layouts` and `recordTypeMappings`.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - recordType: the id of a record type, whose layout alone is given then; `nil` for all.
    /// - Returns: the request.
    public static func layouts(of type: String, recordType: String? = nil) -> RestRequest {
        let request = RestRequest(
            name: "layouts",
            resource: .data(["sobjects", type, "describe", "layouts"] + [recordType].compactMap(\.self))
        ).requiring(type, "type")
        return recordType.map { request.requiringID($0, "recordType") } ?? request
    }

    /// What stands at the top of an object's records; the payload has `compactLayouts`.
    public static func compactLayouts(of type: String) -> RestRequest {
        RestRequest(name: "compactLayouts", resource: .data(["sobjects", type, "describe", "compactLayouts"]))
            .requiring(type, "type")
    }

    /// The compact layouts that the user sees of several objects; the payload has one for each name.
    public static func primaryCompactLayouts(of types: [String]) -> RestRequest {
        RestRequest(
            name: "primaryCompactLayouts", resource: .data(["compactLayouts"]),
            query: [QueryItem("q", types.joined(separator: ","))]
        ).requiring(types.joined(), "types")
    }
}

extension RestClient {
    /// How pages of an object's records are laid out, for each record type.
    public func layouts(of type: String) async throws(RestError) -> RecordLayouts {
        try await answer(.layouts(of: type), by: RecordLayouts.init)
    }

    /// What stands at the top of an object's records, in all ways that the org has.
    public func compactLayouts(of type: String) async throws(RestError) -> [RecordLayouts.Compact] {
        try await content(of: .compactLayouts(of: type)) { (response) throws(RestError) in
            try response.list("compactLayouts", of: "list of compact layouts", RecordLayouts.Compact.init)
        }
    }

    /// The compact layouts that the user sees of several objects, by the objects' names.
    public func primaryCompactLayouts(of types: [String]) async throws(RestError) -> [String: RecordLayouts.Compact] {
        try await content(of: .primaryCompactLayouts(of: types)) { (response) throws(RestError) in
            guard let json = response.payload.dictionary else {
                throw RestError(notAnAnswerTo: "list of compact layouts", response)
            }
            var layouts: [String: RecordLayouts.Compact] = [:]
            for (name, value) in json { layouts[name] = try RecordLayouts.Compact(value, at: name.bounded) }
            return layouts
        }
    }
}
