// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
public import RestModels
import RestSQLite
import SOQLStore

/// Queries of the copy, which work without a network and give the same rows as the org.
extension SyncStore {
    /// Returns the records of a query.
    ///
    /// - Parameter query: the query, with bound values.
    /// - Returns: the records, without records that were deleted here.
    /// - Throws: ``SyncError/Code/invalid`` for an invalid query, with Salesforce's message.
    public func query(_ query: SOQL) throws(SyncError) -> [Record] {
        try rows(query).compactMap { $0.object.map(Record.init(fields:)) }
    }

    /// Returns the rows of a checked query from a `.soql` file, or of any other query with typed rows.
    ///
    /// - Throws: ``SyncError/Code/invalid`` for an invalid query, or with the path of a value of another type.
    public func query<Row: SOQL.Row>(_ query: SOQL, as type: Row.Type) throws(SyncError) -> [Row] {
        var rows: [Row] = []
        for (index, value) in try self.rows(query).enumerated() {
            do throws(SOQL.RowReader.Fault) {
                rows.append(try SOQL.RowReader.read(value))
            } catch {
                throw SyncError(.invalid, "records[\(index)]\(error.path) \(error.reason)", underlying: error)
            }
        }
        return rows
    }

    /// Returns the records of a model that match a condition, as `RestClient.query` returns them from the org.
    ///
    /// - Parameters:
    ///   - model: the model.
    ///   - fields: the fields, whole parents and lists of children to select, or none for all fields of the object.
    ///   - condition: the condition on the records, or `nil` for all records.
    ///   - order: the order of the records.
    ///   - limit: the maximum number of records.
    /// - Returns: the records.
    /// - Throws: ``SyncError/Code/invalid`` for fields that the schema lacks, or whose type differs from the model.
    public func query<Model: RecordModel>(
        _ model: Model.Type, select fields: ((Model.Fields) -> any ModelSelection)...,
        where condition: ModelCondition<Model.Fields>? = nil, order: ((Model.Fields) -> any ModelOrdering)...,
        limit: Int? = nil
    ) throws(SyncError) -> [Model] {
        let select = SOQL.Select(Model.objectName, fields, condition, order, limit, of: model)
        var models: [Model] = []
        for (index, value) in try rows(SOQL(select)).enumerated() {
            do throws(RestError) {
                models.append(try Model(reading: value, "records[\(index)]"))
            } catch {
                throw SyncError(.invalid, error.message, underlying: error)
            }
        }
        return models
    }

    /// Returns the number of records of a query, for which `SELECT COUNT() FROM …` is sufficient.
    public func count(_ query: SOQL) throws(SyncError) -> Int { try result(query).total }

    private func rows(_ query: SOQL) throws(SyncError) -> JSONArray {
        let bytes = try result(query).records
        return (try? JSONValue(parsing: bytes))?.array ?? []
    }

    func result(_ query: SOQL) throws(SyncError) -> (total: Int, records: [UInt8]) {
        if let problem = query.problem { throw SyncError(.invalid, problem) }
        do throws(OrgError) {
            return try records.query(query.text, version: APIVersion.current.number)
        } catch {
            throw SyncError(error)
        }
    }
}

extension SyncStore {
    /// Returns the records of a query now, and again after each commit that changes them.
    ///
    /// A slow reader misses states, but always gets the latest one. The sequence ends when the copy is closed.
    ///
    /// - Parameter query: the query, with bound values.
    /// - Returns: the lists of records.
    /// - Throws: ``SyncError/Code/invalid`` for an invalid query.
    public func observe(_ query: SOQL) throws(SyncError) -> AsyncStream<[Record]> {
        try following { (store) throws(SyncError) in
            try store.result(query).records
        } show: { bytes in
            ((try? JSONValue(parsing: bytes))?.array ?? []).compactMap { $0.object.map(Record.init(fields:)) }
        }
    }

    /// Returns the conflicts now, and again after each commit that changes them.
    ///
    /// A slow reader misses states, but always gets the latest one.
    public func observeConflicts() throws(SyncError) -> AsyncStream<[SyncConflict]> {
        try following { (store) throws(SyncError) in
            try store.conflicts
        } show: {
            $0
        }
    }

    private func following<Seen: Equatable & Sendable, Shown: Sendable>(
        _ read: @escaping @Sendable (SyncStore) throws(SyncError) -> Seen,
        show: @escaping @Sendable (Seen) -> Shown
    ) throws(SyncError) -> AsyncStream<Shown> {
        let changes = commits.stream
        let first = try read(self)
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { reader in
            let task = Task { [weak self] in
                var last = first
                reader.yield(show(first))
                for await _ in changes {
                    guard let self, !Task.isCancelled else { break }
                    guard let seen = try? read(self), seen != last else { continue }
                    last = seen
                    reader.yield(show(seen))
                }
                reader.finish()
            }
            reader.onTermination = { _ in task.cancel() }
        }
    }
}
