// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLStore
import SOQLSyntax

/// The records of one object that a subset contains, as a condition that the server evaluates, or as the parents or
/// children of the records of another part.
struct SubsetPart: Sendable, Hashable {
    /// The part whose records determine the records of this one.
    struct Source: Sendable, Hashable {
        /// The index of the part in the subset, which precedes this part.
        let part: Int
        /// The reference from a child to its parent.
        let field: String
        /// Whether this part has the children, and the other part their parents.
        let isOfChildren: Bool
        /// The other condition of the children.
        let condition: String?
    }

    let object: String
    /// The fields to read, without those of every record.
    var fields: [String]
    /// The condition in SOQL, or `nil` for all records.
    ///
    /// If the part has a source, the condition only identifies the part, because the server does not evaluate it.
    let condition: String?
    /// Whether a record can enter or leave the part without a change of its own, so only its ids show that.
    let followsOthers: Bool
    /// The source of a part that is read by ids, because Salesforce rejects its condition.
    var source: Source?
}

/// A query that describes a subset of the org, divided into one part for each object.
///
/// The query can select fields, fields of parents, and lists of children, to any depth. Each relationship becomes a
/// part of its own, so that a change of a child is found although its parent did not change.
struct SubsetQuery: Sendable {
    private(set) var parts: [SubsetPart] = []
    private let schema: Schema

    /// The objects from which a semi-join cannot select.
    private static let unjoinable: Set = [
        "ActivityHistory", "Attachment", "Event", "EventAttendee", "Note", "OpenActivity", "Task",
    ]

    /// Parses a subset.
    ///
    /// - Throws: ``SyncError/Code/subset`` for a query that does not describe a subset, or that needs objects or fields
    ///   which the schema lacks.
    init(_ text: String, _ schema: Schema) throws(SyncError) {
        self.schema = schema
        let query = try Self.parsed(text)
        let object = try self.object(query.from.path.last)
        try Self.check(query)
        parts.append(
            SubsetPart(
                object: object.name, fields: [], condition: query.where.map(\.text),
                followsOthers: query.where?.followsOthers ?? false))
        try add(query.select, of: object, to: 0)
    }

    /// Returns the text of a query with the keywords and spaces of the printer, which identifies a subset.
    static func canonical(_ text: String) -> String { (try? SOQLQuery(parsing: text))?.text ?? text }

    static func parsed(_ text: String) throws(SyncError) -> SOQLQuery {
        do throws(SOQLSyntaxError) {
            return try SOQLQuery(parsing: text)
        } catch {
            throw SyncError(.subset, "\(error.message) at \(error.position.offset)")
        }
    }

    private static func check(_ query: SOQLQuery) throws(SyncError) {
        let isPlain =
            query.from.path.parts.count == 1 && query.from.alias == nil && query.joined.isEmpty && query.scope == nil
            && query.with.isEmpty && query.groupBy.isEmpty && query.having == nil && query.limit == nil
            && query.offset == nil && query.usage == nil && query.statistics.isEmpty && query.apexClauses.isEmpty
        guard isPlain else {
            throw SyncError(
                .subset,
                "a subset is a query of SELECT, FROM, WHERE and ORDER BY without aliases; remove the other clauses")
        }
    }

    private func object(_ name: String) throws(SyncError) -> SObjectSchema {
        guard let object = schema.object(named: name) else {
            throw SyncError(.subset, "the schema lacks the object '\(name.prefix(100))'; add its description")
        }
        return object
    }

    /// Adds the fields, parents and children that a select list needs to the part of its records.
    private mutating func add(
        _ items: [SOQLSelectItem], of object: SObjectSchema, to position: Int
    ) throws(SyncError) {
        for item in items {
            switch item {
            case .field(.path(let path), alias: nil):
                try add(path.parts[...], of: object, to: position)
            case .fields(let group):
                let fields = object.fields.filter { field in
                    field.isColumn && (group.value == .all || field.description.isCustom == (group.value == .custom))
                }
                for field in fields { parts[position].add(field.name) }
            case .children(let children, alias: nil):
                try add(children.query, childrenOf: object, at: position)
            default:
                throw SyncError(.subset, "a subset selects fields, fields of parents and lists of children")
            }
        }
    }

