// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

/// Reads and writes of lists of any length, split into sequential calls of the size that the server accepts.
///
/// All arguments are checked before the first call. For more than tens of thousands of records, use Salesforce's bulk
/// jobs.
extension RestClient {
    /// Creates records, up to ``RestRequest/maximumRecords`` in each call.
    ///
    /// - Parameters:
    ///   - records: the records, of any types.
    ///   - allOrNone: whether one rejected record undoes the other records of its call. Other calls are not affected.
    ///   - afterFailure: what to do with later calls after a record was not saved.
    /// - Returns: the result of each record, in order. ``CollectionResults/get()`` throws if a record was not saved.
    /// - Throws: ``RestError/Code/invalidRequest`` before anything is sent. All other errors are in the results.
    public func createAll(
        _ records: [Record.Draft], allOrNone: Bool = false, afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(records.runs, afterFailure) { .create(Array($0), allOrNone: allOrNone) }
    }

    /// Updates fields of records, like ``createAll(_:allOrNone:afterFailure:)``.
    public func updateAll(
        _ records: [Record.Draft], allOrNone: Bool = false, afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(records.runs, afterFailure) { .update(Array($0), allOrNone: allOrNone) }
    }

    /// Creates or updates records of one type by an external id, like ``createAll(_:allOrNone:afterFailure:)``.
    public func upsertAll(
        _ type: String, externalID field: String, _ records: [JSONObject], allOrNone: Bool = false,
        afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(records.cut(by: RestRequest.maximumRecords), afterFailure) {
            .upsert(type, externalID: field, Array($0), allOrNone: allOrNone)
        }
    }

    /// Deletes records, like ``createAll(_:allOrNone:afterFailure:)``.
    public func deleteAll(
        ids: [String], allOrNone: Bool = false, afterFailure: CollectionResults.AfterFailure = .stops
    ) async throws(RestError) -> CollectionResults {
        try await writeAll(ids.cut(by: RestRequest.maximumRecords), afterFailure) {
            .delete(ids: Array($0), allOrNone: allOrNone)
        }
    }

    /// Reads records by their ids, up to ``RestRequest/maximumRecordsRead`` in each call.
    ///
    /// - Returns: the records in the order of the ids, with `nil` for a record that does not exist.
    /// - Throws: ``RestError``, in which case no records are returned.
    public func retrieveAll(_ type: String, ids: [String], fields: [String]) async throws(RestError) -> [Record?] {
        let calls = ids.cut(by: RestRequest.maximumRecordsRead).map {
            RestRequest.Typed.retrieve(type, ids: Array($0), fields: fields)
        }
        for call in calls { try runner.builder.validate(call.request) }
        var records: [Record?] = []
        for call in calls { records += try await send(call) }
        return records
    }

    private func writeAll<Element: Sendable>(
        _ runs: [ArraySlice<Element>], _ afterFailure: CollectionResults.AfterFailure,
        _ call: (ArraySlice<Element>) -> RestRequest.Typed<SaveResults>
    ) async throws(RestError) -> CollectionResults {
        for run in runs { try runner.builder.validate(call(run).request.placed(from: run.startIndex)) }
        var states: [CollectionResults.State] = []
        var isOver = false
        for run in runs {
            guard !isOver else {
                states += run.map { _ in .notSent }
                continue
            }
            do throws(RestError) {
                let results = try await send(call(run))
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
    fileprivate func cut(by size: Int) -> [ArraySlice<Element>] {
        stride(from: startIndex, to: endIndex, by: size).map { self[$0..<Swift.min($0 + size, endIndex)] }
    }
}

extension [Record.Draft] {
    /// The records in slices within the server's limits for records and for changes of the type.
    fileprivate var runs: [ArraySlice<Record.Draft>] {
        var runs: [ArraySlice<Record.Draft>] = []
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
    /// Whether all further calls would fail with the same error.
    package var isOfEveryCall: Bool {
        needsLogin || [.loginFailed, .cancelled, .shutDown, .circuitOpen, .tls, .proxyUnauthorized].contains(self)
    }
}

extension RestRequest {
    /// Returns a copy whose problem names the index in the whole list, from the index in this slice.
    fileprivate func placed(from offset: Int) -> RestRequest {
        guard offset > 0, let problem, let (list, rest) = problem.argument.cut(byte: "["),
            let (digits, end) = rest.cut(byte: "]"),
            // bounded: written by this module, below the length of a run
            let place = Int(digits)
        else { return self }
        return with { $0.problem = InvalidArgument("\(list)[\(place + offset)]\(end)", problem.reason) }
    }
}
