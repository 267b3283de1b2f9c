// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// What an org tells of an object: its fields, picklists, relationships and record types.
public struct ObjectDescription: Sendable, Hashable {
    /// A relationship seen from its parent: `Account.Contacts` is `Contact.AccountId`.
    public struct ChildRelationship: Sendable, Hashable {
        /// The name in child queries, such as `Contacts`; `nil` for one that queries cannot name.
        public let name: String?
        /// The object of the children.
        public let object: String
        /// The children's field that holds the parent's id.
        public let field: String
        /// Whether children go with their parent when it is deleted.
        public let isCascadeDelete: Bool
    }

    /// A record type that the user may see.
    public struct RecordType: Sendable, Hashable {
        /// Its id.
        public let id: String
        /// The name for people.
        public let name: String
        /// The name for code; `Master` for the one that every object has.
        public let developerName: String
        /// Whether it is in use.
        public let isActive: Bool
        /// Whether the user may make records of it.
        public let isAvailable: Bool
        /// Whether new records of the user get it.
        public let isDefault: Bool
        /// Whether it is the one that every object has.
        public let isMaster: Bool
    }

    /// What both kinds of descriptions tell.
    public let summary: ObjectDescription.Summary
    /// The fields, in the server's order.
    public let fields: [ObjectDescription.Field]
    /// The relationships that lead to children.
    public let childRelationships: [ChildRelationship]
    /// The record types.
    public let recordTypes: [RecordType]
    /// All that the server told.
    public let json: JSONObject

    private let positions: [String: Int]

    /// The object's name.
    public var name: String { summary.name }

    /// The field of that name, in any case.
    public subscript(field: String) -> ObjectDescription.Field? {
        positions[field.lowercased()].map { fields[$0] }
    }

    /// The relationship to children of that name, in any case.
    public func childRelationship(named name: String) -> ChildRelationship? {
        childRelationships.first { $0.name?.lowercased() == name.lowercased() }
    }

    /// The relationship to a parent of that name (`Owner` is the field `OwnerId`), in any case.
    public func parentField(named relationship: String) -> ObjectDescription.Field? {
        fields.first { $0.relationshipName?.lowercased() == relationship.lowercased() }
    }

    /// Reads a description.
    ///
    /// - Throws: ``RestError/Code/decoding`` with the place of the first thing that is none of a description.
    public init(_ json: JSONObject) throws(RestError) {
        self.json = json
        let root = JSONValue(json)
        summary = try ObjectDescription.Summary(root, at: "the description")
        fields = try root.list("fields", ObjectDescription.Field.init)
        childRelationships = try root.list("childRelationships", ChildRelationship.init)
        recordTypes = try root.list("recordTypeInfos", RecordType.init)
        positions = Dictionary(fields.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in first }
    }

    /// Whether both are the same description.
    public static func == (left: ObjectDescription, right: ObjectDescription) -> Bool { left.json == right.json }

    /// Adds the description.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(summary)
        hasher.combine(fields.count)
    }
}

extension ObjectDescription {
    /// What an org tells of each of its objects in one list.
    public struct Summary: Sendable, Hashable {
        /// The name, such as `Account`.
        public let name: String
        /// The name for people, of one record and of several.
        public let label: String, labelPlural: String
        /// The three characters that each id begins with; `nil` for objects without ids of their own.
        public let keyPrefix: String?
        /// Whether the org or a package added it.
        public let isCustom: Bool
        /// What the user may do.
        public let isCreateable: Bool, isUpdateable: Bool, isDeletable: Bool, isUndeletable: Bool
        /// What queries and searches may do.
        public let isQueryable: Bool, isSearchable: Bool, isRetrieveable: Bool

        init(_ value: JSONValue, at place: String) throws(RestError) {
            name = try value.required("name", at: place)
            label = value["label"]?.string ?? name
            labelPlural = value["labelPlural"]?.string ?? name
            keyPrefix = value["keyPrefix"]?.string
            isCustom = value.flag("custom")
            isCreateable = value.flag("createable")
            isUpdateable = value.flag("updateable")
            isDeletable = value.flag("deletable")
            isUndeletable = value.flag("undeletable")
            isQueryable = value.flag("queryable")
            isSearchable = value.flag("searchable")
            isRetrieveable = value.flag("retrieveable")
        }
    }
}

