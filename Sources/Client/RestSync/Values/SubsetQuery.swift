// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLStore
import SOQLSyntax

/// The records of one object that a subset contains, as a condition that the server evaluates.
struct SubsetPart: Sendable, Hashable {
    let object: String
    /// The fields to read, without those of every record.
    var fields: [String]
    /// The condition in SOQL, or `nil` for all records.
    let condition: String?
    /// Whether a record can enter or leave the part without a change of its own, so only its ids show that.
    let followsOthers: Bool
}

/// A query that describes a subset of the org, divided into one part for each object.
///
/// The query can select fields, fields of direct parents, and lists of direct children. Each of them becomes a part
/// with its own condition, so that a change of a child is found although its parent did not change.
struct SubsetQuery: Sendable {
    private(set) var parts: [SubsetPart] = []
    private let schema: Schema

    /// Parses a subset.
    ///
    /// - Throws: ``SyncError/Code/subset`` for a query that does not describe a subset, or that needs objects or fields
    ///   which the schema lacks.
    init(_ text: String, _ schema: Schema) throws(SyncError) {
        self.schema = schema
        let query = try Self.parsed(text)
        let object = try self.object(query.from.path.last)
        let condition = query.where.map(\.text)
        try Self.check(query, isChild: false)
        let follows = query.where?.followsOthers ?? false
        try add(query.select, of: object, condition, follows, isChild: false)
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

    private static func check(_ query: SOQLQuery, isChild: Bool) throws(SyncError) {
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

    private mutating func add(
        _ items: [SOQLSelectItem], of object: SObjectSchema, _ condition: String?, _ follows: Bool, isChild: Bool
    ) throws(SyncError) {
        let position = parts.count
        parts.append(SubsetPart(object: object.name, fields: [], condition: condition, followsOthers: follows))
        for item in items {
            switch item {
            case .field(.path(let path), alias: nil):
                try add(path, of: object, condition, to: position)
            case .fields(let group):
                let fields = object.fields.filter { field in
                    field.isColumn && (group.value == .all || field.description.isCustom == (group.value == .custom))
                }
                for field in fields { parts[position].add(field.name) }
            case .children(let children, alias: nil) where !isChild:
                try add(children.query, childrenOf: object, condition)
            default:
                throw SyncError(
                    .subset,
                    "a subset selects fields, fields of direct parents and lists of direct children; pull what is "
                        + "deeper as a subset of its own")
            }
        }
    }

    private mutating func add(
        _ path: SOQLPath, of object: SObjectSchema, _ condition: String?, to position: Int
    ) throws(SyncError) {
        switch path.parts.count {
        case 1:
            guard let field = object.field(named: path.last) else { throw unknown(path, of: object) }
            if field.type.isCompound {
                for component in field.components { parts[position].add(component.field) }
            } else if field.isColumn || field.type == .base64 {
                parts[position].add(field.name)
            }
        case 2:
            guard let reference = object.referenceField(ofRelationship: path.parts[0]) else {
                throw unknown(path, of: object)
            }
            parts[position].add(reference.name)
            let parents = reference.referenceTo.compactMap { schema.object(named: $0) }
                .filter { $0.field(named: path.last) != nil }
            guard !parents.isEmpty else { throw unknown(path, of: object) }
            for parent in parents {
                let source = condition.map { " WHERE \($0)" } ?? ""
                let ids = "Id IN (SELECT \(reference.name) FROM \(object.name)\(source))"
                let known = parts.firstIndex { $0.object == parent.name && $0.condition == ids }
                if known == nil {
                    parts.append(
                        SubsetPart(object: parent.name, fields: [], condition: ids, followsOthers: true))
                }
                if let field = parent.field(named: path.last), field.isColumn {
                    parts[known ?? parts.count - 1].add(field.name)
                }
            }
        default: throw unknown(path, of: object)
        }
    }

    private mutating func add(
        _ query: SOQLQuery, childrenOf object: SObjectSchema, _ condition: String?
    ) throws(SyncError) {
        try Self.check(query, isChild: true)
        guard let relationship = object.childRelationship(named: query.from.path.last) else {
            throw SyncError(
                .subset, "\(object.name) has no child relationship '\(query.from.path.text.prefix(100))'")
        }
        let child = try self.object(relationship.object)
        let field = relationship.field
        let link = condition.map { "\(field) IN (SELECT Id FROM \(object.name) WHERE \($0))" } ?? "\(field) != null"
        let own = query.where.map { " AND (\($0.text))" } ?? ""
        try add(
            query.select + [.field(.path(SOQLPath([field])), alias: nil)], of: child, link + own, true, isChild: true)
    }

    private func unknown(_ path: SOQLPath, of object: SObjectSchema) -> SyncError {
        SyncError(
            .subset,
            "\(object.name) has no field '\(path.text.prefix(100))' of its own or of a direct parent in the schema")
    }
}

extension SubsetPart {
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
