// SPDX-License-Identifier: Apache-2.0

import RestBase
import SOQLSyntax

/// One FROM, and the paths that begin there.
final class CheckScope {
    let check: QueryCheck
    /// `nil` when it is not known, so that no field of it is.
    let object: QuerySchema.Object?
    private let prefixes: SOQLPathPrefixes
    /// The children that FROM joins, by their path in lower case.
    private var joinedChildren: [String: Row] = [:]
    /// What relationships lead to, found before.
    private var parents: [String: Row?] = [:]
    private var followed = 0

    /// What a relationship leads to: records of one of several objects.
    struct Row {
        let objects: [QuerySchema.Object]
        /// Whether the relationship can lead to several objects.
        var isPolymorphic = false
        /// Whether only the fields that all objects have in common are there.
        var isName = false
        var key = ""
        /// The names of the objects that it can lead to, those that the schema lacks too.
        var references: [String] = []

        /// Whether it can lead to an object that the schema does not have.
        func lacks(_ name: String) -> Bool {
            references.contains { $0.lowercased() == name.lowercased() }
        }
    }

    /// A path while it is being followed.
    struct Way {
        let path: SOQLPath
        /// The names from the object in FROM on.
        let parts: [String]

        /// Where a name of the parts was written; the start of the path for those that an alias stands for.
        func place(of index: Int) -> SOQLPosition {
            let own = max(0, path.parts.count - parts.count + index)
            let before = path.parts[..<min(own, path.parts.count - 1)]
            var position = path.position
            for part in before {
                position.column += part.unicodeScalars.count + 1
                position.offset += part.utf8.count + 1
            }
            return position
        }

        func length(of index: Int) -> Int { parts[index].unicodeScalars.count }
    }

    init(_ check: QueryCheck, object: QuerySchema.Object?, _ query: SOQLQuery) {
        (self.check, self.object) = (check, object)
        prefixes = SOQLPathPrefixes(query, alsoNamed: object?.name)
        join(query)
    }

    /// The row of the object in FROM; `nil` when it is not known.
    var root: Row? { object.map { Row(objects: [$0]) } }

    /// The names of a path without the object's own name or alias in front.
    func relativeParts(of path: SOQLPath) -> [String] { prefixes.relativeParts(of: path) }

    /// The field that a path leads to; `nil` when it is not known, which is noted where it is a fault.
    func resolve(_ path: SOQLPath) -> Operand? { resolve(relativeParts(of: path), below: root, path) }

    /// The field that names lead to from a row.
    func resolve(_ parts: [String], below row: Row?, _ path: SOQLPath) -> Operand? {
        let way = Way(path: path, parts: parts)
        guard let parent = parent(way, count: parts.count - 1, below: row) else { return nil }
        return field(of: parent, way)
    }

    // MARK: Relationships

    /// The row that the first relationships of a way lead to.
    func parent(_ way: Way, count: Int, below row: Row?) -> Row? {
        guard count <= 5 else {
            check.add(
                .limits, "a path leads at most 5 relationships up: '\(way.path.text.shortened)'", at: way.path.position)
            return nil
        }
        return (0..<count).reduce(row) { row, index in row.flatMap { follow(way, index, from: $0) } }
    }

    private func follow(_ way: Way, _ index: Int, from row: Row) -> Row? {
        let key = "\(row.key).\(way.parts[index].lowercased())"
        if let joined = joinedChildren[key] { return joined }
        if let known = parents[key] { return known }
        let found = parent(way, index, of: row, key)
        parents[key] = .some(found)
        return found
    }

