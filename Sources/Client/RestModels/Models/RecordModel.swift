// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestSDK

/// The records of one object as a type of their own, as `soql models` writes them.
///
/// ```swift
/// for try await account in client.query(Account.self, where: \.industry == .banking, order: \.name) {
///     print(account.name ?? "", account.owner?.name ?? "")
/// }
/// ```
/// Every property is optional: it is `nil` for null, and for a field that the query did not select; ``has(_:)`` tells
/// the two apart. A model remembers what was set since it was read, and an update sends no more.
public protocol RecordModel: RecordObject, Codable, Hashable, Sendable, Identifiable, CustomDebugStringConvertible {
    /// The fields, for queries: `\.industry`, `\.owner.name`.
    associatedtype Fields: ModelFields where Fields.Model == Self
    /// What the model knows of its object.
    static var shape: ModelShape { get }
    /// The values, and what was changed of them.
    var record: ModelRecord { get set }
    /// The model of a record.
    init(record: ModelRecord)
}

extension RecordModel {
    /// The API name of the object.
    public static var objectName: String { shape.object }

    /// The record's id; `nil` for a new record, and where it was not read.
    public var id: RecordID<Self>? { record["Id"] }

    /// The fields that were set to another value than the one read, by their API names.
    public var changes: JSONObject { record.changes }

    /// Whether a field, a parent or a list of children was read or set, be it to null.
    public func has(_ field: (Fields) -> any ModelSelection) -> Bool {
        field(Fields.root).soqlNames.allSatisfy { name in
            var names = name.split(byte: ".").map(String.init)[...]
            guard let first = names.popFirst() else { return false }
            guard let last = names.popLast() else { return record.has(first) }
            let parent = names.reduce(record.fields[first]) { $0?[$1] }
            return parent?[last] != nil
        }
    }

    /// Reads the fields of a record as answers have them.
    ///
    /// - Throws: `DecodingError` for a value of another type than the model says.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let fields = try container.decode(JSONValue.self).object else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a record is a JSON object")
        }
        do throws(ModelMismatch) { try Self.shape.check(fields) } catch {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\(error.path): \(error.reason)")
        }
        self.init(record: ModelRecord(fields: fields))
    }

    /// Writes the fields as they are now, by their API names; what was changed is not marked.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(JSONValue(record.values))
    }

    /// The object and the fields as they are now.
    public var debugDescription: String { "\(Self.objectName) \(record.values)" }

    /// Reads an element of a page.
    ///
    /// - Parameters:
    ///   - value: the element.
    ///   - place: what it is, for the error.
    /// - Throws: `RestError.Code.decoding` with the place of the first value of another type.
    init(reading value: JSONValue, _ place: String) throws(RestError) {
        guard let fields = value.object else { throw RestError(.decoding, "\(place) is not a JSON object") }
        do throws(ModelMismatch) { try Self.shape.check(fields) } catch {
            throw RestError(
                .decoding, "\(place) is no \(Self.objectName) of this model: \(error.path): \(error.reason)")
        }
        self.init(record: ModelRecord(fields: fields))
    }
}
