// SPDX-License-Identifier: Apache-2.0

public import RestJSON
import RestTransport

/// Up to 200 records in one call, each with a result of its own, which ``SaveResults`` reads.
///
/// No such write is sent again after an unknown outcome, except for an upsert by external id.
extension RestRequest {
    /// The most records that one call writes.
    public static let maximumRecords = 200
    /// The most runs of records of one type in one call: records of two types in turn count as many runs as records.
    public static let maximumRecordRuns = 10
    /// The most records that one call reads by their ids.
    public static let maximumRecordsRead = 2_000

    /// Creates records.
    ///
    /// - Parameters:
    ///   - records: the records, of any types.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request; ``SaveResults`` reads its answer.
    public static func create(_ records: [RecordDraft], allOrNone: Bool = false) -> RestRequest {
        write("createAll", .post, [], records, allOrNone) { $0.id == nil ? nil : ("id", "a new record has no id") }
    }

    /// Changes fields of records.
    ///
    /// - Parameters:
    ///   - records: the records, of any types, with their ids.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request; ``SaveResults`` reads its answer.
    public static func update(_ records: [RecordDraft], allOrNone: Bool = false) -> RestRequest {
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
    /// - Returns: the request; ``SaveResults`` reads its answer.
    public static func upsert(
        _ type: String, externalID field: String, _ records: [JSONObject], allOrNone: Bool = false
    ) -> RestRequest {
        let drafts = records.map { RecordDraft(type, $0) }
        var request = write("upsertAll", .patch, [type, field], drafts, allOrNone) { record in
            record.fields[field].map { $0.isNull || $0.string == "" } ?? true ? (field, "must have a value") : nil
        }
        // The external ids name the records, so a second time changes nothing.
        request.effect = .writes(idempotent: true)
        return request.requiring(type, "type").requiring(field, "externalID")
    }

    /// Deletes records.
    ///
    /// - Parameters:
    ///   - ids: the ids of the records, of any types.
    ///   - allOrNone: whether one that is refused undoes all others.
    /// - Returns: the request; ``SaveResults`` reads its answer.
    public static func delete(ids: [String], allOrNone: Bool = false) -> RestRequest {
        var request = RestRequest(
            name: "deleteAll", method: .delete, resource: .data(["composite", "sobjects"]),
            query: [QueryItem("ids", ids.joined(separator: ",")), QueryItem("allOrNone", "\(allOrNone)")])
        // A second time would say of each record that it is gone, and with all or none that nothing was deleted.
        request.effect = .writes(idempotent: false)
        return request.requiring(ids, atMost: maximumRecords)
    }

    /// Reads records by their ids; the payload is an array in their order, with `null` for one that is not there.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - ids: the ids of the records.
    ///   - fields: the fields to read.
    /// - Returns: the request.
    public static func retrieve(_ type: String, ids: [String], fields: [String]) -> RestRequest {
        // A POST, because more than some 800 ids do not fit into an address.
        var request = RestRequest(
            name: "retrieveAll", method: .post, resource: .data(["composite", "sobjects", type]), fields: jsonContent)
        let body: JSONValue = [
            "ids": JSONValue(JSONArray(ids.map { JSONValue($0) })),
            "fields": JSONValue(JSONArray(fields.map { JSONValue($0) })),
        ]
        request.body = .bytes(body.bytes())
        request.effect = .reads
        if fields.isEmpty { request = request.refused("fields", "must name the fields to read") }
        return request.requiring(type, "type").requiring(ids, atMost: maximumRecordsRead)
    }

    private static func write(
        _ name: String, _ method: HTTPMethod, _ path: [String], _ records: [RecordDraft], _ allOrNone: Bool,
        problem: (RecordDraft) -> (argument: String, reason: String)?
    ) -> RestRequest {
        var request = RestRequest(
            name: name, method: method, resource: .data(["composite", "sobjects"] + path), fields: jsonContent)
        let body: JSONValue = [
            "allOrNone": JSONValue(allOrNone), "records": JSONValue(JSONArray(records.map(\.json))),
        ]
        request.body = .bytes(body.bytes())
        guard (1...maximumRecords).contains(records.count) else {
            return request.refused(
                "records", "there are \(records.count); the server accepts 1 to \(maximumRecords)")
        }
        for (position, record) in records.enumerated() {
            let name = "records[\(position)]"
            request = request.requiring(record.type, "\(name).type")
            if let (argument, reason) = problem(record) { request = request.refused("\(name).\(argument)", reason) }
        }
        let runs = zip(records, records.dropFirst()).count { $0.type != $1.type } + 1
        guard runs > maximumRecordRuns else { return request }
        return request.refused(
            "records",
            "\(runs) runs of one type; the server accepts \(maximumRecordRuns): put records of one type together")
    }

    private func requiring(_ ids: [String], atMost limit: Int) -> RestRequest {
        guard (1...limit).contains(ids.count) else {
            return refused("ids", "there are \(ids.count); the server accepts 1 to \(limit)")
        }
        return ids.enumerated().reduce(self) { $0.requiringID($1.element, "ids[\($1.offset)]") }
    }
}

/// A record to be written together with others.
public struct RecordDraft: Sendable, Hashable {
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
