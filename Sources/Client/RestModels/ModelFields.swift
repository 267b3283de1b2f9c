// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The fields of a model's object, as key paths name them in queries: `\.industry`, `\.owner.name`.
///
/// The whole value selects all fields of the object: `select: \.name, \.owner`.
public protocol ModelFields: ModelSelection {
    /// The model of the fields.
    associatedtype Model: RecordModel
    /// The path from the object of a query to the fields.
    var _path: ModelPath { get }
    /// Creates the fields at a path.
    init(_path: ModelPath)
}

extension ModelFields {
    package static var root: Self { Self(_path: ModelPath(prefix: "")) }

    /// The paths of all fields.
    public var soqlNames: [String] { Model.shape.fields.map { _path.prefix + $0 } }
}

/// The path from the object of a query to one of its parents.
public struct ModelPath: Sendable, Hashable {
    /// The names of the relationships, each followed by a dot.
    let prefix: String

    /// The field with this name at this path.
    public subscript<Value>(name: String) -> ModelField<Value> { ModelField(path: prefix + name) }
    /// The field with this name at this path, if queries can only select it.
    public subscript<Value>(name: String) -> ModelColumn<Value> { ModelColumn(path: prefix + name) }
    /// The parent of a relationship at this path.
    public func parent<Fields: ModelFields>(_ relationship: String) -> Fields {
        Fields(_path: ModelPath(prefix: prefix + relationship + "."))
    }
    /// The children of a relationship at this path.
    public func children<Model: RecordModel>(_ relationship: String) -> ModelChildren<Model> {
        ModelChildren(relationship: prefix + relationship)
    }
}

/// A selection of a query: a field, all fields of a parent, or a list of children.
public protocol ModelSelection: Sendable {
    /// The paths of its fields, as in a query.
    var soqlNames: [String] { get }
    /// Returns a copy of the query that also selects this.
    func selected(in query: SOQL.Select) -> SOQL.Select
}

extension ModelSelection {
    /// Returns a copy of the query that also selects the fields.
    public func selected(in query: SOQL.Select) -> SOQL.Select {
        soqlNames.reduce(query) { $0.selecting(SOQL.Field($1)) }
    }
}

/// A field that queries can select, compare and order by.
public struct ModelField<Value>: ModelSelection, ModelOrdering {
    /// The path from the object of the query: `Owner.Name`.
    public let path: String

    /// The path of the field.
    public var soqlNames: [String] { [path] }
    /// Ascending order, with records without a value first.
    public var order: ModelOrder { ModelOrder(path: path, isDescending: false, nulls: nil) }
    /// Descending order, with records without a value first.
    public var descending: ModelOrder { ModelOrder(path: path, isDescending: true, nulls: nil) }
    /// Ascending order, with records without a value last.
    public var nullsLast: ModelOrder { order.nullsLast }
}

/// A field that queries can only select, such as a long text.
public struct ModelColumn<Value>: ModelSelection {
    /// The path from the object of the query.
    public let path: String
    /// The path of the field.
    public var soqlNames: [String] { [path] }
}

/// An order of the records of a query: `\.name`, `\.amount.descending`.
public protocol ModelOrdering: Sendable {
    /// The order.
    var order: ModelOrder { get }
}

/// An order of the records of a query.
public struct ModelOrder: ModelOrdering {
    let path: String
    let isDescending: Bool
    let nulls: SOQL.Select.Nulls?

    /// The order itself.
    public var order: ModelOrder { self }
    /// Returns a copy of the order with records without a value last.
    public var nullsLast: ModelOrder { ModelOrder(path: path, isDescending: isDescending, nulls: .last) }
}

/// A list of children in the records of a query.
public struct ModelChildren<Model: RecordModel>: ModelSelection {
    let relationship: String
    var query: SOQL.Select?

    init(relationship: String) { self.relationship = relationship }

    /// The relationship.
    public var soqlNames: [String] { [relationship] }

    /// Returns a copy of the list with other fields, a condition or an order, for a query such as `select: \.name, {
    /// $0.contacts.fields(\.lastName, where: \.email != nil) }`.
    ///
    /// - Parameters:
    ///   - fields: the fields to select of each child, or none for all fields.
    ///   - condition: the condition on the children, or `nil` for all children.
    ///   - order: the order of the children.
    ///   - limit: the maximum number of children per record.
    /// - Returns: the list.
    public func fields(
        _ fields: ((Model.Fields) -> any ModelSelection)..., where condition: ModelCondition<Model.Fields>? = nil,
        order: ((Model.Fields) -> any ModelOrdering)..., limit: Int? = nil
    ) -> ModelChildren {
        var copy = self
        copy.query = SOQL.Select(relationship, fields, condition, order, limit, of: Model.self)
        return copy
    }

