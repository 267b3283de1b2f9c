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

/// A record of any object: what an id leads to where a reference can lead to records of several objects.
///
/// It has the fields that queries can ask for through such a reference: `\.what.name`.
public struct AnyRecord: RecordModel {
    /// What is known of such records.
    public static let shape = ModelShape("Name", "Id id read\nName string read\nType string read")

    /// The values.
    public var record: ModelRecord

    /// The model of a record.
    public init(record: ModelRecord) { self.record = record }

    /// The name.
    public var name: String? { record["Name"] }
    /// The API name of the record's object.
    public var type: String? { record["Type"] }

    /// The fields, for queries.
    public struct Fields: ModelFields {
        /// The model.
        public typealias Model = AnyRecord
        /// Where they are.
        public let _path: ModelPath
        /// The fields at a place.
        public init(_path: ModelPath) { self._path = _path }
        /// The id.
        public var id: ModelField<RecordID<AnyRecord>> { _path["Id"] }
        /// The name.
        public var name: ModelField<String> { _path["Name"] }
        /// The API name of the record's object.
        public var type: ModelField<String> { _path["Type"] }
    }
}
