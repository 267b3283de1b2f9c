// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Completes the lists of children that the server cut, by following their own next pages one after the other.
///
/// A record is held in memory with all of its children until the caller lets go of it.
struct ChildCompletion: Sendable {
    let client: RestClient
    /// The query whose header fields and limits the requests for children have too.
    let query: RestRequest

    /// The records with their lists of children completed.
    func completed(_ records: JSONArray) async throws(RestError) -> JSONArray {
        guard records.contains(where: \.hasCutChildren) else { return records }
        var whole: [JSONValue] = []
        for record in records { whole.append(try await completed(record)) }
        return JSONArray(whole)
    }

    /// The record with its lists of children completed, and those of the children themselves.
    func completed(_ record: JSONValue) async throws(RestError) -> JSONValue {
        guard record.hasCutChildren, let fields = record.object else { return record }
        var whole = fields
        for field in fields where field.value.isChildList {
            whole[field.key] = try await completedList(field.value)
        }
        return JSONValue(whole)
    }

    private func completedList(_ list: JSONValue) async throws(RestError) -> JSONValue {
        guard var whole = list.object else { return list }
        var children: [JSONValue] = []
        var page = list
        var pathsSeen: Set<String> = []
        while true {
            for child in page["records"]?.array ?? [] { children.append(try await completed(child)) }
            guard page["done"]?.bool == false else { break }
            guard let path = page["nextRecordsUrl"]?.string, pathsSeen.insert(path).inserted else {
                throw RestError(.decoding, "a list of children is not done but names no new next page")
            }
            page = JSONValue(try QueryPage.content(await client.send(query.following(path))))
        }
        whole["records"] = JSONValue(JSONArray(children))
        whole["done"] = true
        whole["nextRecordsUrl"] = nil
        return JSONValue(whole)
    }
}

extension JSONValue {
    /// Whether the value is a query result inside a record.
    fileprivate var isChildList: Bool { self["records"]?.array != nil && self["done"]?.bool != nil }

    /// Whether a list of children in the record, at any depth, ends before its last child.
    fileprivate var hasCutChildren: Bool {
        object?.contains { field in
            guard let children = field.value["records"]?.array else { return false }
            return field.value["done"]?.bool == false || children.contains(where: \.hasCutChildren)
        } ?? false
    }
}
