// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import SOQLSyntax

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