    /// Returns a copy of the query that also selects the list.
    public func selected(in query: SOQL.Select) -> SOQL.Select {
        query.children(self.query ?? SOQL.Select(relationship, [], nil, [], nil, of: Model.self))
    }
}

/// A condition on the records of a model: `\.industry == .banking && \.owner.name != "Ann"`.
///
/// The compiler checks the fields and the types of their values. Values are bound as in a `SOQL` literal, so that they
/// cannot change the query.
public struct ModelCondition<Fields: ModelFields>: Sendable {
    let condition: SOQL.Condition

    /// Matches records for which both conditions are true.
    public static func && (left: Self, right: Self) -> Self { Self(condition: left.condition && right.condition) }
    /// Matches records for which at least one condition is true.
    public static func || (left: Self, right: Self) -> Self { Self(condition: left.condition || right.condition) }
    /// Matches records for which the condition is false.
    public static prefix func ! (condition: Self) -> Self { Self(condition: !condition.condition) }

    /// Matches records whose field has one of these values; an empty list is invalid.
    public static func `in`<Value: SOQL.Bindable>(
        _ field: KeyPath<Fields, ModelField<Value>>, _ values: [Value]
    ) -> Self { Self(condition: soql(field).isIn(values)) }

    /// Matches records whose field has none of these values; an empty list is invalid.
    public static func notIn<Value: SOQL.Bindable>(
        _ field: KeyPath<Fields, ModelField<Value>>, _ values: [Value]
    ) -> Self { Self(condition: soql(field).isNotIn(values)) }

    /// Matches text in which `%` and `_` have no special meaning, with optional wildcards before and after it.
    public static func like(
        _ field: KeyPath<Fields, ModelField<String>>, _ text: String, prefix: SOQL.Wildcard? = nil,
        suffix: SOQL.Wildcard? = nil
    ) -> Self { Self(condition: soql(field).isLike(text, prefix: prefix, suffix: suffix)) }

    /// Matches a multi-select picklist that includes at least one of these choices, with all values of the choice.
    public static func includes<Value: Picklist>(
        _ field: KeyPath<Fields, ModelField<MultiPicklist<Value>>>, _ choices: [MultiPicklist<Value>]
    ) -> Self { Self(condition: soql(field).includes(choices)) }

    /// Matches a multi-select picklist that includes none of these choices with all values of the choice.
    public static func excludes<Value: Picklist>(
        _ field: KeyPath<Fields, ModelField<MultiPicklist<Value>>>, _ choices: [MultiPicklist<Value>]
    ) -> Self { Self(condition: soql(field).excludes(choices)) }

    /// Matches a date and time within a range of days, such as `.last(.week)`.
    public static func during(_ field: KeyPath<Fields, ModelField<Date>>, _ days: SOQLDateFormula) -> Self {
        Self(condition: soql(field) == days)
    }

    /// Matches a day within a range of days, such as `.last(.week)`.
    public static func during(_ field: KeyPath<Fields, ModelField<SOQLDate>>, _ days: SOQLDateFormula) -> Self {
        Self(condition: soql(field) == days)
    }

    static func soql<Value>(_ field: KeyPath<Fields, ModelField<Value>>) -> SOQL.Field {
        SOQL.Field(Fields.root[keyPath: field].path)
    }
}

extension SOQLDateFormula: SOQL.Bindable {
    /// The formula as SOQL, or `nil` if its number is negative.
    public var soqlLiteral: SOQLLiteral? { isValid ? .formula(self) : nil }
}

/// Matches records whose field equals a value, or is null if the value is `nil`.
public func == <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value?
) -> ModelCondition<Fields> {
    let soql = ModelCondition.soql(field)
    return ModelCondition(condition: value.map { soql == $0 } ?? soql.isNull)
}

/// Matches records whose field does not equal a value, or is not null if the value is `nil`.
public func != <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value?
) -> ModelCondition<Fields> {
    let soql = ModelCondition.soql(field)
    return ModelCondition(condition: value.map { soql != $0 } ?? soql.isNotNull)
}

/// Matches records whose field is less than a value.
public func < <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) < value) }

/// Matches records whose field is at most a value.
public func <= <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) <= value) }

/// Matches records whose field is greater than a value.
public func > <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) > value) }

/// Matches records whose field is at least a value.
public func >= <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) >= value) }
