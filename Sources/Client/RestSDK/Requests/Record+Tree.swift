// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestJSON

extension Record {
    /// A new record with new child records.
    public struct Tree: Sendable, Hashable {
        /// The child records of one relationship.
        public struct Children: Sendable, Hashable {
            /// The name of the relationship, such as `Contacts`.
            public var relationship: String
            /// The records.
            public var records: [Record.Tree]

            /// The name of the relationship, in lower case for comparisons.
            fileprivate var name: String { relationship.lowercased() }
        }

        /// The object's name.
        public var type: String
        /// The record's name in the request: letters, digits and underscores, unique in the request.
        public var reference: String
        /// The fields to set.
        public var fields: JSONObject
        /// The child records.
        public var children: [Children]

        /// Makes a record.
        ///
        /// - Parameters:
        ///   - type: the object's name.
        ///   - reference: the record's name in the request, which identifies its id in the response.
        ///   - fields: the fields to set.
        ///   - children: the child records, by relationship. Several lists of one relationship are sent as one list.
        public init(
            _ type: String, as reference: String, _ fields: JSONObject,
            children: KeyValuePairs<String, [Record.Tree]> = [:]
        ) {
            self.type = type
            self.reference = reference
            self.fields = fields
            self.children = children.map { Children(relationship: $0.key, records: $0.value) }
        }
    }
}

extension Record.Tree {
    /// The maximum number of records in one request, at all levels together.
    public static let maximumRecords = 200
    /// The maximum number of levels.
    public static let maximumDepth = 5
    /// The maximum number of different objects.
    public static let maximumTypes = 5

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

    /// The child records, with one list for each relationship.
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

    /// Whether no field has the name of a list of children or of `attributes`.
    var hasOwnNames: Bool {
        let taken = Set(children.map(\.name) + ["attributes"])
        return fields.allSatisfy { !taken.contains($0.key.lowercased()) }
    }

    /// Returns this record and its descendants with their levels from 1, down to one level after the maximum.
    func all(level: Int = 1) -> [(record: Record.Tree, level: Int)] {
        guard level <= Self.maximumDepth else { return [(self, level)] }
        return [(self, level)] + children.flatMap(\.records).flatMap { $0.all(level: level + 1) }
    }
}

extension Endpoint where Self == RestRequest.Typed<[String: String]> {
    /// Creates records with child records, all or none.
    ///
    /// If a record is rejected, the call fails with ``RestError/Code/api``. ``APIFault/reference`` in
    /// ``RestError/faults`` identifies the record.
    ///
    /// - Parameter records: the top-level records, all of one object. Together with their descendants there are at most
    ///   ``Record/Tree/maximumRecords``.
    /// - Returns: the request, whose content maps the references to the ids of the records.
    public static func createTree(_ records: [Record.Tree]) -> Self {
        let type = records.first?.type ?? ""
        let request = RestRequest(name: "createTree", method: .post, resource: .data(["composite", "tree", type]))
            .json(["records": JSONValue(JSONArray(records.map(\.json)))])
            .refused("records", RestRequest.treeProblem(records))
        let references = Set(records.flatMap { $0.all() }.map(\.record.reference))
        return Self(request) { (response) throws(RestError) in
            guard response.faults.isEmpty, response.payload["hasErrors"]?.bool != true else {
                throw RestError(failedParts: response.faults, of: 1, in: response, outcome: .notApplied)
            }
            var ids: [String: String] = [:]
            for result in response.payload["results"]?.array ?? [] {
                guard let reference = result["referenceId"]?.string, let id = result["id"]?.string else { continue }
                ids[reference] = id
            }
            guard Set(ids.keys) == references else { throw RestError(notAResponseTo: "tree of records", response) }
            return ids
        }
    }
}

extension RestRequest {
    fileprivate static func treeProblem(_ records: [Record.Tree]) -> String? {
        let all = records.flatMap { $0.all() }
        guard (1...Record.Tree.maximumRecords).contains(all.count) else {
            return "there are \(all.count); the server accepts 1 to \(Record.Tree.maximumRecords)"
        }
        guard all.allSatisfy({ $0.level <= Record.Tree.maximumDepth }) else {
            return "there are too many levels; the server accepts \(Record.Tree.maximumDepth)"
        }
        let types = Set(all.map(\.record.type))
        guard types.count <= Record.Tree.maximumTypes else {
            return "there are \(types.count) types; the server accepts \(Record.Tree.maximumTypes)"
        }
        guard !types.contains(where: \.isBlank) else { return "every record needs a type" }
        guard Set(records.map(\.type)).count == 1 else { return "the records at the top level must be of one type" }
        guard Set(all.map(\.record.reference)).count == all.count else { return "a reference is used twice" }
        guard all.allSatisfy(\.record.reference.isPartName) else {
            return "a reference must be letters, digits and underscores"
        }
        guard all.allSatisfy(\.record.hasOwnNames) else {
            return "a field has the name of one of its lists of child records, or the name 'attributes'"
        }
        return nil
    }
}
