// SPDX-License-Identifier: Apache-2.0

package import RestJSON

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
            fields: fields, childRelationships: children)
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
