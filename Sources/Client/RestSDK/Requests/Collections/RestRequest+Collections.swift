// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

/// Up to 200 records in one call, each with a result of its own: ``SaveResults/get()`` throws when one was not saved.
///
/// No such write is sent again after an unknown outcome, except for an upsert by external id.
extension Endpoint where Self == RestRequest.Typed<SaveResults> {
    /// Creates records.
    ///
    /// - Parameters:
    ///   - records: the records, of any types.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request.
    public static func create(_ records: [Record.Draft], allOrNone: Bool = false) -> Self {
        write("createAll", .post, [], records, allOrNone) { $0.id == nil ? nil : ("id", "a new record has no id") }
    }

    /// Changes fields of records.
    ///
    /// - Parameters:
    ///   - records: the records, of any types, with their ids.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request.
    public static func update(_ records: [Record.Draft], allOrNone: Bool = false) -> Self {
        write("updateAll", .patch, [], records, allOrNone) { record in
            guard let id = record.id, id.isRecordID || ReferencedText(id).isReference else {
                return ("id", "must be a record id of 15 or 18 letters and digits")
            }
            return nil
        }
    }

    /// Creates or changes records by an external id.
    ///
    /// The external ids name the records, so the call may be sent again after a lost answer.
    ///
    /// - Parameters:
    ///   - type: the object's name, which is that of all records.
    ///   - field: the external id field; each record has it among its fields.
    ///   - records: the fields of the records.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request.
    public static func upsert(
        _ type: String, externalID field: String, _ records: [JSONObject], allOrNone: Bool = false
    ) -> Self {
        let drafts = records.map { Record.Draft(type, $0) }
        let request = write("upsertAll", .patch, [type, field], drafts, allOrNone) { record in
            record.fields[field].map { $0.isNull || $0.string == "" } ?? true ? (field, "must have a value") : nil
        }
        // The external ids name the records, so a second time changes nothing.
        return request.effect(.writes(idempotent: true)).with {
            $0 = $0.requiring(type, "type").requiring(field, "externalID")
        }
    }

    /// Deletes records.
    ///
    /// - Parameters:
    ///   - ids: the ids of the records, of any types.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request.
    public static func delete(ids: [String], allOrNone: Bool = false) -> Self {
        var request = RestRequest(
            name: "deleteAll", method: .delete, resource: .data(["composite", "sobjects"]),
            query: [
                RestRequest.QueryItem("ids", ids.joined(separator: ",")),
                RestRequest.QueryItem("allOrNone", "\(allOrNone)"),
            ])
        // A second time would say of each record that it is gone, and with all or none that nothing was deleted.
        request.effect = .writes(idempotent: false)
        return results(of: request.requiring(ids, atMost: RestRequest.maximumRecords), ids.count, allOrNone)
    }

    private static func write(
        _ name: String, _ method: HTTPMethod, _ path: [String], _ records: [Record.Draft], _ allOrNone: Bool,
        problem: (Record.Draft) -> (argument: String, reason: String)?
    ) -> Self {
        var request = RestRequest(
            name: name, method: method, resource: .data(["composite", "sobjects"] + path),
            fields: RestRequest.jsonContent)
        let body: JSONValue = [
            "allOrNone": JSONValue(allOrNone), "records": JSONValue(JSONArray(records.map(\.json))),
        ]
        request.body = .bytes(body.bytes())
        let limit = RestRequest.maximumRecords
        guard (1...limit).contains(records.count) else {
            let reason = "there are \(records.count); the server accepts 1 to \(limit)"
            return results(of: request.refused("records", reason), records.count, allOrNone)
        }
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
                \(runs) runs of one type; the server accepts \(RestRequest.maximumRecordRuns): put records of one type \
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
    ///   - fields: the fields to read; it is an error when one does not exist.
    /// - Returns: the request, whose content has the records in the order of the ids; `nil` for one that is not there.
    public static func retrieve(_ type: String, ids: [String], fields: [String]) -> Self {
        // A POST, because more than some 800 ids do not fit into an address.
        var request = RestRequest(
            name: "retrieveAll", method: .post, resource: .data(["composite", "sobjects", type]),
            fields: RestRequest.jsonContent)
        let body: JSONValue = [
            "ids": JSONValue(JSONArray(ids.map { JSONValue($0) })),
            "fields": JSONValue(JSONArray(fields.map { JSONValue($0) })),
        ]
        request.body = .bytes(body.bytes())
        request.effect = .reads
        if fields.isEmpty { request = request.refused("fields", "must name the fields to read") }
        request = request.requiring(type, "type").requiring(ids, atMost: RestRequest.maximumRecordsRead)
        return Self(request) { (response) throws(RestError) in
            guard let list = response.payload.array, list.count == ids.count,
                list.allSatisfy({ $0.isNull || $0.object != nil })
            else { throw RestError(notAnAnswerTo: "read of \(ids.count) records", response) }
            return list.map { $0.object.map(Record.init(fields:)) }
        }
    }
}

extension RestRequest {
    /// The most records that one call writes.
    public static let maximumRecords = 200

