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
/// Selected as a whole, they are all fields of the object: `select: \.name, \.owner`.
public protocol ModelFields: ModelSelection {
    /// The model that they are of.
    associatedtype Model: RecordModel
    /// Where they are, seen from the object of a query.
    var _path: ModelPath { get }
    /// The fields at a place.
    init(_path: ModelPath)
}

extension ModelFields {
    /// The fields of the object itself.
    static var root: Self { Self(_path: ModelPath(prefix: "")) }

    /// The paths of all fields.
    public var soqlNames: [String] { Model.shape.fields.map { _path.prefix + $0 } }
}

/// The way from the object of a query to one of its parents.
public struct ModelPath: Sendable, Hashable {
    /// The relationships, each with a dot behind it.
    let prefix: String

    /// The field of that name here.
    public subscript<Value>(name: String) -> ModelField<Value> { ModelField(path: prefix + name) }
    /// The field of that name here, which queries can only select.
    public subscript<Value>(name: String) -> ModelColumn<Value> { ModelColumn(path: prefix + name) }
    /// The parent to which a relationship leads from here.
    public func parent<Fields: ModelFields>(_ relationship: String) -> Fields {
        Fields(_path: ModelPath(prefix: prefix + relationship + "."))
    }
    /// The children to which a relationship leads from here.
    public func children<Model: RecordModel>(_ relationship: String) -> ModelChildren<Model> {
        ModelChildren(relationship: prefix + relationship)
    }
}

/// What a query selects: a field, all fields of a parent, a list of children.
public protocol ModelSelection: Sendable {
    /// The paths of its fields, as a query has them.
    var soqlNames: [String] { get }
    /// The query with this selected too.
    func selected(in query: SOQL.Select) -> SOQL.Select
}

extension ModelSelection {
    /// The query with the fields selected too.
    public func selected(in query: SOQL.Select) -> SOQL.Select {
        soqlNames.reduce(query) { $0.selecting(SOQL.Field($1)) }
    }
}

/// A field that queries can select, compare and order by.
public struct ModelField<Value>: ModelSelection, ModelOrdering {
    /// Its path from the object of the query: `Owner.Name`.
    public let path: String

    /// The path.
    public var soqlNames: [String] { [path] }
    /// From the least value to the greatest; records without a value come first.
    public var order: ModelOrder { ModelOrder(path: path, isDescending: false, nulls: nil) }
    /// From the greatest value to the least; records without a value come first.
    public var descending: ModelOrder { ModelOrder(path: path, isDescending: true, nulls: nil) }
    /// From the least value to the greatest, then the records without a value.
    public var nullsLast: ModelOrder { order.nullsLast }
}

/// A field that queries can select and no more, such as a long text.
public struct ModelColumn<Value>: ModelSelection {
    /// Its path from the object of the query.
    public let path: String
    /// The path.
    public var soqlNames: [String] { [path] }
}

/// What a query's records can be ordered by: `\.name`, `\.amount.descending`.
public protocol ModelOrdering: Sendable {
    /// The order.
    var order: ModelOrder { get }
}

/// An order of a query's records.
public struct ModelOrder: ModelOrdering {
    let path: String
    let isDescending: Bool
    let nulls: SOQL.Select.Nulls?

    /// The order itself.
    public var order: ModelOrder { self }
    /// The same with the records without a value at the end.
    public var nullsLast: ModelOrder { ModelOrder(path: path, isDescending: isDescending, nulls: .last) }
}

/// A list of children of a query's records.
public struct ModelChildren<Model: RecordModel>: ModelSelection {
    let relationship: String
    var query: SOQL.Select?

    init(relationship: String) { self.relationship = relationship }

    /// The relationship.
    public var soqlNames: [String] { [relationship] }

    /// The same list with other fields, of other children, or in another order; in a query,
    /// `select: \.name, { $0.contacts.fields(\.lastName, where: \.email != nil) }`.
    ///
    /// - Parameters:
    ///   - fields: what to select of each; all fields when there are none.
    ///   - condition: which children to give; all when `nil`.
    ///   - order: by what they are ordered.
    ///   - limit: how many each record has at most.
    /// - Returns: the list.
    public func fields(
        _ fields: ((Model.Fields) -> any ModelSelection)..., where condition: ModelCondition<Model.Fields>? = nil,
        order: ((Model.Fields) -> any ModelOrdering)..., limit: Int? = nil
    ) -> ModelChildren {
        var copy = self
        copy.query = SOQL.Select(relationship, fields, condition, order, limit, of: Model.self)
        return copy
    }

