// SPDX-License-Identifier: Apache-2.0

import RestJSON
public import RestSDK

extension SOQL.Select {
    /// Creates a query for a model's records.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - fields: the fields, whole parents and lists of children to select, or none for all fields of the object. The
    ///     ids of the object and of the selected parents are always selected.
    ///   - condition: the condition on the records, or `nil` for all records.
    ///   - order: the order of the records.
    ///   - limit: the maximum number of records.
    public init<Model: RecordModel>(
        _ model: Model.Type, select fields: ((Model.Fields) -> any ModelSelection)...,
        where condition: ModelCondition<Model.Fields>? = nil, order: ((Model.Fields) -> any ModelOrdering)...,
        limit: Int? = nil
    ) {
        self.init(Model.objectName, fields, condition, order, limit, of: model)
    }

    package init<Model: RecordModel>(
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

    /// The ids of the records on the path to a field: `Account.Id` and `Account.Owner.Id` for `Account.Owner.Name`.
    private static func parentIDs(_ path: String) -> [String] {
        path.indices.filter { path[$0] == "." }.map { path[...$0] + "Id" }
    }
}

extension RestClient {
    /// Returns all records of a model that match a condition, fetched page by page during iteration.
    ///
    /// ```swift
    /// for try await account in client.query(Account.self, where: \.industry == .banking, order: \.name) { … }
    /// ```
    /// - Parameters:
    ///   - model: the model.
    ///   - fields: the fields, whole parents and lists of children to select, or none for all fields of the object. The
    ///     ids of the object and of the selected parents are always selected.
    ///   - condition: the condition on the records, or `nil` for all records.
    ///   - order: the order of the records: `\.name`, `\.amount.descending`.
    ///   - limit: the maximum number of records.
    ///   - batchSize: the number of records per page, within `RestRequest.batchSizes`.
    ///   - includingDeleted: whether to include deleted and archived records.
    /// - Returns: the records. Iterating throws `RestError`, with `RestError.Code.decoding` and the path of the field
    ///   if a value is of another type than in the model.
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
    ///   - id: the id, whose type determines the model.
    ///   - fields: the fields to read, or none for all fields of the object.
    /// - Returns: the record.
    /// - Throws: `RestError`: `RestError.Code.notFound` if the record does not exist.
    public func retrieve<Model: RecordModel>(
        _ id: RecordID<Model>, select fields: ((Model.Fields) -> any ModelSelection)...
    ) async throws(RestError) -> Model {
        let names = fields.flatMap { $0(Model.Fields.root).soqlNames }
        return try await send(.retrieve(Model.objectName, id: id.text, fields: names), as: Model.self)
    }

    /// Creates a record.
    ///
    /// - Returns: the record with its id, without values that the org set.
    /// - Throws: `RestError`, with the org's errors if it rejects a value.
    @discardableResult
    public func create<Model: RecordModel>(_ record: Model) async throws(RestError) -> Model {
        let creation = RestRequest.Typed(.create(record)) { (response) throws(RestError) in
            guard let id = response.payload["id"]?.string else {
                throw RestError(notAResponseTo: "request to create a record", response)
            }
            return id
        }
        return Model(record: record.record.saved(id: try await send(creation)))
    }

    /// Saves only the fields of a record that were changed since it was read, and sends nothing without changes.
    ///
    /// - Returns: the record without changes, and without values that the org set meanwhile.
    /// - Throws: `RestError`: `RestError.Code.invalidRequest` if the record's id was not read.
    @discardableResult
    public func update<Model: RecordModel>(_ record: Model) async throws(RestError) -> Model {
        let request = RestRequest.update(record)
        guard request.problem != nil || !record.changes.isEmpty else { return record }
        _ = try await send(request)
        return Model(record: record.record.saved())
    }

    /// Changes fields of the record with an id, without reading the record first.
    ///
    /// ```swift
    /// try await client.update(id) { $0.phone = nil }
    /// ```
    /// - Parameters:
    ///   - id: the id, whose type determines the model.
    ///   - change: sets the fields to change.
    /// - Returns: the record with its id and the changed fields.
    /// - Throws: `RestError`: `RestError.Code.notFound` if the record does not exist.
    @discardableResult
    public func update<Model: RecordModel>(
        _ id: RecordID<Model>, _ change: (inout Model) -> Void
    ) async throws(RestError) -> Model {
        var model = Model(record: ModelRecord(fields: ["Id": id.fieldJSON]))
        change(&model)
        return try await update(model)
    }

    /// Creates a record, or updates the record with the same external id.
    ///
    /// - Parameters:
    ///   - record: the record, with a value in the external id field. All values that can be set in new records are
    ///     sent.
    ///   - field: the external id field: `\.customerNumber`.
    /// - Returns: the record with its id, and whether it was created.
    /// - Throws: `RestError`: `RestError.Code.invalidRequest` if the record has no value in that field.
    @discardableResult
    public func upsert<Model: RecordModel, Value: FieldValue>(
        _ record: Model, by field: KeyPath<Model.Fields, ModelField<Value>>
    ) async throws(RestError) -> (record: Model, isCreated: Bool) {
        let payload = try await send(.upsert(record, by: field)).payload
        return (Model(record: record.record.saved(id: payload["id"]?.string)), payload["created"]?.bool ?? false)
    }

    /// Deletes the record with an id.
    ///
    /// - Throws: `RestError`: `RestError.Code.notFound` if the record does not exist.
    public func delete<Object: RecordObject>(_ id: RecordID<Object>) async throws(RestError) {
        _ = try await send(.delete(id))
    }
}

/// Writes of models as requests, for every calling style: `client.send(.update(account)) { result in … }`.
extension Endpoint where Self == RestRequest {
    /// Creates a record, with all values that can be set in new records; the payload contains its `id`.
    public static func create(_ record: some RecordModel) -> RestRequest {
        create(record.shape.object, record.newValues)
    }

    /// Updates the fields of a record that were changed since it was read; the response is empty.
    ///
    /// The request is invalid if the record's id was not read.
    public static func update(_ record: some RecordModel) -> RestRequest {
        update(record.shape.object, id: record.idText ?? "", record.changes)
    }

    /// Creates a record, or updates the record with the same external id.
    ///
    /// - Parameters:
    ///   - record: the record. All values that can be set in new records are sent.
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

    /// Deletes the record with an id; the response is empty.
    public static func delete<Object: RecordObject>(_ id: RecordID<Object>) -> RestRequest {
        delete(Object.objectName, id: id.text)
    }
}

extension Record.Draft {
    /// Creates a draft for requests with many records: the changes of a record with an id, or all values of a new
    /// record.
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

    fileprivate var newValues: JSONObject {
        JSONObject(members: record.values.filter { Self.shape.isCreateable($0.key) })
    }
}
