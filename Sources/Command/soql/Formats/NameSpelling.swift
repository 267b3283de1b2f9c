// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// Finds values by name without regard to case, as the platform allows.
///
/// Spellings found in one record are used for the next ones, and an object is searched once for all of its columns.
/// So the time grows linearly with the number of columns.
struct NameSpelling {
    /// The names as answers spell them: by the place of their object, and in lower case.
    private var known: [String: [String: String]] = [:]
    /// The places whose object in this record was searched.
    private var searched: Set<String> = []

    /// Forgets which objects were searched: the next ones belong to another record.
    mutating func beginRecord() {
        if !searched.isEmpty { searched.removeAll(keepingCapacity: true) }
    }

    /// Finds the value at a path of names.
    ///
    /// - Parameters:
    ///   - path: the names, from the record on.
    ///   - record: where to look.
    ///   - place: the name of this record among those inside of the same one.
    /// - Returns: the value, or `nil` if a parent is null.
    mutating func value(at path: [String], of record: JSONValue, under place: String = "") -> JSONValue? {
        var value = record
        for index in path.indices {
            guard let next = value[path[index]] ?? other(path[...index], in: value, under: place) else { return nil }
            value = next
        }
        return value
    }

    /// The value whose name, the last one of the path, differs in case only.
    private mutating func other(_ path: ArraySlice<String>, in value: JSONValue, under place: String) -> JSONValue? {
        guard let object = value.object, let folded = path.last?.lowercased() else { return nil }
        let place = path.dropLast().reduce(place) { "\($0).\($1.lowercased())" }
        if let spelled = known[place]?[folded], let value = object[spelled] { return value }
        guard searched.insert(place).inserted else { return nil }
        for member in object { known[place, default: [:]][member.key.lowercased()] = member.key }
        return known[place]?[folded].flatMap { object[$0] }
    }
}