    private func parent(_ way: Way, _ index: Int, of row: Row, _ key: String) -> Row? {
        let name = way.parts[index]
        // What the object Name leads to is described nowhere.
        if row.isName, ["profile", "userrole"].contains(name.lowercased()) { return nil }
        guard !row.isName, let origin = row.objects.first, let reference = origin.referenceField(ofRelationship: name)
        else {
            check.add(
                .unknownRelationship, Message.unknownRelationship(name.shortened, in: "field path"),
                at: way.place(of: index), length: way.length(of: index), near: name,
                row.isName ? [] : (row.objects.first?.fields.compactMap(\.relationshipName) ?? []))
            return nil
        }
        count(way)
        let objects = objects(of: reference, way)
        if check.isSecurityEnforced, reference.referenceTo.count > 1 {
            check.add(
                .misplaced,
                "WITH SECURITY_ENFORCED does not go through the polymorphic field \(reference.name); use WITH USER_MODE",
                at: way.path.position)
        }
        guard !objects.isEmpty else { return nil }
        return Row(
            objects: objects, isPolymorphic: reference.isPolymorphic, isName: reference.referenceTo.count > 1, key: key,
            references: reference.referenceTo)
    }

    /// The objects that a reference leads to; of several it is enough that the schema has one.
    private func objects(of reference: QuerySchema.Field, _ way: Way) -> [QuerySchema.Object] {
        let known = reference.referenceTo.compactMap { check.schema?.object(named: $0) }
        guard known.isEmpty else { return known }
        return reference.referenceTo.compactMap { check.target($0, of: way.path) }
    }

    private func count(_ way: Way) {
        followed += 1
        guard followed == 56 else { return }
        check.add(.limits, "a query follows at most 55 child-to-parent relationships", at: way.path.position)
    }

    // MARK: Fields

    private func field(of row: Row, _ way: Way) -> Operand? {
        let (index, name) = (way.parts.count - 1, way.parts.last ?? "")
        let (place, length) = (way.place(of: index), way.length(of: index))
        if row.isPolymorphic, name.lowercased() == "type" {
            return Operand(field: nil, name: "Type", kind: .text, position: place, length: length)
        }
        if row.isName {
            guard let kind = NameFields.kind(of: name) else { return unknownField(name, "Name", NameFields.all, way) }
            return Operand(
                field: nil, references: name.lowercased() == "id" ? row.references : [], name: name, kind: kind,
                position: place, length: length)
        }
        guard let object = row.objects.first else { return nil }
        guard let field = object.field(named: name) else {
            return unknownField(name, object.name, object.fields.map(\.name), way)
        }
        return Operand(
            field: field, object: object.name, references: field.type == "id" ? [object.name] : field.referenceTo,
            name: field.name, kind: field.kind, position: place, length: length)
    }

    private func unknownField(_ name: String, _ entity: String, _ known: [String], _ way: Way) -> Operand? {
        let index = way.parts.count - 1
        check.add(
            .unknownField, Message.unknownField(name.shortened, of: entity), at: way.place(of: index),
            length: way.length(of: index), near: name, known)
        return nil
    }

    // MARK: FROM

    /// Joins what FROM names beside the object: parents under names of their own, and children.
    private func join(_ query: SOQLQuery) {
        var aliases = Set([query.from.alias?.text.lowercased()].compactMap(\.self))
        for source in query.joined {
            if let alias = source.alias, !aliases.insert(alias.text.lowercased()).inserted {
                check.add(.duplicate, "duplicate alias: \(alias.text.shortened)", at: alias.position)
            }
            join(source)
        }
    }

    private func join(_ source: SOQLSource) {
        guard let object, let root else { return }
        let way = Way(path: source.path, parts: relativeParts(of: source.path))
        if way.parts.count == 1, object.referenceField(ofRelationship: way.parts[0]) == nil,
            object.childRelationship(named: way.parts[0]) == nil
        {
            return check.add(
                .unknownRelationship,
                """
                A driving SObject type has already been set, all other entity types in the FROM clause must be \
                relationships to the initial object. The driving object is \(object.name).
                """, at: source.path.position)
        }
        let last = way.parts.count - 1
        guard let origin = parent(way, count: last, below: root), let parent = origin.objects.first else { return }
        guard !origin.isName, let children = parent.childRelationship(named: way.parts[last]) else {
            _ = follow(way, last, from: origin)
            return
        }
        let key = "\(origin.key).\(way.parts[last].lowercased())"
        joinedChildren[key] = Row(
            objects: check.target(children.childObject, of: source.path).map { [$0] } ?? [], key: key)
    }
}

