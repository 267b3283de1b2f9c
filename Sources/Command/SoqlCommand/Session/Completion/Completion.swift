// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestSDK

/// What can stand at the cursor.
struct Completion: Equatable {
    /// One thing that can.
    struct Candidate: Hashable {
        /// What is written.
        let text: String
        /// What is written behind it when it is the only one: a blank, `.` or `(`.
        var suffix = " "
        /// What a list tells of it beside its name.
        var note = ""
    }

    /// How many characters before the cursor are replaced.
    var typed = 0
    /// What fits to them, in the order of a list.
    var candidates: [Candidate] = []
    /// The objects whose description would have told more.
    var wanted: Set<String> = []

    /// What is written in the place of what was typed: the only candidate, or what all of them begin with.
    ///
    /// `nil` when that says no more than what stands there.
    func insertion(replacing typed: String) -> String? {
        guard let first = candidates.first else { return nil }
        if candidates.count == 1 { return first.text + first.suffix }
        let common = candidates.dropFirst().reduce(first.text) { $0.commonPrefixIgnoringCase(with: $1.text) }
        return common.count > typed.count || (common.count == typed.count && common != typed) ? common : nil
    }
}

extension String {
    fileprivate func commonPrefixIgnoringCase(with other: String) -> String {
        let same = zip(self, other).prefix { $0 == $1 || $0.lowercased() == $1.lowercased() }
        return String(prefix(same.count))
    }
}

/// What is known of an org for completion.
struct CompletionSchema: Sendable {
    /// The names of the objects that can be queried.
    var objects = NameIndex([])
    /// Descriptions by the objects' names in lower case.
    var descriptions: [String: ObjectDescription] = [:]

    func description(of object: String) -> ObjectDescription? { descriptions[object.lowercased()] }
}

/// Names that are found by their beginning, in any case, without looking at all of them.
struct NameIndex: Sendable {
    private let names: [(folded: String, name: String)]

    init(_ names: [String]) {
        self.names = names.map { ($0.lowercased(), $0) }.sorted { $0.0 < $1.0 }
    }

    /// The names that begin so, in alphabetical order.
    func names(beginningWith prefix: String) -> [String] {
        let prefix = prefix.lowercased()
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].folded < prefix { low = middle + 1 } else { high = middle }
        }
        return names[low...].prefix { $0.folded.hasBytes(prefix: prefix) }.map(\.name)
    }
}

/// Finds the fields and relationships that names in a statement stand for, and notes which descriptions are missing.
struct SchemaLookup {
    let schema: CompletionSchema
    let scopes: [QueryScope]
    /// The objects whose description was looked for and is not known.
    private(set) var missing: Set<String> = []

    init(schema: CompletionSchema, scopes: [QueryScope]) {
        (self.schema, self.scopes) = (schema, scopes)
    }

    private mutating func description(of object: String) -> ObjectDescription? {
        if let description = schema.description(of: object) { return description }
        missing.insert(object)
        return nil
    }

    /// The object that a query reads.
    private mutating func object(of scope: Int?) -> String? {
        guard let scope, let source = scopes[scope].source else { return nil }
        guard let parent = scopes[scope].parent else { return source }
        guard let object = object(of: parent), let description = description(of: object) else { return nil }
        return description.childRelationship(named: source)?.object
    }

    /// The objects that relationships lead to, from the object of a query on.
    mutating func objects(at path: [String], _ scope: Int?) -> [String] {
        guard let scope, let object = object(of: scope) else { return [] }
        var names = path[...]
        let own = [scopes[scope].alias, scopes[scope].source].compactMap { $0?.lowercased() }
        if let first = names.first?.lowercased(), own.contains(first) { names.removeFirst() }
        return names.reduce([object]) { objects, name in targets(of: name, objects) }
    }

    private mutating func targets(of relationship: String, _ objects: [String]) -> [String] {
        var targets: [String] = []
        for object in objects {
            targets += description(of: object)?.parentField(named: relationship)?.referenceTo ?? []
        }
        return targets
    }

    /// The objects that a relationship of a query's object leads to.
    mutating func targets(of relationship: String, _ scope: Int?) -> [String] {
        targets(of: relationship, objects(at: [], scope))
    }

    /// The fields of this path; several where a relationship leads to several objects.
    mutating func field(_ path: String, _ scope: Int?) -> [ObjectDescription.Field] {
        let (parents, name) = path.path
        return objects(at: parents, scope).compactMap { description(of: $0)?[name] }
    }

    /// The fields that can be used so, and the relationships that lead on.
    mutating func members(of objects: [String], for use: QueryPlace.Use) -> [Completion.Candidate] {
        let descriptions = objects.compactMap { description(of: $0) }
        let fields = descriptions.flatMap(\.fields)
        let own = fields.filter { $0.fits(use) }.map {
            Completion.Candidate(text: $0.name, suffix: use.suffix, note: $0.kind.rawValue)
        }
        let relations = fields.compactMap { field in
            field.relationshipName.map {
                Completion.Candidate(text: $0 + ".", suffix: "", note: field.referenceTo.joined(separator: ", "))
            }
        }
        return (own.sorted { $0.text < $1.text } + relations.sorted { $0.text < $1.text }).withoutDoubles
    }

    /// The relationships of a query's object that lead to children.
    mutating func children(of scope: Int) -> [Completion.Candidate] {
        objects(at: [], scope).compactMap { description(of: $0) }.flatMap(\.childRelationships).compactMap { child in
            child.name.map { Completion.Candidate(text: $0, note: child.object) }
        }.sorted { $0.text < $1.text }
    }

    /// The relationships of a query's object that lead to parents of several objects.
    mutating func parents(_ scope: Int?) -> [Completion.Candidate] {
        objects(at: [], scope).compactMap { description(of: $0) }.flatMap(\.fields)
            .filter { $0.referenceTo.count > 1 }.compactMap(\.relationshipName)
            .map { Completion.Candidate(text: $0) }
    }
}

extension ObjectDescription.Field {
    fileprivate func fits(_ use: QueryPlace.Use) -> Bool {
        switch use {
        case .selecting, .argument: true
        case .filtering: isFilterable
        case .grouping: isGroupable
        case .ordering: isSortable
        }
    }

    /// The values that the field offers.
    var choices: [Completion.Candidate] {
        picklistValues.filter(\.isActive).map {
            Completion.Candidate(text: $0.value, note: $0.label == $0.value ? "" : $0.label)
        }
    }
}

extension QueryPlace.Use {
    /// What stands behind a field that was completed: in a list, a comma or a blank is the user's choice.
    fileprivate var suffix: String {
        switch self {
        case .selecting, .argument, .grouping: ""
        case .filtering, .ordering: " "
        }
    }
}

extension [Completion.Candidate] {
    fileprivate var withoutDoubles: [Completion.Candidate] {
        var seen: Set<String> = []
        return filter { seen.insert($0.text).inserted }
    }
}
