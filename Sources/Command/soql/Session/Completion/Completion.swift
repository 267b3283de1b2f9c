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
