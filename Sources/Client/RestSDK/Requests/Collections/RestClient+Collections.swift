// SPDX-License-Identifier: Apache-2.0

import RestBase
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

/// Lists of any length, in calls of as many records as the server takes, one call after the other.
///
/// All arguments are checked before the first call. For more than some ten thousands of records the platform has jobs.
extension RestClient {
    /// Creates records, ``RestRequest/maximumRecords`` in each call.
    ///
    /// - Parameters:
    ///   - records: the records, of any types.
    ///   - allOrNone: whether a record that is refused undoes the others of its call; never those of another one.
    ///   - afterFailure: what happens to later records when one was not saved.
    /// - Returns: what became of each, in their order; call ``CollectionResults/get()`` for an error when one was not
    ///   saved.
    /// - Throws: ``RestError/Code/invalidRequest`` before anything is sent; every other failure is in the results.
    public func createAll(
        _ records: [RecordDraft], allOrNone: Bool = false, afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(records.runs, allOrNone, afterFailure) { .create(Array($0), allOrNone: allOrNone) }
    }

    /// Changes fields of records, ``RestRequest/maximumRecords`` in each call; see
    /// ``createAll(_:allOrNone:afterFailure:)``.
    public func updateAll(
        _ records: [RecordDraft], allOrNone: Bool = false, afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(records.runs, allOrNone, afterFailure) { .update(Array($0), allOrNone: allOrNone) }
    }

    /// Creates or changes records of one type by an external id, ``RestRequest/maximumRecords`` in each call; see
    /// ``createAll(_:allOrNone:afterFailure:)``.
    public func upsertAll(
        _ type: String, externalID field: String, _ records: [JSONObject], allOrNone: Bool = false,
        afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(records.cut(by: RestRequest.maximumRecords), allOrNone, afterFailure) {
            .upsert(type, externalID: field, Array($0), allOrNone: allOrNone)
        }
    }

    /// Deletes records, ``RestRequest/maximumRecords`` in each call; see ``createAll(_:allOrNone:afterFailure:)``.
    public func deleteAll(
        ids: [String], allOrNone: Bool = false, afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(ids.cut(by: RestRequest.maximumRecords), allOrNone, afterFailure) {
            .delete(ids: Array($0), allOrNone: allOrNone)
        }
    }

    /// Reads records by their ids, ``RestRequest/maximumRecordsRead`` in each call.
    ///
    /// - Returns: the records in the order of the ids; `nil` for one that is not there.
    /// - Throws: ``RestError``; no record is given then.
    public func retrieveAll(_ type: String, ids: [String], fields: [String]) async throws(RestError) -> [Record?] {
        let runs = ids.cut(by: RestRequest.maximumRecordsRead)
        for run in runs { try runner.builder.validate(.retrieve(type, ids: Array(run), fields: fields)) }
        var records: [Record?] = []
        for run in runs { records += try await retrieve(type, ids: Array(run), fields: fields) }
        return records
    }

    private func writeAll<Element: Sendable>(
        _ runs: [ArraySlice<Element>], _ allOrNone: Bool, _ afterFailure: CollectionResults.AfterFailure,
        _ request: (ArraySlice<Element>) -> RestRequest
    ) async throws(RestError) -> CollectionResults {
        for run in runs { try runner.builder.validate(request(run).placed(from: run.startIndex)) }
        var states: [CollectionResults.State] = []
        var isOver = false
        for run in runs {
            guard !isOver else {
                states += run.map { _ in .notSent }
                continue
            }
            do throws(RestError) {
                let results = try await results(of: request(run), run.count, allOrNone)
                states += results.map { .answered($0) }
                isOver = afterFailure == .stops && results.contains { !$0.isSuccess }
            } catch {
                states += run.map { _ in .failed(error) }
                isOver = afterFailure == .stops || error.code.isOfEveryCall
            }
        }
        return CollectionResults(states)
    }
}

extension RandomAccessCollection where Index == Int, SubSequence == ArraySlice<Element> {
    /// The elements in runs of so many, and a shorter one at the end.
    fileprivate func cut(by size: Int) -> [ArraySlice<Element>] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}

extension [RecordDraft] {
    /// The records in runs that the server takes: so many records, and so many changes of their types.
    fileprivate var runs: [ArraySlice<RecordDraft>] {
        var runs: [ArraySlice<RecordDraft>] = []
        var (start, types) = (0, 1)
        for position in indices.dropFirst() {
            if self[position].type != self[position - 1].type { types += 1 }
            guard types > RestRequest.maximumRecordRuns || position - start == RestRequest.maximumRecords else {
                continue
            }
            runs.append(self[start..<position])
            (start, types) = (position, 1)
        }
        if !isEmpty { runs.append(self[start...]) }
        return runs
    }
}

extension RestError.Code {
    /// Whether every further call would fail in the same way, so that none is worth making.
    package var isOfEveryCall: Bool {
        needsLogin || [.loginFailed, .cancelled, .shutDown, .circuitOpen, .tls, .proxyUnauthorized].contains(self)
    }
}

extension RestRequest {
    /// The same call whose problem names the place in the whole list, of which this run begins at `offset`.
    fileprivate func placed(from offset: Int) -> RestRequest {
        guard offset > 0, let problem, let (list, rest) = problem.argument.cut(byte: "["),
            let (digits, end) = rest.cut(byte: "]"),
            // bounded: written by this module, below the length of a run
            let place = Int(digits)
        else { return self }
        var copy = self
        copy.problem = InvalidArgument(
            argument: "\(list)[\(place + offset)]\(end)",
            reason: problem.reason)
        return copy
    }
}
