// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

/// Calls for up to 200 records with one result each.
///
/// ``SaveResults/get()`` throws if a record was not saved. After an unknown outcome, no such write is retried, except
/// for an upsert by external id.
extension Endpoint where Self == RestRequest.Typed<SaveResults> {
    /// Creates records.
    ///
    /// - Parameters:
    ///   - records: the records, of any types.
    ///   - allOrNone: whether one rejected record undoes all others.
    /// - Returns: the request.
    public static func create(_ records: [Record.Draft], allOrNone: Bool = false) -> Self {
        write("createAll", .post, [], records, allOrNone) {
            $0.id == nil ? nil : ("id", "must be nil for a new record")
        }
    }

    /// Updates fields of records.
    ///
    /// - Parameters:
    ///   - records: the records, of any types, with their ids.
    ///   - allOrNone: whether one rejected record undoes all others.
    /// - Returns: the request.
    public static func update(_ records: [Record.Draft], allOrNone: Bool = false) -> Self {
        write("updateAll", .patch, [], records, allOrNone) { record in
            guard let id = record.id, id.isRecordID || ReferencedText(id).isReference else {
                return ("id", "must be a record id of 15 or 18 letters and digits")
            }
            return nil
        }
    }

    /// Creates or updates records by an external id.
    ///
    /// The external ids identify the records, so the call can be retried after a lost response.
    ///
    /// - Parameters:
    ///   - type: the object's name, which is the same for all records.
    ///   - field: the external id field, which each record must contain.
    ///   - records: the fields of the records.
    ///   - allOrNone: whether one rejected record undoes all others.
    /// - Returns: the request.
    public static func upsert(
        _ type: String, externalID field: String, _ records: [JSONObject], allOrNone: Bool = false
    ) -> Self {
        let drafts = records.map { Record.Draft(type, $0) }
        let request = write("upsertAll", .patch, [type, field], drafts, allOrNone) { record in
            record.fields[field].map { $0.isNull || $0.string == "" } ?? true ? (field, "must have a value") : nil
        }
        // The external ids identify the records, so a second attempt changes nothing.
        return request.effect(.writes(idempotent: true)).with {
            $0 = $0.requiring(type, "type").requiring(field, "externalID")
        }
    }

    /// Deletes records.
    ///
    /// - Parameters:
    ///   - ids: the ids of the records, of any types.
    ///   - allOrNone: whether one rejected record undoes all others.
    /// - Returns: the request.
    public static func delete(ids: [String], allOrNone: Bool = false) -> Self {
        let request = RestRequest(
            name: "deleteAll", method: .delete, resource: .data(["composite", "sobjects"]),
            query: [.init("ids", ids.joined(separator: ",")), .init("allOrNone", "\(allOrNone)")],
            // A second attempt would report missing records, and with `allOrNone` that nothing was deleted.
            effect: .writes(idempotent: false))
        return results(of: request.requiringIDs(ids, atMost: RestRequest.maximumRecords), ids.count, allOrNone)
    }

    private static func write(
        _ name: String, _ method: HTTPMethod, _ path: [String], _ records: [Record.Draft], _ allOrNone: Bool,
        problem: (Record.Draft) -> (argument: String, reason: String)?
    ) -> Self {
        var request = RestRequest(name: name, method: method, resource: .data(["composite", "sobjects"] + path))
            .json(["allOrNone": JSONValue(allOrNone), "records": JSONValue(JSONArray(records.map(\.json)))])
            .requiring(records.count, "records", atMost: RestRequest.maximumRecords)
        guard request.problem == nil else { return results(of: request, records.count, allOrNone) }
        for (position, record) in records.enumerated() {
            let name = "records[\(position)]"
            request = request.requiring(record.type, "\(name).type")
            if let (argument, reason) = problem(record) { request = request.refused("\(name).\(argument)", reason) }
        }
        let runs = zip(records, records.dropFirst()).count { $0.type != $1.type } + 1
        if runs > RestRequest.maximumRecordRuns {
            request = request.refused(
                "records",
                """
                there are \(runs) runs of one type; the server accepts \(RestRequest.maximumRecordRuns): put records of one type \
                together
                """)
        }
        return results(of: request, records.count, allOrNone)
    }

    private static func results(of request: RestRequest, _ count: Int, _ allOrNone: Bool) -> Self {
        Self(request) { (response) throws(RestError) in
            try SaveResults(response, count: count, allOrNone: allOrNone)
        }
    }
}

