// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// What became of one record that was written together with others.
public struct SaveResult: Sendable, Hashable {
    /// The record's id; `nil` when it was not saved.
    public let id: String?
    /// Whether the record was saved.
    public let isSuccess: Bool
    /// Whether an upsert made the record; `nil` for other calls, and where the server does not say.
    public let isCreated: Bool?
    /// Why the record was not saved.
    public let faults: [APIFault]

    /// The id of the saved record.
    ///
    /// - Throws: the first of the faults, when the record was not saved.
    public func get() throws(APIFault) -> String {
        guard isSuccess, let id else {
            throw faults.first
                ?? APIFault(errorCode: .unknown, message: "the server refused the record without a reason")
        }
        return id
    }

    init(id: String?, isSuccess: Bool, faults: [APIFault]) {
        (self.id, self.isSuccess, self.faults) = (id, isSuccess, faults)
        isCreated = nil
    }

    /// Reads an element of the answer; `nil` when it is no save result.
    init?(_ value: JSONValue) {
        guard let isSuccess = value["success"]?.bool else { return nil }
        id = value["id"]?.string
        self.isSuccess = isSuccess
        isCreated = value["created"]?.bool
        faults = APIFault.faults(in: value)
        guard id != nil || !isSuccess else { return nil }
    }
}

/// What became of each of the records that were written in one call, in their order.
///
/// The server answers such a call with success also when it refused all of the records. ``get()`` turns a record that
/// was not saved into an error; whoever wants to go on with the others looks at each result.
public struct SaveResults: RandomAccessCollection, Sendable, Hashable {
    /// The answer as a whole.
    public let response: RestResponse
    private let results: [SaveResult]
    private let isUndone: Bool

    /// Reads the answer to a write of a collection, for calling styles that give a ``RestResponse``.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - count: how many records were to be written.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Throws: ``RestError/Code/decoding`` when the answer has no result for each of the records.
    public init(_ response: RestResponse, count: Int, allOrNone: Bool = false) throws(RestError) {
        // Counted first: an answer may be much longer than the request.
        let list = response.payload.array
        guard list?.count == count, let results = list?.compactMap({ SaveResult($0) }), results.count == count else {
            throw RestError(notAnAnswerTo: "write of \(count) records", response)
        }
        self.response = response
        self.results = results
        isUndone = allOrNone
    }

    /// The place of the first result.
    public var startIndex: Int { 0 }
    /// The place behind the last result.
    public var endIndex: Int { results.count }
    /// The result of the record at that place.
    public subscript(position: Int) -> SaveResult { results[position] }

    /// The records that were not saved, with their places.
    public var failures: [(position: Int, result: SaveResult)] {
        results.enumerated().filter { !$0.element.isSuccess }.map { ($0.offset, $0.element) }
    }

    /// The ids of all records, in order.
    ///
    /// - Throws: ``RestError/Code/api`` with the faults of every record that was not saved, each with its place in
    ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/notApplied`` when none was, else
    ///   ``RestError/WriteOutcome/unknown``.
    public func get() throws(RestError) -> [String] {
        let failures = failures
        guard !failures.isEmpty else { return results.compactMap(\.id) }
        let faults = failures.flatMap { position, result in
            result.faults.map {
                APIFault(
                    errorCode: $0.errorCode, message: $0.message, fields: $0.fields, reference: "records[\(position)]")
            }
        }
        let isNoneSaved = isUndone || failures.count == count
        throw RestError(
            failedParts: faults, of: failures.count, in: response, outcome: isNoneSaved ? .notApplied : .unknown)
    }
}
