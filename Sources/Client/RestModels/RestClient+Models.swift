// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestSDK

extension SOQL.Select {
    /// A query of a model's records.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - fields: what to select: fields, parents as a whole, lists of children; all fields of the object when there
    ///     are none. The ids of the object and of its parents among them are selected in any case.
    ///   - condition: which records to give; all when `nil`.
    ///   - order: by what they are ordered.
    ///   - limit: how many there are at most.
    public init<Model: RecordModel>(
        _ model: Model.Type, select fields: ((Model.Fields) -> any ModelSelection)...,
        where condition: ModelCondition<Model.Fields>? = nil, order: ((Model.Fields) -> any ModelOrdering)...,
        limit: Int? = nil
    ) {
        self.init(Model.objectName, fields, condition, order, limit, of: model)
    }

    /// A query of a model's records, or of a relationship that leads to such.
    init<Model: RecordModel>(
        _ source: String, _ fields: [(Model.Fields) -> any ModelSelection], _ condition: ModelCondition<Model.Fields>?,
        _ order: [(Model.Fields) -> any ModelOrdering], _ limit: Int?, of model: Model.Type
    ) {
        let root = Model.Fields.root
        let selections = fields.isEmpty ? [root] : fields.map { $0(root) }
        var query = selections.reduce(SOQL.Select(source, [])) { $1.selected(in: $0) }
        let names = selections.flatMap(\.soqlNames)
        var known = Set(names)
        let ids = (Model.shape.fields.contains("Id") ? ["Id"] : []) + names.flatMap(Self.parentIDs)
        for id in ids where known.insert(id).inserted { query = query.selecting(SOQL.Field(id)) }
        for order in order.map({ $0(root).order }) {
            query = query.order(by: SOQL.Field(order.path), descending: order.isDescending, nulls: order.nulls)
        }
        query = query.where(condition?.condition)
        self = limit.map { query.limit($0) } ?? query
    }

    /// The ids of the records on the way to a field: `Account.Id` and `Account.Owner.Id` for `Account.Owner.Name`.
    private static func parentIDs(_ path: String) -> [String] {
        path.indices.filter { path[$0] == "." }.map { path[...$0] + "Id" }
    }
}

extension RestClient {
    /// The records of a model that fulfil a condition, all of them, fetched as they are asked for.
    ///
    /// ```swift
    /// for try await account in client.query(Account.self, where: \.industry == .banking, order: \.name) { … }
    /// ```
    /// - Parameters:
    ///   - model: the model.
    ///   - fields: what to select: fields, parents as a whole, lists of children; all fields of the object when there
    ///     are none. The ids of the object and of its parents among them are selected in any case.
    ///   - condition: which records to give; all when `nil`.
    ///   - order: by what they are ordered: `\.name`, `\.amount.descending`.
    ///   - limit: how many there are at most.
    ///   - batchSize: records per page, within `RestRequest.batchSizes`.
    ///   - includingDeleted: whether deleted and archived records are seen.
    /// - Returns: the records; iterating throws `RestError`, with `RestError.Code.decoding` and the place for a
    ///   value of another type than the model says.
    public func query<Model: RecordModel>(
        _ model: Model.Type, select fields: ((Model.Fields) -> any ModelSelection)...,
        where condition: ModelCondition<Model.Fields>? = nil, order: ((Model.Fields) -> any ModelOrdering)...,
        limit: Int? = nil, batchSize: Int? = nil, includingDeleted: Bool = false
    ) -> QueryRecords<Model> {
        let select = SOQL.Select(Model.objectName, fields, condition, order, limit, of: model)
        let pages = pages(SOQL(select), batchSize: batchSize, includingDeleted: includingDeleted)
        return QueryRecords(pages) { (value, index) throws(RestError) in
            try Model(reading: value, "records[\(index)]")
        }
    }

    /// Reads a record by its id.
    ///
    /// - Parameters:
    ///   - id: the id, which knows its model.
    ///   - fields: the fields to read; all of the object when there are none.
    /// - Returns: the record.
    /// - Throws: `RestError`; `RestError.Code.notFound` when there is none.
    public func retrieve<Model: RecordModel>(
        _ id: RecordID<Model>, select fields: ((Model.Fields) -> any ModelSelection)...
    ) async throws(RestError) -> Model {
        let names = fields.flatMap { $0(Model.Fields.root).soqlNames }
        return try await send(.retrieve(Model.objectName, id: id.text, fields: names), as: Model.self)
    }

    /// Creates a record.
    ///
    /// - Returns: the record with its id; what the org sets itself was not read.
    /// - Throws: `RestError`, with the faults of the org where it refuses a value.
    @discardableResult
    public func create<Model: RecordModel>(_ record: Model) async throws(RestError) -> Model {
        let creation = RestRequest.Typed(.create(record)) { (response) throws(RestError) in
            guard let id = response.payload["id"]?.string else {
                throw RestError(notAnAnswerTo: "creation of a record", response)
            }
            return id
        }
        return Model(record: record.record.saved(id: try await send(creation)))
    }

    /// Saves what was changed of a record since it was read, and nothing else; without a change, nothing is sent.
    ///
    /// - Returns: the record without changes; what the org sets itself was not read again.
    /// - Throws: `RestError`; `RestError.Code.invalidRequest` for a record whose id was not read.
    @discardableResult
    public func update<Model: RecordModel>(_ record: Model) async throws(RestError) -> Model {
        let request = RestRequest.update(record)
        guard request.problem != nil || !record.changes.isEmpty else { return record }
        _ = try await send(request)
        return Model(record: record.record.saved())
    }

    /// Changes fields of the record with an id, without reading it first.
    ///
    /// ```swift
    /// try await client.update(id) { $0.phone = nil }
    /// ```
    /// - Parameters:
    ///   - id: the id, which knows its model.
    ///   - change: sets what is to be changed.
    /// - Returns: the record with its id and what was set.
    /// - Throws: `RestError`; `RestError.Code.notFound` when there is no such record.
    @discardableResult
    public func update<Model: RecordModel>(
        _ id: RecordID<Model>, _ change: (inout Model) -> Void
    ) async throws(RestError) -> Model {
        var model = Model(record: ModelRecord(fields: ["Id": id.fieldJSON]))
        change(&model)
        return try await update(model)
    }

    /// Creates a record, or changes the one that has the same external id.
    ///
    /// - Parameters:
    ///   - record: the record, which has a value in the external id field; all its values that new records can have are
    ///     sent.
    ///   - field: the external id field: `\.customerNumber`.
    /// - Returns: the record with its id, and whether it was made.
    /// - Throws: `RestError`; `RestError.Code.invalidRequest` for a record without a value in that field.
    @discardableResult
    public func upsert<Model: RecordModel, Value: FieldValue>(
        _ record: Model, by field: KeyPath<Model.Fields, ModelField<Value>>
    ) async throws(RestError) -> (record: Model, isCreated: Bool) {
        let payload = try await send(.upsert(record, by: field)).payload
        return (Model(record: record.record.saved(id: payload["id"]?.string)), payload["created"]?.bool ?? false)
    }

    /// Deletes the record with an id.
    ///
    /// - Throws: `RestError`; `RestError.Code.notFound` when there is none.
    public func delete<Object: RecordObject>(_ id: RecordID<Object>) async throws(RestError) {
        _ = try await send(.delete(id))
    }
}

/// Writes of models as requests, for every calling style: `client.send(.update(account)) { result in … }`.
extension Endpoint where Self == RestRequest {
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

extension Record.Draft {
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
