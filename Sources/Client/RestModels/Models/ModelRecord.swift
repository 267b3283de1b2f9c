// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON
import RestSDK

/// What a model holds: the fields that were read, and what was set since.
///
/// A field that was not read is absent, and another thing than one that is null. Values are read from the answer's own
/// bytes when a property asks for them, so a record costs nothing for fields that nobody looks at; like a `Record` it
/// keeps the page of the answer in memory that it came with.
public struct ModelRecord: Sendable {
    /// The fields as they were read; none for a new record.
    public private(set) var fields: JSONObject
    /// The fields that were set to another value than the one read, in the order in which they were set.
    public private(set) var changes: JSONObject = [:]

    /// A record as it was read; without fields, a new one.
    public init(fields: JSONObject = [:]) { self.fields = fields }

    /// The value of a field; `nil` where it is null or was not read.
    ///
    /// Setting `nil` is a change to null. Setting what was read takes the change back.
    public subscript<Value: FieldValue>(name: String) -> Value? {
        get { (changes[name] ?? fields[name]).flatMap { $0.isNull ? nil : Value(field: $0) } }
        set { changes[name] = isRead(newValue, name) ? JSONValue?.none : newValue?.fieldJSON ?? .null }
    }

    /// Whether a field was read, with this value.
    private func isRead<Value: FieldValue>(_ value: Value?, _ name: String) -> Bool {
        guard let old = fields[name] else { return false }
        guard !old.isNull, let value else { return old.isNull && value == nil }
        guard let read = Value(field: old), read == value else { return false }
        return Self.names(in: read.fieldJSON) == Self.names(in: value.fieldJSON)
    }

    /// The bytes of a text, or of the names in it that have `;` between them, in any order.
    ///
    /// `==` takes two spellings of a letter, such as NFC and NFD, for the same. The org keeps them apart.
    private static func names(in json: JSONValue) -> Set<[UInt8]> {
        Set((json.string ?? "").split(byte: ";").map { Array($0.utf8) })
    }

    /// Whether a field was read or set, be it to null.
    public func has(_ name: String) -> Bool { changes[name] != nil || fields[name] != nil }

    /// The record to which a relationship leads; `nil` where it leads to none or was not read.
    public func parent<Model: RecordModel>(_ name: String) -> Model? {
        fields[name]?.object.map { Model(record: ModelRecord(fields: $0)) }
    }

    /// The records to which a relationship leads; `nil` where they were not read.
    public func children<Model: RecordModel>(_ name: String) -> [Model]? {
        guard let list = fields[name] else { return nil }
        return (list["records"]?.array ?? []).compactMap(\.object).map { Model(record: ModelRecord(fields: $0)) }
    }

    /// The fields as they are now, without the `attributes` of an answer.
    public var values: JSONObject {
        let read = fields.filter { $0.key != "attributes" && changes[$0.key] == nil }
        return JSONObject(members: read + Array(changes))
    }

    /// The same record, as the org has it once the changes are saved.
    func saved(id: String? = nil) -> ModelRecord {
        var fields = JSONObject(members: fields.filter { changes[$0.key] == nil } + Array(changes))
        if let id { fields["Id"] = JSONValue(id) }
        return ModelRecord(fields: fields)
    }
}

extension ModelRecord: Hashable {
    /// Whether two have the same values now.
    public static func == (left: ModelRecord, right: ModelRecord) -> Bool { left.values == right.values }
    /// Adds the values.
    public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
