// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON

/// Parses the JSON of a schema into a list of types.
struct AvroSchemaParser {
    /// The maximum length of the JSON text, in bytes.
    private static let maximumBytes = 4 << 20
    /// The maximum number of types, including each use of a primitive type.
    private static let maximumTypes = 20_000
    /// The maximum number of types inside one another.
    private static let maximumDepth = 64
    /// The maximum number of types in a union, because a writer may try all of them for a value.
    private static let maximumBranches = 64
    /// The maximum length of a name, a symbol or a namespace, in bytes.
    private static let maximumNameBytes = 512

    /// The schema so far, in which a record whose fields are being parsed has none.
    private var schema = AvroSchema()
    /// The types with names, by their full names.
    private var named: [String: AvroSchema.ID] = [:]
    private var path = AvroPath()
    private var depth = 0

    mutating func parse(_ text: String) throws(AvroError) -> AvroSchema {
        guard text.utf8.count <= Self.maximumBytes else { throw path.error(.tooLarge) }
        let json: JSONValue
        // A record inside a record takes four levels of JSON: fields, a field, its type, and the type in a union.
        let depth = JSONDocument.Limits(maximumDepth: 4 * Self.maximumDepth + 4)
        do { json = try JSONValue(parsing: text, limits: depth) } catch {
            throw path.error(error.reason == .tooDeep ? .tooDeep : .invalidJSON)
        }
        schema.root = try type(json, namespace: "")
        return schema
    }

    // MARK: - Types

    private mutating func type(_ json: JSONValue, namespace: String) throws(AvroError) -> AvroSchema.ID {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maximumDepth else { throw path.error(.tooDeep) }
        if let name = json.string { return try reference(name, namespace) }
        if let branches = json.array { return try union(branches, namespace) }
        guard let kind = json["type"] else { throw path.error(.invalidSchema) }
        guard let name = kind.string else { return try type(kind, namespace: namespace) }
        switch name {
        case "record", "error": return try record(json, namespace)
        case "enum": return try enumeration(json, namespace)
        case "fixed":
            guard let number = json["size"]?.int, let size = Int(outside: number, in: .count), size <= 1 << 30 else {
                throw path.error(.invalidSchema)
            }
            let name = try fullName(json, namespace)
            return try define(name.full, as: AvroSchema.Kind(form: .fixed, count: size))
        case "array":
            guard let items = json["items"] else { throw path.error(.invalidSchema) }
            return try add(AvroSchema.Kind(form: .array, first: try type(items, namespace: namespace)))
        case "map":
            guard let values = json["values"] else { throw path.error(.invalidSchema) }
            return try add(AvroSchema.Kind(form: .map, first: try type(values, namespace: namespace)))
        default:
            let id = try reference(name, namespace)
            if let logical = json["logicalType"]?.string { markTime(id, logical) }
            return id
        }
    }

    /// A primitive type, or a type that was defined before.
    private mutating func reference(_ name: String, _ namespace: String) throws(AvroError) -> AvroSchema.ID {
        if let primitive = AvroSchema.Form.primitive(name) { return try add(AvroSchema.Kind(form: primitive)) }
        let full = name.utf8.contains(UInt8(ascii: ".")) || namespace.isEmpty ? name : "\(namespace).\(name)"
        // A name of the root namespace is also found from inside another one, as other implementations do.
        guard let id = named[full] ?? named[name] else { throw path.error(.unknownType) }
        return id
    }

    private mutating func union(_ branches: JSONArray, _ namespace: String) throws(AvroError) -> AvroSchema.ID {
        guard !branches.isEmpty else { throw path.error(.invalidSchema) }
        guard branches.count <= Self.maximumBranches else { throw path.error(.tooLarge) }
        var ids: [AvroSchema.ID] = []
        var labels: Set<String> = []
        for branch in branches {
            let id = try type(branch, namespace: namespace)
            // Two types without a name, or a name twice, would make the branch of a value ambiguous.
            guard let label = label(of: id) else { throw path.error(.invalidSchema) }
            guard labels.insert(label).inserted else { throw path.error(.repeatedName) }
            ids.append(id)
        }
        if ids.count == 2, let null = ids.firstIndex(where: { schema.types[$0].form == .null }) {
            return try add(AvroSchema.Kind(form: .nullable, first: ids[1 - null], nullBranch: null))
        }
        schema.branches += ids
        return try add(AvroSchema.Kind(form: .union, first: schema.branches.count - ids.count, count: ids.count))
    }

    /// A text that differs for all types of a valid union, or `nil` for a union.
    private func label(of id: AvroSchema.ID) -> String? {
        switch schema.types[id].form.base {
        case .record, .enumeration, .fixed: "named \(id)"
        case .union, .nullable: nil
        case let form: form.rawValue
        }
    }

