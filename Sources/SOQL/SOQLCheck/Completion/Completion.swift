// SPDX-License-Identifier: Apache-2.0

import RestBase

/// The completions at the cursor.
package struct Completion: Sendable, Equatable {
    package struct Candidate: Sendable, Hashable {
        package let text: String
        /// The text inserted after a single candidate: a space, `.` or `(`.
        package var suffix = " "
        /// The description in a list of candidates.
        package var note = ""

        package init(text: String, suffix: String = " ", note: String = "") {
            (self.text, self.suffix, self.note) = (text, suffix, note)
        }
    }

    /// The number of characters before the cursor that are replaced.
    package var typed = 0
    /// The matching candidates, in the order of a list.
    package var candidates: [Candidate] = []
    /// The objects whose missing descriptions would provide more candidates.
    package var wanted: Set<String> = []
    /// Whether the channels that are records of the org would provide more candidates.
    package var wantsChannels = false

    package init(typed: Int = 0, candidates: [Candidate] = [], wanted: Set<String> = []) {
        (self.typed, self.candidates, self.wanted) = (typed, candidates, wanted)
    }

    /// The replacement for the typed text: the only candidate or the common prefix, or `nil` if that adds nothing.
    package func insertion(replacing typed: String) -> String? {
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

/// The information about an org that completion uses.
package struct CompletionSchema: Sendable {
    package var objects = NameIndex([])
    /// The channels of events, sorted.
    package var channels: [String] = []
    package private(set) var described = QuerySchema(described: [:])

    private var descriptions: [String: ObjectDescription] = [:]

    package init() {}

    /// Creates the information about an org whose objects are all described.
    package init(_ schema: QuerySchema) {
        (objects, described) = (NameIndex(schema.objects.map(\.name)), schema)
    }

    package mutating func add(_ description: ObjectDescription) {
        descriptions[description.name.lowercased()] = description
        described = QuerySchema(described: descriptions)
    }
}

/// An index of names by prefix, in any case, with binary search.
package struct NameIndex: Sendable {
    private let names: [(folded: String, name: String)]

    package init(_ names: [String]) {
        self.names = names.map { ($0.lowercased(), $0) }.sorted { $0.0 < $1.0 }
    }

    var isEmpty: Bool { names.isEmpty }

    package func names(beginningWith prefix: String) -> [String] {
        let prefix = prefix.lowercased()
        var (low, high) = (0, names.count)
        while low < high {
            let middle = (low + high) / 2
            if names[middle].folded < prefix { low = middle + 1 } else { high = middle }
        }
        return names[low...].prefix { $0.folded.hasBytes(prefix: prefix) }.map(\.name)
    }
}

/// Finds completions in the queries of a statement, by resolving their names.
package struct SchemaLookup {
    private let resolver: Resolver
    private let scopes: [QueryScope]

    package init(schema: CompletionSchema, scopes: [QueryScope]) {
        (resolver, self.scopes) = (Resolver("", schema.described), scopes)
    }

    /// The objects whose descriptions were needed but are unknown.
    package var missing: Set<String> { resolver.missingObjects }

    private func names(of scope: Int?) -> QueryNames? {
        guard let scope, let source = scopes[scope].source else { return nil }
        let parent = scopes[scope].parent.map { names(of: $0) }
        if case .some(nil) = parent { return nil }
        return QueryNames(of: source, alias: scopes[scope].alias, in: parent ?? nil, resolver)
    }

    func value(_ path: String, _ scope: Int?) -> ResolvedValue? {
        let (parents, name) = path.path
        return names(of: scope)?.value(of: parents + [name])
    }

    /// The objects to which a relationship of the query's object refers.
    func targets(of relationship: String, _ scope: Int?) -> [String] {
        names(of: scope)?.object?.parentField(named: relationship)?.referenceTo ?? []
    }

    /// The fields that allow a use, and the relationships, after the first names of a path.
    func members(after parents: [String], _ scope: Int?, for use: QueryPlace.Use) -> [Completion.Candidate] {
        guard let row = names(of: scope)?.row(of: parents + [""]) else { return [] }
        guard row.isName else { return row.objects.first.map { Self.members(of: $0, for: use) } ?? [] }
        return NameFields.all.map { Completion.Candidate(text: $0, suffix: use.suffix) }
    }

    /// The fields and relationships of an object.
    package func members(of object: String, for use: QueryPlace.Use) -> [Completion.Candidate] {
        QueryNames(of: object, alias: nil, in: nil, resolver).object.map { Self.members(of: $0, for: use) } ?? []
    }

    private static func members(of object: ObjectDescription, for use: QueryPlace.Use) -> [Completion.Candidate] {
        let own = object.fields.filter { $0.fits(use) }.map {
            Completion.Candidate(text: $0.name, suffix: use.suffix, note: $0.kind.rawValue)
        }
        let relations = object.fields.compactMap { field in
            field.relationshipName.map {
                Completion.Candidate(text: $0 + ".", suffix: "", note: field.referenceTo.joined(separator: ", "))
            }
        }
        return own.sorted { $0.text < $1.text } + relations.sorted { $0.text < $1.text }
    }

    /// The child relationships of a query's object.
    func children(of scope: Int) -> [Completion.Candidate] {
        (names(of: scope)?.object?.namedChildren ?? []).map { name, child in
            Completion.Candidate(text: name, note: child.object)
        }.sorted { $0.text < $1.text }
    }

    /// The relationships of a query's object that refer to several objects.
    func parents(_ scope: Int?) -> [Completion.Candidate] {
        (names(of: scope)?.object?.fields ?? []).filter { $0.referenceTo.count > 1 }
            .compactMap(\.relationshipName).map { Completion.Candidate(text: $0) }
    }
}

extension ObjectDescription.Field {
    fileprivate func fits(_ use: QueryPlace.Use) -> Bool {
        switch use {
        case .selecting, .argument: true
        case .filtering, .having: isFilterable
        case .grouping: isGroupable
        case .ordering: isSortable
        }
    }

    /// The active picklist values of the field.
    var choices: [Completion.Candidate] {
        picklistValues.filter(\.isActive).map {
            Completion.Candidate(text: $0.value, note: $0.label == $0.value ? "" : $0.label)
        }
    }
}

extension QueryPlace.Use {
    /// The text after a completed field, which is empty in lists, where the user chooses a comma or a space.
    fileprivate var suffix: String {
        switch self {
        case .selecting, .argument, .grouping: ""
        case .filtering, .having, .ordering: " "
        }
    }
}