/// The fields of the object Name, which stands for whatever a polymorphic reference leads to.
enum NameFields {
    static let all = [
        "Id", "Name", "Type", "FirstName", "LastName", "Email", "Phone", "Title", "Alias", "Username", "IsActive",
        "ProfileId", "UserRoleId",
    ]

    /// The name as the platform spells it; `nil` when there is no such field.
    static func spelling(of name: String) -> String? { all.first { $0.lowercased() == name.lowercased() } }

    /// What a field holds; `nil` when there is none of that name.
    static func kind(of name: String) -> ValueKind? {
        guard let field = spelling(of: name) else { return nil }
        return field == "IsActive" ? .boolean : field.hasBytes(suffix: "Id") ? .id : .text
    }
}

extension CheckScope {
    /// Where an expression stands, which decides what functions it may have.
    enum ExpressionUse {
        case condition, having, ordering, grouping, selection
        case groupedOrdering, groupedSelection

        var allowsAggregates: Bool { self == .having || self == .groupedOrdering || self == .groupedSelection }
        var isSelection: Bool { self == .selection || self == .groupedSelection }
    }

    /// A field, a function or an aggregate.
    func operand(_ expression: SOQLExpression, _ use: ExpressionUse) -> Operand? {
        switch expression {
        case .path(let path): return resolve(path)
        case .call(let call):
            if let aggregate = call.aggregate { return self.aggregate(aggregate, call, use) }
            if let function = DateFunction(rawValue: call.function.uppercased()) { return apply(function, call) }
            if let function = PrintFunction(rawValue: call.function.uppercased()) { return apply(function, call, use) }
            return unsupported(call)
        case .distance(let distance): return self.distance(distance, use)
        }
    }

    private func unsupported(_ call: SOQLCall) -> Operand? {
        check.add(
            .misplaced, "the function \(call.function.shortened)() is not supported here", at: call.position)
        return nil
    }

    /// Notes a fault of a call, whose function is to blame.
    private func refuse(_ rule: Rule, _ call: SOQLCall, _ message: String) -> Operand? {
        check.add(rule, message, at: call.position, length: call.function.unicodeScalars.count)
        return nil
    }

    // MARK: Aggregates and dates

    private func aggregate(_ aggregate: SOQLAggregate, _ call: SOQLCall, _ use: ExpressionUse) -> Operand? {
        guard use.allowsAggregates else {
            return refuse(.misplaced, call, "the aggregate \(aggregate.rawValue)() is not allowed in this clause")
        }
        guard case .path(let path)? = call.argument else {
            return refuse(.misplaced, call, "\(aggregate.rawValue)() takes one field")
        }
        let operand = resolve(path)
        guard operand.map({ aggregate.accepts($0) }) ?? true else {
            let name = operand?.name ?? path.text
            return refuse(
                .notAggregatable, call, "field \(name) does not support aggregate operator \(aggregate.rawValue)")
        }
        return Operand(
            field: operand?.field, object: operand?.object, references: operand?.references ?? [],
            name: operand?.name ?? path.last, kind: aggregate.kind(of: operand), isColumn: false,
            position: call.position, length: call.function.unicodeScalars.count)
    }

    private func apply(_ function: DateFunction, _ call: SOQLCall) -> Operand? {
        guard let argument = call.argument else {
            return refuse(.misplaced, call, "\(function.rawValue)() takes one field")
        }
        guard let operand = dateArgument(argument) else { return nil }
        guard operand.kind.map({ function.accepts($0) }) ?? true else {
            return refuse(.wrongArgument, call, "\(function.rawValue)() cannot be applied to \(operand.name)")
        }
        return operand.applying(function.kind, at: call.position)
    }

