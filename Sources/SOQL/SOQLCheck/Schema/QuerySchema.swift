// SPDX-License-Identifier: Apache-2.0

package import RestJSON

/// The objects that queries are checked against, as the platform describes them.
///
/// Names are looked up without case, as the platform does.
package struct QuerySchema: Sendable, Hashable {
    /// The objects in the order of their names.
    package let objects: [Object]
    /// Whether the org has no other objects, so that a name that is not here is a fault.
    package let isWhole: Bool
    private let positions: [String: Int]

    /// A schema of these objects.
    ///
    /// - Throws: ``SchemaError`` when two of them have one name, or names that differ in case only.
    package init(objects: [Object]) throws(SchemaError) {
        self.objects = objects.sorted { $0.name.isBefore($1.name) }
        isWhole = false
        var positions: [String: Int] = [:]
        for (position, object) in self.objects.enumerated() {
            if let other = positions.updateValue(position, forKey: object.name.lowercased()) {
                throw SchemaError(
                    message: "two objects have the name \(object.name), one of them as \(self.objects[other].name)",
                    place: object.name)
            }
        }
        self.positions = positions
    }

    /// The schema of all objects of an org, whose names differ.
    package init(whole objects: [Object]) {
        (self.objects, isWhole) = (objects, true)
        positions = Dictionary(objects.enumerated().map { ($1.name.lowercased(), $0) }) { first, _ in first }
    }

    /// The object of that name, any case.
    package func object(named name: String) -> Object? { positions[name.lowercased()].map { objects[$0] } }
}

extension QuerySchema {
    /// One object: its fields, and the relationships that end at it.
    package struct Object: Sendable, Hashable {
        /// The API name.
        package let name: String
        /// The name for people.
        package let label: String
        /// Whether queries can read it.
        package let isQueryable: Bool
        /// The fields; those of a file are in the order of their names.
        package let fields: [Field]
        /// The relationships to children that queries can name; those of a file are in the order of their names.
        package let childRelationships: [ChildRelationship]
        private let positions: [String: Int]
        private let parents: [String: Int]

        package init(
            name: String, label: String, isQueryable: Bool = true, fields: [Field],
            childRelationships: [ChildRelationship]
        ) {
            (self.name, self.label, self.isQueryable) = (name, label, isQueryable)
            (self.fields, self.childRelationships) = (fields, childRelationships)
            let named = self.fields.enumerated()
            positions = Dictionary(named.map { ($1.name.lowercased(), $0) }) { first, _ in first }
            parents = Dictionary(
                named.compactMap { position, field in field.relationshipName.map { ($0.lowercased(), position) } }
            ) { first, _ in first }
        }

        /// The field of that name, any case.
        package func field(named name: String) -> Field? { positions[name.lowercased()].map { fields[$0] } }

        /// The reference field behind a parent relationship (`Owner` → `OwnerId`), any case.
        package func referenceField(ofRelationship name: String) -> Field? {
            parents[name.lowercased()].map { fields[$0] }
        }

        /// The child relationship of that name (`Contacts`), any case.
        package func childRelationship(named name: String) -> ChildRelationship? {
            childRelationships.first { $0.name.lowercased() == name.lowercased() }
        }
    }

    /// A relationship seen from its parent: `Account.Contacts` is `Contact.AccountId`.
    package struct ChildRelationship: Sendable, Hashable {
        /// Its name in child queries.
        package let name: String
        /// The object of the children.
        package let childObject: String
        /// The children's field that holds the parent's id.
        package let field: String

        package init(name: String, childObject: String, field: String) {
            (self.name, self.childObject, self.field) = (name, childObject, field)
        }
    }
}

extension String {
    /// The order of names in a schema: by letters without case, so that no setting of the machine has a say.
    func isBefore(_ other: String) -> Bool {
        let (own, others) = (lowercased(), other.lowercased())
        return own == others ? self < other : own < others
    }
}