extension ObjectDescription.ChildRelationship {
    init(_ value: JSONValue, at place: String) throws(RestError) {
        name = value["relationshipName"]?.string
        object = try value.required("childSObject", at: place)
        field = try value.required("field", at: place)
        isCascadeDelete = value.flag("cascadeDelete")
    }
}

extension ObjectDescription.RecordType {
    init(_ value: JSONValue, at place: String) throws(RestError) {
        id = try value.required("recordTypeId", at: place)
        name = value["name"]?.string ?? ""
        developerName = value["developerName"]?.string ?? name
        isActive = value["active"]?.bool ?? true
        isAvailable = value.flag("available")
        isDefault = value.flag("defaultRecordTypeMapping")
        isMaster = value.flag("master")
    }
}

extension RestResponse {
    /// The object that the answer is.
    ///
    /// - Throws: ``RestError/Code/decoding`` for an answer of another shape.
    func object(of what: String) throws(RestError) -> JSONValue {
        guard let json = payload.dictionary else { throw RestError(notAnAnswerTo: what, self) }
        return JSONValue(json)
    }

    /// The elements of a list in the answer, each read with its place.
    ///
    /// - Parameters:
    ///   - name: the name of the list in the answer.
    ///   - what: what the request asked for.
    ///   - read: reads an element.
    /// - Returns: the elements.
    /// - Throws: ``RestError/Code/decoding`` for an answer without such a list, and what `read` throws.
    func list<Element>(
        _ name: String, of what: String, _ read: (JSONValue, String) throws(RestError) -> Element
    ) throws(RestError) -> [Element] {
        guard let list = payload[name]?.array else {
            throw RestError(notAnAnswerTo: what, self)
        }
        return try JSONValue([name: JSONValue(list)]).list(name, read)
    }
}

extension JSONValue {
    /// A text that must be there.
    func required(_ name: String, at place: String) throws(RestError) -> String {
        guard let text = self[name]?.string else {
            throw RestError(.decoding, "\(place).\(name): must be a text")
        }
        return text
    }

    /// Whether a member is true.
    func flag(_ name: String) -> Bool { self[name]?.bool ?? false }

    /// The elements of a list that may be missing, each read with its place.
    func list<Element>(
        _ name: String, _ read: (JSONValue, String) throws(RestError) -> Element
    ) throws(RestError) -> [Element] {
        guard let value = self[name], !value.isNull else { return [] }
        guard let list = value.array else { throw RestError(.decoding, "\(name): must be a list") }
        var elements: [Element] = []
        for (position, element) in list.enumerated() { elements.append(try read(element, "\(name)[\(position)]")) }
        return elements
    }

    /// A number of things that may be missing; 0 then.
    func size(_ name: String, at place: String) throws(RestError) -> Int {
        guard let value = self[name], !value.isNull else { return 0 }
        guard let size = value.count else { throw RestError(.decoding, "\(place).\(name): is not a possible number") }
        return size
    }
}

extension Endpoint where Self == RestRequest.Typed<ObjectDescription> {
    /// Asks what the org tells of an object: fields, relationships and labels.
    ///
    /// An ``ObjectDescription/Catalog`` asks for each object once.
    ///
    /// - Parameter type: the object's name.
    /// - Returns: the request, which fails with ``RestError/Code/notFound`` for a name that is no object's.
    public static func describe(_ type: String) -> Self {
        Self(
            RestRequest(name: "describe", resource: .data(["sobjects", type, "describe"])).requiring(type, "type"),
            ObjectDescription.init)
    }
}

extension Endpoint where Self == RestRequest.Typed<[ObjectDescription.Summary]> {
    /// Asks for the objects of the org, each in a few words, in the server's order.
    public static var objects: Self {
        Self(RestRequest(name: "objects", resource: .data(["sobjects"])), Content.init(objectsIn:))
    }
}

extension ObjectDescription {
    /// Reads an answer.
    init(_ response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary else { throw RestError(notAnAnswerTo: "describe", response) }
        do throws(RestError) {
            try self.init(json)
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }
}

extension [ObjectDescription.Summary] {
    /// Reads the list of all objects.
    init(objectsIn response: RestResponse) throws(RestError) {
        guard let json = response.payload.dictionary, json["sobjects"]?.array != nil else {
            throw RestError(notAnAnswerTo: "list of objects", response)
        }
        do throws(RestError) {
            self = try JSONValue(json).list("sobjects", ObjectDescription.Summary.init)
        } catch {
            throw RestError(.decoding, error.message, response: response.head, body: response.body)
        }
    }
}