    /// The most runs of records of one type in one call: records of two types in turn count as many runs as records.
    public static let maximumRecordRuns = 10

    /// The most records that one call reads by their ids.
    public static let maximumRecordsRead = 2_000

    fileprivate func requiring(_ ids: [String], atMost limit: Int) -> RestRequest {
        guard (1...limit).contains(ids.count) else {
            return refused("ids", "there are \(ids.count); the server accepts 1 to \(limit)")
        }
        return ids.enumerated().reduce(self) { $0.requiringID($1.element, "ids[\($1.offset)]") }
    }
}

extension Record {
    /// A record to be written together with others.
    public struct Draft: Sendable, Hashable {
        /// The object's name.
        public var type: String
        /// The id of the record to change; `nil` for a new one, and where an external id names it.
        public var id: String?
        /// The fields to set.
        public var fields: JSONObject

        /// Makes a draft.
        public init(_ type: String, id: String? = nil, _ fields: JSONObject) {
            self.type = type
            self.id = id
            self.fields = fields
        }

        /// The record as the server takes it.
        var json: JSONValue {
            var members: JSONObject = ["attributes": ["type": JSONValue(type)]]
            if let id { members["Id"] = JSONValue(id) }
            for (name, value) in fields { members[name] = value }
            return JSONValue(members)
        }
    }
}

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
            result.faults.map { $0.about("records[\(position)]") }
        }
        let isNoneSaved = isUndone || failures.count == count
        throw RestError(
            failedParts: faults, of: failures.count, in: response, outcome: isNoneSaved ? .notApplied : .unknown)
    }
}

/// What became of each record of a list of any length that was written in runs of ``RestRequest/maximumRecords``.
///
/// The results are in the order of the records, one for each, also for those whose run failed or was never sent.
public struct CollectionResults: RandomAccessCollection, Sendable {
    /// What became of one record.
    public enum State: Sendable {
        /// The server answered: the record was saved, or refused.
        case answered(SaveResult)
        /// The run that the record was in failed as a whole; the error's ``RestError/outcome`` says what is known.
        ///
        /// After a lost answer that is ``RestError/WriteOutcome/unknown``: look before the record is sent again.
        case failed(RestError)
        /// The record was never sent, because a run before it failed.
        case notSent

        /// The id of the saved record; `nil` for one that was not saved, or of which nobody knows.
        public var id: String? {
            if case .answered(let result) = self, result.isSuccess { result.id } else { nil }
        }

        /// What is known of the write of this record.
        public var outcome: RestError.WriteOutcome {
            switch self {
            case .answered(let result): result.isSuccess ? .applied : .notApplied
            case .failed(let error): error.outcome ?? .unknown
            case .notSent: .notApplied
            }
        }
    }

    private let states: [State]

    init(_ states: [State]) {
        self.states = states
    }

    /// The place of the first result.
    public var startIndex: Int { 0 }
    /// The place behind the last result.
    public var endIndex: Int { states.count }
    /// What became of the record at that place.
    public subscript(position: Int) -> State { states[position] }

    /// The places of the records that were not saved, or of which that is not known.
    public var failures: [Int] { states.indices.filter { states[$0].id == nil } }

    /// The ids of all records, in order.
    ///
    /// - Throws: ``RestError`` when one was not saved: the error of the first run that failed as a whole, else
    ///   ``RestError/Code/api``; with the faults of every record that was refused, each with its place in
    ///   ``APIFault/reference``. Its outcome is ``RestError/WriteOutcome/notApplied`` when certainly none was saved,
    ///   else ``RestError/WriteOutcome/unknown``.
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
    /// What happens to the runs behind one in which a record was not saved.
    public enum AfterFailure: Sendable, Hashable {
        /// They are not sent.
        case stops
        /// They are sent all the same; only a failure that every run would meet, such as a login that ended, ends the
        /// work.
        case goesOn
    }
}
