// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestText

extension RestRequest {
    /// Creates records with records below them, all or none.
    ///
    /// A record that is refused makes the call fail with ``RestError/Code/api``, and ``RestError/faults`` name it by
    /// its ``APIFault/reference``.
    ///
    /// - Parameter records: the records at the top, of one type; at most ``RecordTree/maximumRecords`` with those below
    ///   them.
    /// - Returns: the request.
    public static func createTree(_ records: [RecordTree]) -> RestRequest {
        let type = records.first?.type ?? ""
        var request = RestRequest(
            name: "createTree", method: .post, resource: .data(["composite", "tree", type]), fields: jsonContent)
        request.body = .bytes(JSONValue(["records": JSONValue(JSONArray(records.map(\.json)))]).bytes())
        if let reason = treeProblem(records) { request = request.refused("records", reason) }
        return request
    }

    private static func treeProblem(_ records: [RecordTree]) -> String? {
        let all = records.flatMap { $0.all() }
        guard (1...RecordTree.maximumRecords).contains(all.count) else {
            return "there are \(all.count); the server accepts 1 to \(RecordTree.maximumRecords)"
        }
        guard all.allSatisfy({ $0.level <= RecordTree.maximumDepth }) else {
            return "the server accepts \(RecordTree.maximumDepth) levels"
        }
        let types = Set(all.map(\.record.type))
        guard types.count <= RecordTree.maximumTypes else {
            return "\(types.count) types; the server accepts \(RecordTree.maximumTypes)"
        }
        guard !types.contains(where: \.isBlank) else { return "every record needs a type" }
        guard Set(records.map(\.type)).count == 1 else { return "those at the top must be of one type" }
        guard Set(all.map(\.record.reference)).count == all.count else { return "a reference is used twice" }
        guard all.allSatisfy(\.record.reference.isPartName) else {
            return "a reference must be letters, digits and underscores"
        }
        guard all.allSatisfy(\.record.hasOwnNames) else {
            return "a field has the name of a list of records below it, or the name 'attributes'"
        }
        return nil
    }
}

extension RestClient {
    /// Creates records with records below them in one call, all or none.
    ///
    /// - Returns: the ids of the records by their references.
    /// - Throws: ``RestError``; when a record is refused, ``RestError/faults`` name it by its ``APIFault/reference``,
    ///   and nothing was created.
    public func createTree(_ records: [RecordTree]) async throws(RestError) -> [String: String] {
        let references = records.flatMap { $0.all() }.map(\.record.reference)
        return try await content(of: .createTree(records)) { (response) throws(RestError) in
            guard response.faults.isEmpty, response.payload["hasErrors"]?.bool != true else {
                throw RestError(failedParts: response.faults, of: 1, in: response, outcome: .notApplied)
            }
            var ids: [String: String] = [:]
            for result in response.payload["results"]?.array ?? [] {
                guard let reference = result["referenceId"]?.string, let id = result["id"]?.string else { continue }
                ids[reference] = id
            }
            guard Set(ids.keys) == Set(references) else {
                throw RestError(notAnAnswerTo: "tree of records", response)
            }
            return ids
        }
    }
}