    /// The query with the list.
    public func selected(in query: SOQL.Select) -> SOQL.Select {
        query.children(self.query ?? SOQL.Select(relationship, [], nil, [], nil, of: Model.self))
    }
}

/// A condition on the records of a model: `\.industry == .banking && \.owner.name != "Ann"`.
///
/// The compiler knows the fields and the types of their values. Values are bound as in a `SOQL` literal, so that none
/// can change the query.
public struct ModelCondition<Fields: ModelFields>: Sendable {
    let condition: SOQL.Condition

    /// Both of them.
    public static func && (left: Self, right: Self) -> Self { Self(condition: left.condition && right.condition) }
    /// One of them, or both.
    public static func || (left: Self, right: Self) -> Self { Self(condition: left.condition || right.condition) }
    /// The opposite.
    public static prefix func ! (condition: Self) -> Self { Self(condition: !condition.condition) }

    /// The field is among these values; an empty list is refused.
    public static func `in`<Value: SOQL.Bindable>(
        _ field: KeyPath<Fields, ModelField<Value>>, _ values: [Value]
    ) -> Self { Self(condition: soql(field).isIn(values)) }

    /// The field is none of these values; an empty list is refused.
    public static func notIn<Value: SOQL.Bindable>(
        _ field: KeyPath<Fields, ModelField<Value>>, _ values: [Value]
    ) -> Self { Self(condition: soql(field).isNotIn(values)) }

    /// The field is a text in which `%` and `_` mean themselves, with wildcards beside it by choice.
    public static func like(
        _ field: KeyPath<Fields, ModelField<String>>, _ text: String, prefix: SOQL.Wildcard? = nil,
        suffix: SOQL.Wildcard? = nil
    ) -> Self { Self(condition: soql(field).isLike(text, prefix: prefix, suffix: suffix)) }

    /// The choice has one of these, each of which is a choice of values that it has all of.
    public static func includes<Value: Picklist>(
        _ field: KeyPath<Fields, ModelField<MultiPicklist<Value>>>, _ choices: [MultiPicklist<Value>]
    ) -> Self { Self(condition: soql(field).includes(choices)) }

    /// The choice has none of these.
    public static func excludes<Value: Picklist>(
        _ field: KeyPath<Fields, ModelField<MultiPicklist<Value>>>, _ choices: [MultiPicklist<Value>]
    ) -> Self { Self(condition: soql(field).excludes(choices)) }

    /// The instant lies in a range of days, such as `.last(.week)`.
    public static func during(_ field: KeyPath<Fields, ModelField<Date>>, _ days: SOQLDateFormula) -> Self {
        Self(condition: soql(field) == days)
    }

    /// The day lies in a range of days, such as `.last(.week)`.
    public static func during(_ field: KeyPath<Fields, ModelField<SOQLDate>>, _ days: SOQLDateFormula) -> Self {
        Self(condition: soql(field) == days)
    }

    /// The field for the builder of queries.
    static func soql<Value>(_ field: KeyPath<Fields, ModelField<Value>>) -> SOQL.Field {
        SOQL.Field(Fields.root[keyPath: field].path)
    }
}

extension SOQLDateFormula: SOQL.Bindable {
    /// The formula as it is written; `nil` where its number is negative.
    public var soqlLiteral: SOQLLiteral? { isValid ? .formula(self) : nil }
}

/// Equal to a value; `nil` is null.
public func == <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value?
) -> ModelCondition<Fields> {
    let soql = ModelCondition.soql(field)
    return ModelCondition(condition: value.map { soql == $0 } ?? soql.isNull)
}

/// Other than a value; `nil` is null.
public func != <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value?
) -> ModelCondition<Fields> {
    let soql = ModelCondition.soql(field)
    return ModelCondition(condition: value.map { soql != $0 } ?? soql.isNotNull)
}

/// Less than a value.
public func < <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) < value) }

/// Not more than a value.
public func <= <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) <= value) }

/// More than a value.
public func > <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) > value) }

/// Not less than a value.
public func >= <Fields: ModelFields, Value: SOQL.Bindable>(
    field: KeyPath<Fields, ModelField<Value>>, value: Value
) -> ModelCondition<Fields> { ModelCondition(condition: ModelCondition.soql(field) >= value) }