extension QuerySchema {
    /// One field of an object.
    package struct Field: Sendable, Hashable {
        /// The API name.
        package let name: String
        /// The name for people.
        package let label: String
        /// What the org tells its users about the field.
        package let help: String?
        /// The type as the describe has it: `picklist`, `datetime`.
        package let type: String
        /// Characters, for text; 0 elsewhere.
        package let length: Int
        /// The digits of a number in all, and behind its point; 0 where there is no limit.
        package let precision: Int, scale: Int
        /// What callers can do: leave it empty, set it in a new record, change it, leave it out of a new record.
        package let isNillable: Bool, isCreateable: Bool, isUpdateable: Bool, isDefaultedOnCreate: Bool
        /// Whether it names its record, is unique, or holds the id of another system.
        package let isNameField: Bool, isUnique: Bool, isExternalID: Bool
        /// Whether the platform computes it, or counts it.
        package let isCalculated: Bool, isAutoNumber: Bool
        /// What queries can do with it.
        package let isFilterable: Bool, isSortable: Bool, isGroupable: Bool, isAggregatable: Bool
        /// The values of a picklist in their order.
        package let picklistValues: [PicklistValue]
        /// Whether values outside the list are refused.
        package let isRestricted: Bool
        /// The objects that an id in this field can point to.
        package let referenceTo: [String]
        /// The name of the relationship to the parent (`Owner` for `OwnerId`).
        package let relationshipName: String?

        package init(
            name: String, label: String, help: String? = nil, type: String, length: Int = 0, precision: Int = 0,
            scale: Int = 0, isNillable: Bool = true, isCreateable: Bool = true, isUpdateable: Bool = true,
            isDefaultedOnCreate: Bool = false, isNameField: Bool = false, isUnique: Bool = false,
            isExternalID: Bool = false, isCalculated: Bool = false, isAutoNumber: Bool = false,
            isFilterable: Bool = true, isSortable: Bool = true, isGroupable: Bool = true, isAggregatable: Bool = true,
            picklistValues: [PicklistValue] = [], isRestricted: Bool = false, referenceTo: [String] = [],
            relationshipName: String? = nil
        ) {
            (self.name, self.label, self.help, self.type) = (name, label, help, type)
            (self.length, self.precision, self.scale) = (length, precision, scale)
            (self.isNillable, self.isCreateable, self.isUpdateable) = (isNillable, isCreateable, isUpdateable)
            (self.isDefaultedOnCreate, self.isNameField, self.isUnique) = (isDefaultedOnCreate, isNameField, isUnique)
            (self.isExternalID, self.isCalculated, self.isAutoNumber) = (isExternalID, isCalculated, isAutoNumber)
            (self.isFilterable, self.isSortable) = (isFilterable, isSortable)
            (self.isGroupable, self.isAggregatable) = (isGroupable, isAggregatable)
            (self.picklistValues, self.isRestricted) = (picklistValues, isRestricted)
            (self.referenceTo, self.relationshipName) = (referenceTo, relationshipName)
        }

        /// What it holds; `nil` for a type that is not known here.
        package var kind: ValueKind? { ValueKind(type: type) }
        /// Whether it can point to records of several objects; a queue can own a record too.
        package var isPolymorphic: Bool { referenceTo.count > 1 || relationshipName == "Owner" }
    }

    /// One value of a picklist.
    package struct PicklistValue: Sendable, Hashable {
        /// The value, as queries and records have it.
        package let value: String
        /// The value for people.
        package let label: String
        /// Whether new records may have it.
        package let isActive: Bool
        /// Whether new records get it.
        package let isDefault: Bool

        package init(value: String, label: String, isActive: Bool, isDefault: Bool) {
            (self.value, self.label, self.isActive, self.isDefault) = (value, label, isActive, isDefault)
        }
    }
}

/// What a field holds, as far as literals and functions are concerned.
package enum ValueKind: Sendable, Hashable {
    case id, text, boolean, integer, real, date, dateTime, time
    /// An address or a place.
    case compound

    /// The kind of a type as the describe has it; `nil` for one that is not known.
    package init?(type: String) {
        switch type.lowercased() {
        case "id", "reference": self = .id
        case "string", "picklist", "multipicklist", "textarea", "email", "phone", "url", "combobox", "encryptedstring",
            "base64":
            self = .text
        case "boolean": self = .boolean
        case "int", "long": self = .integer
        case "double", "currency", "percent": self = .real
        case "date": self = .date
        case "datetime": self = .dateTime
        case "time": self = .time
        case "location", "address": self = .compound
        default: return nil
        }
    }

    /// The type's name in the platform's messages.
    package var name: String {
        switch self {
        case .id, .text: "string"
        case .boolean: "boolean"
        case .integer: "int"
        case .real: "double"
        case .date: "date"
        case .dateTime: "dateTime"
        case .time: "time"
        case .compound: "location"
        }
    }

    /// Whether literals of this kind stand in quotes.
    var isQuoted: Bool { self == .id || self == .text }
}

extension QuerySchema {
    /// The longest schema, in bytes.
    package static let maximumBytes = 256 << 20
    /// What the files of another shape than this would say.
    static let version = 1

