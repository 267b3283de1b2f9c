// SPDX-License-Identifier: Apache-2.0

public import RestSDK

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
