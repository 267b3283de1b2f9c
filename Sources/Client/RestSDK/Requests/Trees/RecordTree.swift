// SPDX-License-Identifier: Apache-2.0

public import RestJSON

/// A new record with new records below it.
public struct RecordTree: Sendable, Hashable {
    /// The records below another one by one of its relationships.
    public struct Children: Sendable, Hashable {
        /// The name of the relationship, such as `Contacts`.
        public var relationship: String
        /// The records.
        public var records: [RecordTree]

        /// The name of the relationship as the server compares it.
        fileprivate var name: String { relationship.lowercased() }
    }

    /// The object's name.
    public var type: String
    /// The record's name in the request: letters, digits and underscores, used once.
    public var reference: String
    /// The fields to set.
    public var fields: JSONObject
    /// The records below this one.
    public var children: [Children]

    /// Makes a record.
    ///
    /// - Parameters:
    ///   - type: the object's name.
    ///   - reference: the record's name in the request, by which the answer gives its id.
    ///   - fields: the fields to set.
    ///   - children: the records below it, by relationship. Several lists of one relationship are sent as one.
    public init(
        _ type: String, as reference: String, _ fields: JSONObject,
        children: KeyValuePairs<String, [RecordTree]> = [:]
    ) {
        self.type = type
        self.reference = reference
        self.fields = fields
        self.children = children.map { Children(relationship: $0.key, records: $0.value) }
    }
}

extension RecordTree {
    /// The most records in one request, at all levels together.
    public static let maximumRecords = 200
    /// The most levels of records.
    public static let maximumDepth = 5
    /// The most different types of records.
    public static let maximumTypes = 5

    /// The record as the server takes it.
    package var json: JSONValue {
        var members: JSONObject = [
            "attributes": ["type": JSONValue(type), "referenceId": JSONValue(reference)]
        ]
        for (name, value) in fields { members[name] = value }
        for list in lists {
            members[list.relationship] = ["records": JSONValue(JSONArray(list.records.map(\.json)))]
        }
        return JSONValue(members)
    }

    /// The lists of records below this one, with one list for each relationship.
    private var lists: [Children] {
        var lists: [Children] = []
        for list in children {
            if let place = lists.firstIndex(where: { $0.name == list.name }) {
                lists[place].records += list.records
            } else {
                lists.append(list)
            }
        }
        return lists
    }

    /// Whether no field has a name under which the request has something else.
    var hasOwnNames: Bool {
        let taken = Set(children.map(\.name) + ["attributes"])
        return fields.allSatisfy { !taken.contains($0.key.lowercased()) }
    }

    /// This record and those below it, from the top, with their levels from 1; a level beyond the limit is not gone
    /// into.
    func all(level: Int = 1) -> [(record: RecordTree, level: Int)] {
        guard level <= Self.maximumDepth else { return [(self, level)] }
        return [(self, level)] + children.flatMap(\.records).flatMap { $0.all(level: level + 1) }
    }
}
