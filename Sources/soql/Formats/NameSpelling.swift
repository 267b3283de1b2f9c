// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Finds values by names that a query may spell in other cases than the answer does, as the platform allows.
///
/// What was learned from one record is used for the next ones, and an object is searched once for all of its columns:
/// a query of ten thousand columns in lower case takes ten times as long as one of a thousand.
struct NameSpelling {
    /// The names as answers spell them: by the place of their object, and in lower case.
    private var known: [String: [String: String]] = [:]
    /// The places whose object in this record was searched.
    private var searched: Set<String> = []

    /// Forgets which objects were searched: the next ones belong to another record.
    mutating func beginRecord() {
        if !searched.isEmpty { searched.removeAll(keepingCapacity: true) }
    }

    /// The value at a path of names; `nil` where a parent is null.
    ///
    /// - Parameters:
    ///   - path: the names from the record on.
    ///   - record: where to look.
    ///   - place: what tells this record from others within the same one.
    mutating func value(at path: [String], of record: JSONValue, under place: String = "") -> JSONValue? {
        var value = record
        var place = place
        for name in path {
            guard let object = value.object, let next = object[name] ?? other(name, in: object, at: place) else {
                return nil
            }
            value = next
            if path.count > 1 { place += ".\(name.lowercased())" }
        }
        return value
    }

    /// The value whose name differs in case only.
    private mutating func other(_ name: String, in object: JSONObject, at place: String) -> JSONValue? {
        let folded = name.lowercased()
        if let spelled = known[place]?[folded], let value = object[spelled] { return value }
        guard searched.insert(place).inserted else { return nil }
        for member in object { known[place, default: [:]][member.key.lowercased()] = member.key }
        return known[place]?[folded].flatMap { object[$0] }
    }
}