extension Endpoint where Self == RestRequest.Typed<[Record?]> {
    /// Reads up to ``RestRequest/maximumRecordsRead`` records by their ids.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - ids: the ids of the records.
    ///   - fields: the fields to read. The call fails if a field does not exist.
    /// - Returns: the request, whose content has the records in the order of the ids, with `nil` for a record that does
    ///   not exist.
    public static func retrieve(_ type: String, ids: [String], fields: [String]) -> Self {
        // The call is a POST, because a URL has room for only about 800 ids.
        let body: JSONValue = [
            "ids": JSONValue(JSONArray(ids.map { JSONValue($0) })),
            "fields": JSONValue(JSONArray(fields.map { JSONValue($0) })),
        ]
        let request = RestRequest(
            name: "retrieveAll", method: .post, resource: .data(["composite", "sobjects", type]), effect: .reads
        ).json(body).refused("fields", fields.isEmpty ? "must name the fields to read" : nil)
            .requiring(type, "type").requiringIDs(ids, atMost: RestRequest.maximumRecordsRead)
        return Self(request) { (response) throws(RestError) in
            guard let list = response.payload.array, list.count == ids.count,
                list.allSatisfy({ $0.isNull || $0.object != nil })
            else { throw RestError(notAResponseTo: "read of \(ids.count) records", response) }
            return list.map { $0.object.map(Record.init(fields:)) }
        }
    }
}

extension RestRequest {
    /// The maximum number of records that one call can write.
    public static let maximumRecords = 200

    /// The maximum number of runs of one type in one call, where alternating types start a new run with each record.
    public static let maximumRecordRuns = 10

    /// The maximum number of records that one call can read by their ids.
    public static let maximumRecordsRead = 2_000
}

extension Record {
    /// A record for a collection request.
    public struct Draft: Sendable, Hashable {
        /// The object's name.
        public var type: String
        /// The id of the record to update, or `nil` for a new record or an upsert by external id.
        public var id: String?
        /// The fields to set.
        public var fields: JSONObject

        /// Makes a draft.
        public init(_ type: String, id: String? = nil, _ fields: JSONObject) {
            self.type = type
            self.id = id
            self.fields = fields
        }

        var json: JSONValue {
            var members: JSONObject = ["attributes": ["type": JSONValue(type)]]
            if let id { members["Id"] = JSONValue(id) }
            for (name, value) in fields { members[name] = value }
            return JSONValue(members)
        }
    }
}

/// The result of saving one record in a collection request.
public struct SaveResult: Sendable, Hashable {
    /// The record's id, or `nil` if the record was not saved.
    public let id: String?
    /// Whether the record was saved.
    public let isSuccess: Bool
    /// Whether an upsert created the record, or `nil` for other calls and if the server does not report it.
    public let isCreated: Bool?
    /// The errors, if the record was not saved.
    public let faults: [APIFault]

    /// Returns the id of the saved record, or throws if the record was not saved.
    ///
    /// - Throws: the first error.
    public func get() throws(APIFault) -> String {
        guard isSuccess, let id else {
            throw faults.first
                ?? APIFault(errorCode: .unknown, message: "the server rejected the record without a reason")
        }
        return id
    }

    init(id: String?, isSuccess: Bool, faults: [APIFault]) {
        (self.id, self.isSuccess, self.faults) = (id, isSuccess, faults)
        isCreated = nil
    }

    /// Reads an element of the response, and returns `nil` if it is not a save result.
    init?(_ value: JSONValue) {
        guard let isSuccess = value["success"]?.bool else { return nil }
        id = value["id"]?.string
        self.isSuccess = isSuccess
        isCreated = value["created"]?.bool
        faults = APIFault.faults(in: value)
        guard id != nil || !isSuccess else { return nil }
    }
}

/// The results of the records of one collection request, in order.
///
/// The server responds with success even if it rejected all records. ``get()`` throws if a record was not saved. To
/// process the other records in this case, use the single results.
public struct SaveResults: RandomAccessCollection, Sendable, Hashable {
    /// The complete response.
    public let response: RestResponse
    private let results: [SaveResult]
    private let isUndone: Bool

    /// Reads the response to a collection request, for calling styles that return a ``RestResponse``.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - count: the number of records in the request.
    ///   - allOrNone: whether one rejected record undoes all others.
    /// - Throws: ``RestError/Code/decoding`` if the response does not have a result for each record.
    public init(_ response: RestResponse, count: Int, allOrNone: Bool = false) throws(RestError) {
        // Check the count first, because the response may be much longer than the request.
        let list = response.payload.array
        guard list?.count == count, let results = list?.compactMap({ SaveResult($0) }), results.count == count else {
            throw RestError(notAResponseTo: "write of \(count) records", response)
        }
        self.response = response
        self.results = results
        isUndone = allOrNone
    }

