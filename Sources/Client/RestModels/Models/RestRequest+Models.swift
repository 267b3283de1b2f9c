// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestSDK

/// Writes of models as requests, for every calling style: `client.send(.update(account)) { result in … }`.
extension RestRequest {
    /// Creates a record; the payload holds its `id`.
    ///
    /// All values are sent that new records can have.
    public static func create(_ record: some RecordModel) -> RestRequest {
        create(record.shape.object, record.newValues)
    }

    /// Changes of a record what was changed since it was read; the answer is empty.
    ///
    /// A record whose id was not read is refused.
    public static func update(_ record: some RecordModel) -> RestRequest {
        update(record.shape.object, id: record.idText ?? "", record.changes)
    }

    /// Creates a record, or changes the one that has the same external id.
    ///
    /// - Parameters:
    ///   - record: the record; all values are sent that new records can have.
    ///   - field: the external id field, in which the record must have a value.
    /// - Returns: the request.
    public static func upsert<Model: RecordModel, Value: FieldValue>(
        _ record: Model, by field: KeyPath<Model.Fields, ModelField<Value>>
    ) -> RestRequest {
        let name = Model.Fields.root[keyPath: field].path
        var values = record.newValues
        let value: Value? = record.record[name]
        values[name] = nil
        let json = value?.fieldJSON
        return upsert(Model.objectName, externalID: name, json?.string ?? json?.numberText ?? "", values)
    }

    /// Deletes the record with an id; the answer is empty.
    public static func delete<Object: RecordObject>(_ id: RecordID<Object>) -> RestRequest {
        delete(Object.objectName, id: id.text)
    }
}

extension RecordDraft {
    /// A draft of a model's record, for calls about many: what was changed of a record that has an id, all values of a
    /// new one.
    public init(_ record: some RecordModel) {
        let id = record.idText
        self.init(record.shape.object, id: id, id == nil ? record.newValues : record.changes)
    }
}

extension RecordModel {
    fileprivate var shape: ModelShape { Self.shape }
    fileprivate var idText: String? {
        let id: RecordID<Self>? = record["Id"]
        return id?.text
    }

    /// The values that a new record can have.
    fileprivate var newValues: JSONObject {
        JSONObject(members: record.values.filter { Self.shape.isCreateable($0.key) })
    }
}