    /// Reads a schema: the platform's describe of one object, a list of them, or what ``json`` has written.
    ///
    /// What the SF CLI prints of an object with `--json` is read too.
    ///
    /// - Throws: ``SchemaError`` with the place of the first fault.
    package init(json bytes: [UInt8]) throws(SchemaError) {
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONValue(
                parsing: bytes, limits: JSONLimits(maximumDepth: 64, maximumBytes: Self.maximumBytes))
        } catch {
            throw SchemaError(
                message: "the schema is not JSON: \(error.expected) expected",
                place: "line \(error.line), column \(error.column)", line: error.line, column: error.column)
        }
        try self.init(json: root)
    }

    /// Reads a schema that has been parsed.
    package init(json root: JSONValue) throws(SchemaError) {
        var objects: [Object] = []
        for node in try Self.nodes(of: root) { objects.append(try Object(node)) }
        try self.init(objects: objects)
    }

    private static func nodes(of root: JSONValue) throws(SchemaError) -> [SchemaNode] {
        let top = SchemaNode(value: root, path: "$")
        if let list = root.array { return list.enumerated().map { SchemaNode(value: $1, path: "$[\($0)]") } }
        guard root.object != nil else { throw top.error("it must be the describe of an object, or a list of them") }
        if let version = root["version"], version != JSONValue(Self.version) {
            throw SchemaError(
                message: "the file is of version \(version), and this program reads version \(Self.version)",
                place: "$.version")
        }
        if let list = try top.list("sobjects") { return list }
        if root["fields"] == nil, let result = root["result"], result.object != nil {
            return [SchemaNode(value: result, path: "$.result")]
        }
        return [top]
    }
}

extension QuerySchema.Object {
    init(_ node: SchemaNode) throws(SchemaError) {
        guard node.value.object != nil else { throw node.error("an object's describe must be a JSON object") }
        let name = try node.identifier("name")
        guard let list = try node.list("fields") else {
            throw node.error("\(name) has no 'fields'; use the describe of the object itself, not the list of objects")
        }
        var (fields, names) = ([QuerySchema.Field](), Set<String>())
        for item in list {
            let field = try QuerySchema.Field(item)
            guard names.insert(field.name.lowercased()).inserted else {
                throw item.error("\(name).\(field.name) is described twice; keep one of them")
            }
            fields.append(field)
        }
        var children: [QuerySchema.ChildRelationship] = []
        // Queries cannot name the relationships without a name.
        for item in try node.list("childRelationships") ?? [] {
            guard let relationship = try item.text("relationshipName") else { continue }
            let (object, field) = (try item.required("childSObject"), try item.required("field"))
            children.append(QuerySchema.ChildRelationship(name: relationship, childObject: object, field: field))
        }
        self.init(
            name: name, label: try node.text("label") ?? name, isQueryable: try node.flag("queryable", else: true),
            fields: fields.sorted { $0.name.isBefore($1.name) },
            childRelationships: children.sorted { $0.name.isBefore($1.name) })
    }
}

extension QuerySchema.Field {
    /// What a describe leaves out is as it mostly is: the field is open to everything, and nothing else is true of it.
    init(_ node: SchemaNode) throws(SchemaError) {
        name = try node.identifier("name")
        label = try node.text("label") ?? name
        help = try node.text("inlineHelpText")
        type = try node.required("type")
        length = try node.size("length")
        (precision, scale) = (try node.size("precision"), try node.size("scale"))
        isNillable = try node.flag("nillable", else: true)
        isCreateable = try node.flag("createable", else: true)
        isUpdateable = try node.flag("updateable", else: true)
        isDefaultedOnCreate = try node.flag("defaultedOnCreate", else: false)
        isNameField = try node.flag("nameField", else: false)
        isUnique = try node.flag("unique", else: false)
        isExternalID = try node.flag("externalId", else: false)
        isCalculated = try node.flag("calculated", else: false)
        isAutoNumber = try node.flag("autoNumber", else: false)
        isFilterable = try node.flag("filterable", else: true)
        isSortable = try node.flag("sortable", else: true)
        isGroupable = try node.flag("groupable", else: true)
        // Not every server tells; what cannot be filtered cannot be counted either.
        isAggregatable = try node.flag("aggregatable", else: isFilterable)
        isRestricted = try node.flag("restrictedPicklist", else: false)
        var values: [QuerySchema.PicklistValue] = []
        for item in try node.list("picklistValues") ?? [] { values.append(try QuerySchema.PicklistValue(item)) }
        picklistValues = values
        referenceTo = try node.texts("referenceTo")
        relationshipName = try node.text("relationshipName")
    }
}

extension QuerySchema.PicklistValue {
    init(_ node: SchemaNode) throws(SchemaError) {
        guard let value = try node.text("value") else { throw node.error("a picklist value has no 'value'") }
        self.value = value
        label = try node.text("label") ?? value
        isActive = try node.flag("active", else: true)
        isDefault = try node.flag("defaultValue", else: false)
    }
}