    /// The index of the first result, which is 0.
    public var startIndex: Int { 0 }
    /// The index after the last result.
    public var endIndex: Int { results.count }
    /// The result of the record at an index.
    public subscript(position: Int) -> SaveResult { results[position] }

    /// The results of the records that were not saved, with their indices.
    public var failures: [(position: Int, result: SaveResult)] {
        results.enumerated().filter { !$0.element.isSuccess }.map { ($0.offset, $0.element) }
    }

    /// Returns the ids of all records, in order.
    ///
    /// - Throws: ``RestError/Code/api`` with the errors of all records that were not saved. ``APIFault/reference`` has
    ///   the index of the record. The outcome is ``RestError/WriteOutcome/notApplied`` if no record was saved,
    ///   otherwise ``RestError/WriteOutcome/unknown``.
    public func get() throws(RestError) -> [String] {
        let failures = failures
        guard !failures.isEmpty else { return results.compactMap(\.id) }
        let faults = failures.flatMap { position, result in
            result.faults.map { $0.about("records[\(position)]") }
        }
        let isNoneSaved = isUndone || failures.count == count
        throw RestError(
            failedParts: faults, of: failures.count, in: response, outcome: isNoneSaved ? .notApplied : .unknown)
    }
}

/// The results of a list of any length that was written in calls of up to ``RestRequest/maximumRecords`` records.
///
/// There is one result for each record, in order, even if its call failed or was not sent.
public struct CollectionResults: RandomAccessCollection, Sendable {
    /// The result of one record.
    public enum State: Sendable {
        /// The server responded, and the record was saved or rejected.
        case answered(SaveResult)
        /// The whole call of the record failed.
        ///
        /// ``RestError/outcome`` of the error is ``RestError/WriteOutcome/unknown`` after a lost response. In this
        /// case, check the record before you send it again.
        case failed(RestError)
        /// The record was not sent, because an earlier call failed.
        case notSent

        /// The id of the saved record, or `nil` if the record was not saved or its outcome is unknown.
        public var id: String? {
            if case .answered(let result) = self, result.isSuccess { result.id } else { nil }
        }

        /// The outcome of the write of this record.
        public var outcome: RestError.WriteOutcome {
            switch self {
            case .answered(let result): result.isSuccess ? .applied : .notApplied
            case .failed(let error): error.outcome ?? .unknown
            case .notSent: .notApplied
            }
        }
    }

    private let states: [State]

    init(_ states: [State]) { self.states = states }

    /// The index of the first result, which is 0.
    public var startIndex: Int { 0 }
    /// The index after the last result.
    public var endIndex: Int { states.count }
    /// The result of the record at an index.
    public subscript(position: Int) -> State { states[position] }

    /// The indices of the records that were not saved, or whose outcome is unknown.
    public var failures: [Int] { states.indices.filter { states[$0].id == nil } }

    /// Returns the ids of all records, in order.
    ///
    /// - Throws: ``RestError`` if a record was not saved: the error of the first call that failed, otherwise
    ///   ``RestError/Code/api``. It has the errors of all rejected records, with the index of the record in
    ///   ``APIFault/reference``. The outcome is ``RestError/WriteOutcome/notApplied`` if certainly no record was saved,
    ///   otherwise ``RestError/WriteOutcome/unknown``.
    public func get() throws(RestError) -> [String] {
        let ids = states.compactMap(\.id)
        guard ids.count < states.count else { return ids }
        let isNoneSaved = states.allSatisfy { $0.outcome == .notApplied }
        let outcome: RestError.WriteOutcome = isNoneSaved ? .notApplied : .unknown
        let message = "\(states.count - ids.count) of \(states.count) records were not saved"
        let lost = states.lazy.compactMap { if case .failed(let error) = $0 { error } else { nil } }.first
        guard let lost else {
            throw RestError(
                .api, faults.cause.map { "\(message): \($0)" } ?? message, faults: faults, outcome: outcome)
        }
        throw RestError(
            lost.code, "\(message): \(lost.message)", faults: faults + lost.faults, request: lost.request,
            response: lost.response, body: lost.body, outcome: outcome, attempts: lost.attempts, underlying: lost)
    }

    private var faults: [APIFault] {
        states.enumerated().flatMap { position, state -> [APIFault] in
            guard case .answered(let result) = state else { return [] }
            return result.faults.map { $0.about("records[\(position)]") }
        }
    }
}

extension CollectionResults {
    /// The handling of later calls after a record was not saved.
    public enum AfterFailure: Sendable, Hashable {
        /// Later calls are not sent.
        case stops
        /// Later calls are sent, unless they would all fail with the same error, such as an expired login.
        case goesOn
    }
}