    /// The argument of a date function: a field in UTC, or in the user's time zone.
    private func dateArgument(_ argument: SOQLExpression) -> Operand? {
        switch argument {
        case .path(let path): return resolve(path)
        case .call(let call):
            guard call.function.uppercased() == "CONVERTTIMEZONE", case .path(let path)? = call.argument else {
                return unsupported(call)
            }
            guard let operand = resolve(path) else { return nil }
            guard operand.kind ?? .dateTime == .dateTime else {
                return refuse(
                    .wrongArgument, call, "convertTimezone() takes a dateTime field, not \(operand.name)")
            }
            return operand.applying(.dateTime, at: call.position)
        case .distance(let distance):
            check.add(.misplaced, "a function of dates does not take DISTANCE()", at: distance.position, length: 8)
            return nil
        }
    }

    // MARK: Printing

    /// A function of a field; of one below a certain row, if a row is given.
    func apply(_ function: PrintFunction, _ call: SOQLCall, _ use: ExpressionUse, below row: Row? = nil) -> Operand? {
        guard function == .label || use.isSelection else {
            return refuse(
                .misplaced, call, "the function \(call.function)() is allowed in the select list only")
        }
        guard function != .format else { return formatted(call, use, row) }
        guard case .path(let path)? = call.argument else {
            return function == .label
                ? unsupported(call) : refuse(.misplaced, call, "convertCurrency() takes one field")
        }
        let operand = if let row { resolve(path.parts, below: row, path) } else { resolve(path) }
        guard let operand else { return nil }
        if function == .label, operand.kind ?? .text != .text {
            return refuse(.wrongArgument, call, "toLabel() takes a picklist, not \(operand.name)")
        }
        if function == .currency, operand.field?.type ?? "currency" != "currency" {
            return refuse(
                .wrongArgument, call, "convertCurrency() takes a currency field, not \(operand.name)")
        }
        return function == .label ? operand : operand.applying(.real, at: call.position)
    }

    private func formatted(_ call: SOQLCall, _ use: ExpressionUse, _ row: Row?) -> Operand? {
        guard let argument = call.argument else { return refuse(.misplaced, call, "FORMAT() takes one field") }
        let operand = if let row { self.operand(argument, below: row) } else { self.operand(argument, use) }
        guard let operand else { return nil }
        if let kind = operand.kind, ![.integer, .real, .date, .dateTime].contains(kind) {
            return refuse(
                .wrongArgument, call, "FORMAT() takes a number, a date or a currency field, not \(operand.name)")
        }
        return operand.applying(.text, at: call.position)
    }

    /// A field below a certain row, or a function that prints it.
    func operand(_ expression: SOQLExpression, below row: Row) -> Operand? {
        switch expression {
        case .path(let path): return resolve(path.parts, below: row, path)
        case .call(let call):
            guard let function = PrintFunction(rawValue: call.function.uppercased()) else { return unsupported(call) }
            return apply(function, call, .selection, below: row)
        case .distance(let distance):
            check.add(.misplaced, "DISTANCE() is not allowed inside TYPEOF", at: distance.position, length: 8)
            return nil
        }
    }

    // MARK: Distances

    private func distance(_ distance: SOQLDistance, _ use: ExpressionUse) -> Operand? {
        guard [.selection, .condition, .ordering].contains(use) else {
            check.add(.misplaced, "DISTANCE() is not allowed in a query for groups", at: distance.position, length: 8)
            return nil
        }
        // bounded: by the check that follows
        if abs(distance.latitude.double) > 90 || abs(distance.longitude.double) > 180 {
            check.add(
                .outsideRange, "a latitude is between -90 and 90, and a longitude between -180 and 180",
                at: distance.position, length: 8)
        }
        guard let operand = resolve(distance.field) else { return nil }
        guard operand.kind ?? .compound == .compound else {
            check.add(
                .wrongArgument,
                "DISTANCE() takes a geolocation or an address, not \(distance.field.text.shortened)",
                at: distance.field.position)
            return nil
        }
        return operand.applying(.real, at: distance.position)
    }
}