    private mutating func add(
        _ path: ArraySlice<String>, of object: SObjectSchema, to position: Int
    ) throws(SyncError) {
        guard has(path, object), let first = path.first else {
            throw SyncError(
                .subset,
                "\(object.name) has no field '\(path.joined(separator: ".").prefix(100))' of its own or of a parent in "
                    + "the schema")
        }
        if let field = object.field(named: first), path.count == 1 {
            if field.type.isCompound {
                for component in field.components { parts[position].add(component.field) }
            } else if field.isColumn || field.type == .base64 {
                parts[position].add(field.name)
            }
        } else if let reference = object.referenceField(ofRelationship: first) {
            parts[position].add(reference.name)
            for name in reference.referenceTo {
                guard let parent = schema.object(named: name), has(path.dropFirst(), parent) else { continue }
                let condition = parts[position].condition.map { " WHERE \($0)" } ?? ""
                let source = SubsetPart.Source(
                    part: position, field: reference.name, isOfChildren: false, condition: nil)
                let next = part(
                    of: parent, "Id IN (SELECT \(reference.name) FROM \(object.name)\(condition))", source)
                try add(path.dropFirst(), of: parent, to: next)
            }
        }
    }

    /// Whether an object has a field, or a parent that has it.
    private func has(_ path: ArraySlice<String>, _ object: SObjectSchema) -> Bool {
        guard let first = path.first, path.count > 1 else {
            return path.first.map { object.field(named: $0) != nil } ?? false
        }
        return object.referenceField(ofRelationship: first)?.referenceTo.contains { name in
            schema.object(named: name).map { has(path.dropFirst(), $0) } ?? false
        } ?? false
    }

    private mutating func add(
        _ query: SOQLQuery, childrenOf object: SObjectSchema, at position: Int
    ) throws(SyncError) {
        try Self.check(query)
        guard let relationship = object.childRelationship(named: query.from.path.last) else {
            throw SyncError(
                .subset, "\(object.name) has no child relationship '\(query.from.path.text.prefix(100))'")
        }
        let child = try self.object(relationship.object)
        let field = relationship.field
        let condition = parts[position].condition
        let link = condition.map { "\(field) IN (SELECT Id FROM \(object.name) WHERE \($0))" } ?? "\(field) != null"
        let own = query.where.map { " AND (\($0.text))" } ?? ""
        let source = SubsetPart.Source(
            part: position, field: field, isOfChildren: true, condition: query.where.map(\.text))
        let next = part(of: child, link + own, source)
        try add(query.select, of: child, to: next)
        parts[next].add(field)
    }

    /// Returns the index of the part with a condition, which is read by ids if Salesforce rejects the condition.
    private mutating func part(of object: SObjectSchema, _ condition: String, _ source: SubsetPart.Source) -> Int {
        if let known = parts.firstIndex(where: { $0.object == object.name && $0.condition == condition }) {
            return known
        }
        let other = parts[source.part]
        // A semi-join selects from another object than its query, and has no semi-join.
        let isValid =
            other.object != object.name && !Self.unjoinable.contains(other.object) && !Self.hasJoin(other.condition)
            && !Self.hasJoin(source.condition)
        let hasNone = source.isOfChildren && other.condition == nil
        parts.append(
            SubsetPart(
                object: object.name, fields: [], condition: condition, followsOthers: true,
                source: isValid || hasNone ? nil : source))
        return parts.count - 1
    }

    private static func hasJoin(_ condition: String?) -> Bool {
        guard let condition, let query = try? SOQLQuery(parsing: "SELECT Id FROM Account WHERE \(condition)") else {
            return false
        }
        return query.where?.hasJoin ?? false
    }
}

extension SubsetPart {
    /// Whether both parts have the same records.
    func isSame(as other: SubsetPart) -> Bool { object == other.object && condition == other.condition }

    fileprivate mutating func add(_ field: String) {
        if !fields.contains(field) { fields.append(field) }
    }
}

extension SOQLCondition {
    /// Whether the condition depends on other records or on the present time.
    var followsOthers: Bool {
        switch self {
        case .not(let condition): condition.followsOthers
        case .and(let conditions), .or(let conditions): conditions.contains(where: \.followsOthers)
        case .comparison(let comparison): comparison.followsOthers
        }
    }

    /// Whether the condition has a semi-join, which selects from another query.
    fileprivate var hasJoin: Bool {
        switch self {
        case .not(let condition): condition.hasJoin
        case .and(let conditions), .or(let conditions): conditions.contains(where: \.hasJoin)
        case .comparison(let comparison): if case .query = comparison.right { true } else { false }
        }
    }
}

extension SOQLComparison {
    fileprivate var followsOthers: Bool {
        if left.path?.parts.count != 1 { return true }
        switch right {
        case .query: return true
        case .pattern: return false
        case .literal(let value): return value.isFormula
        case .list(let values): return values.contains(where: \.isFormula)
        }
    }
}

extension SOQLValue {
    fileprivate var isFormula: Bool { if case .formula = literal { true } else { false } }
}
