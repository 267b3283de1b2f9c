// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Completes the lists of children that the server cut, by following their own next pages one after the other.
///
/// A record is held in memory with all of its children until the caller lets go of it.
struct ChildCompletion: Sendable {
    let client: RestClient
    /// The query whose header fields and limits the requests for children have too.
    let query: RestRequest

    /// How many levels of children are completed; the query language has five.
    fileprivate static let mostLevels = 10

    /// The records with their lists of children completed.
    func completed(_ records: JSONArray) async throws(RestError) -> JSONArray {
        guard records.contains(where: { $0.hasCutChildren(levels: Self.mostLevels) }) else { return records }
        var whole: [JSONValue] = []
        for record in records { whole.append(try await completed(record)) }
        return JSONArray(whole)
    }

    /// Whether a record has all of its children.
    func isWhole(_ record: JSONValue) -> Bool { !record.hasCutChildren(levels: Self.mostLevels) }

    /// The record with its lists of children completed, and those of the children themselves.
    func completed(_ record: JSONValue) async throws(RestError) -> JSONValue {
        try await completed(record, levels: Self.mostLevels)
    }

    private func completed(_ record: JSONValue, levels: Int) async throws(RestError) -> JSONValue {
        guard record.hasCutChildren(levels: levels), let fields = record.object else { return record }
        // Each page that is fetched may bring lists of its own, so their nesting is not bounded by one answer's.
        guard levels > 0 else {
            throw RestError(.decoding, "lists of children are nested deeper than a query allows")
        }
        var whole = fields
        for field in fields where field.value.isChildList {
            whole[field.key] = try await completedList(field.value, levels: levels - 1)
        }
        return JSONValue(whole)
    }

    private func completedList(_ list: JSONValue, levels: Int) async throws(RestError) -> JSONValue {
        guard var whole = list.object else { return list }
        var children: [JSONValue] = []
        var page = list
        var walk = QueryWalk()
        let total = whole.totalSize ?? 0
        while true {
            let records = page["records"]?.array ?? []
            for child in records { children.append(try await completed(child, levels: levels)) }
            guard page["done"]?.bool == false else { break }
            guard let path = page["nextRecordsUrl"]?.string,
                walk.getsOn(to: path, after: records, given: children.count, of: total)
            else {
                throw RestError(.decoding, "a list of children is not done but names no next page, or an old one")
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
    ///
    /// At the last level, any children count: whoever completes them says that they are too deep.
    fileprivate func hasCutChildren(levels: Int) -> Bool {
        object?.contains { field in
            guard let children = field.value["records"]?.array else { return false }
            return levels == 0 || field.value["done"]?.bool == false
                || children.contains { $0.hasCutChildren(levels: levels - 1) }
        } ?? false
    }
}