    private mutating func record(_ json: JSONValue, _ outer: String) throws(AvroError) -> AvroSchema.ID {
        guard let list = json["fields"]?.array else { throw path.error(.invalidSchema) }
        let name = try fullName(json, outer)
        let id = try define(name.full, as: AvroSchema.Kind(form: .record))
        var fields: [AvroSchema.Member] = []
        var positions: [String: Int] = [:]
        for json in list {
            guard let field = json["name"]?.string, isName(field), let type = json["type"] else {
                throw path.error(.invalidSchema)
            }
            path.steps.append(.name(field))
            guard positions.updateValue(fields.count, forKey: field) == nil else { throw path.error(.repeatedName) }
            let id = try self.type(type, namespace: name.space)
            if let documentation = json["doc"]?.string { markTime(id, of: documentation) }
            fields.append(AvroSchema.Member(name: field, type: id, defaultValue: json["default"]))
            path.steps.removeLast()
        }
        add(fields, positions, to: id)
        return id
    }

    private mutating func add(_ members: [AvroSchema.Member], _ positions: [String: Int], to id: AvroSchema.ID) {
        let form = schema.types[id].form
        schema.types[id] = AvroSchema.Kind(form: form, first: schema.members.count, count: members.count)
        schema.members += members
        schema.positions[id] = positions
    }

    /// Gives a `long` the logical type of a time if the documentation of the field has the form `Data:DateTime:…`.
    ///
    /// An org describes a date or a time only in this way. Its numbers are milliseconds.
    private mutating func markTime(_ id: AvroSchema.ID, of documentation: String) {
        let parts = documentation.split(byte: ":", maxSplits: 2)
        let times: [(String, AvroSchema.Form)] = [
            ("DateTime", .timestampMillis), ("DateOnly", .dateMillis), ("TimeOnly", .timeMillis),
        ]
        guard parts.count > 1, let form = times.first(where: { parts[1].hasSameBytes(as: $0.0) })?.1 else { return }
        for id in [id] + schema.branches(of: id) where schema.types[id].form == .long { schema.types[id].form = form }
    }

    /// Gives a number the meaning of a logical type, if it is one of the number's type.
    private mutating func markTime(_ id: AvroSchema.ID, _ logical: String) {
        guard let form = AvroSchema.Form(rawValue: logical), form.base == schema.types[id].form else { return }
        schema.types[id].form = form
    }

    private mutating func enumeration(_ json: JSONValue, _ outer: String) throws(AvroError) -> AvroSchema.ID {
        guard let list = json["symbols"]?.array, !list.isEmpty else { throw path.error(.invalidSchema) }
        let name = try fullName(json, outer)
        var symbols: [AvroSchema.Member] = []
        var positions: [String: Int] = [:]
        for json in list {
            guard let symbol = json.string, isName(symbol) else { throw path.error(.invalidSchema) }
            guard positions.updateValue(symbols.count, forKey: symbol) == nil else { throw path.error(.repeatedName) }
            symbols.append(AvroSchema.Member(name: symbol, type: 0, defaultValue: nil))
        }
        guard symbols.count + schema.types.count <= Self.maximumTypes else { throw path.error(.tooLarge) }
        let id = try define(name.full, as: AvroSchema.Kind(form: .enumeration))
        add(symbols, positions, to: id)
        return id
    }

    private mutating func add(_ kind: AvroSchema.Kind) throws(AvroError) -> AvroSchema.ID {
        guard schema.types.count < Self.maximumTypes else { throw path.error(.tooLarge) }
        schema.types.append(kind)
        return schema.types.count - 1
    }

    // MARK: - Names

    private mutating func define(_ name: String, as kind: AvroSchema.Kind) throws(AvroError) -> AvroSchema.ID {
        guard named[name] == nil else { throw path.error(.repeatedName) }
        let id = try add(kind)
        named[name] = id
        return id
    }

    /// The full name of a definition, and the namespace of the names inside the definition.
    private func fullName(_ json: JSONValue, _ outer: String) throws(AvroError) -> (full: String, space: String) {
        guard let name = json["name"]?.string else { throw path.error(.invalidSchema) }
        guard name.utf8.count <= Self.maximumNameBytes else { throw path.error(.tooLarge) }
        if let cut = name.cut(lastByte: ".") {
            guard isNamespace(String(cut.before)), isName(String(cut.after)) else { throw path.error(.invalidSchema) }
            return (name, String(cut.before))
        }
        let space = json["namespace"]?.string ?? outer
        guard isName(name), AvroSchema.Form.primitive(name) == nil, space.isEmpty || isNamespace(space) else {
            throw path.error(.invalidSchema)
        }
        return (space.isEmpty ? name : "\(space).\(name)", space)
    }

    private func isNamespace(_ text: String) -> Bool {
        text.utf8.count <= Self.maximumNameBytes
            && text.split(byte: ".", omittingEmptySubsequences: false).allSatisfy { isName(String($0)) }
    }

    /// Whether a string is a letter or an underscore, and then letters, digits and underscores.
    private func isName(_ text: String) -> Bool {
        guard text.utf8.count <= Self.maximumNameBytes, let first = text.utf8.first, !ASCII.isDigit(first) else {
            return false
        }
        return text.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    }
}
