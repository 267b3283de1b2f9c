// SPDX-License-Identifier: Apache-2.0

public import RestJSON

extension RestClient {
    /// Creates up to ``RestRequest/maximumRecords`` records in one call.
    ///
    /// - Returns: what became of each; call ``SaveResults/get()`` for an error when one was not saved.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func create(_ records: [RecordDraft], allOrNone: Bool = false) async throws(RestError) -> SaveResults {
        try await results(of: .create(records, allOrNone: allOrNone), records.count, allOrNone)
    }

    /// Changes up to ``RestRequest/maximumRecords`` records in one call.
    ///
    /// - Returns: what became of each; call ``SaveResults/get()`` for an error when one was not saved.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func update(_ records: [RecordDraft], allOrNone: Bool = false) async throws(RestError) -> SaveResults {
        try await results(of: .update(records, allOrNone: allOrNone), records.count, allOrNone)
    }

    /// Creates or changes up to ``RestRequest/maximumRecords`` records of one type by an external id, in one call.
    ///
    /// - Returns: what became of each; call ``SaveResults/get()`` for an error when one was not saved.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func upsert(
        _ type: String, externalID field: String, _ records: [JSONObject], allOrNone: Bool = false
    ) async throws(RestError) -> SaveResults {
        try await results(
            of:
                .upsert(type, externalID: field, records, allOrNone: allOrNone), records.count, allOrNone)
    }

    /// Deletes up to ``RestRequest/maximumRecords`` records in one call.
    ///
    /// - Returns: what became of each; call ``SaveResults/get()`` for an error when one was not deleted.
    /// - Throws: ``RestError`` when the call as a whole failed.
    public func delete(ids: [String], allOrNone: Bool = false) async throws(RestError) -> SaveResults {
        try await results(of: .delete(ids: ids, allOrNone: allOrNone), ids.count, allOrNone)
    }

    /// Reads up to ``RestRequest/maximumRecordsRead`` records by their ids in one call.
    ///
    /// - Returns: the records in the order of the ids; `nil` for one that is not there.
    /// - Throws: ``RestError``, also when one of the fields does not exist.
    public func retrieve(_ type: String, ids: [String], fields: [String]) async throws(RestError) -> [Record?] {
        try await content(of: .retrieve(type, ids: ids, fields: fields)) { (response) throws(RestError) in
            guard let list = response.payload.array, list.count == ids.count,
                list.allSatisfy({ $0.isNull || $0.object != nil })
            else { throw RestError(notAnAnswerTo: "read of \(ids.count) records", response) }
            return list.map { $0.object.map(Record.init(fields:)) }
        }
    }

    /// What became of each record of one write.
    func results(
        of request: RestRequest, _ count: Int, _ allOrNone: Bool
    ) async throws(RestError) -> SaveResults {
        try await content(of: request) { (response) throws(RestError) in
            try SaveResults(response, count: count, allOrNone: allOrNone)
        }
    }
}
