// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// One record of a query's result, as the server sent it.
public struct Record: Sendable, Hashable, CustomStringConvertible {
    /// The fields in SELECT order, led by `attributes`.
    public let fields: JSONObject

    /// Wraps the fields of a record.
    public init(fields: JSONObject) {
        self.fields = fields
    }

    /// The value of a field; `nil` when the query did not select it.
    ///
    /// A parent is an object, children are a query result.
    public subscript(field: String) -> JSONValue? { fields[field] }

    /// The object's name (`Account`, or `AggregateResult`).
    public var type: String? { fields["attributes"]?["type"]?.string }

    /// The record's id, when it was selected.
    public var id: String? { fields["Id"]?.string }

    /// The value as text, for people and logs.
    public var description: String { JSONValue(fields).description }
}
