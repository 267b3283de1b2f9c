// SPDX-License-Identifier: Apache-2.0

/// The order in which changes are sent: new records before the records that refer to them.
///
/// Each step can be sent in any order or together. A cycle of new records is broken at references that can be set
/// later. Deletions come last, children before their parents.
struct PushOrder: Sendable, Hashable {
    /// A change with the references of its record.
    struct Item: Sendable, Hashable {
        /// The number of the change.
        let number: Int64
        let record: String
        let kind: PendingChange.Kind
        /// The ids of other records in the fields of the change, or of a deleted record.
        var references: [Reference] = []
    }

    /// A field that refers to a record.
    struct Reference: Sendable, Hashable {
        let field: String
        let record: String
        /// Whether the field can be empty in a new record and set later.
        let canWait: Bool
    }

    /// The numbers of the changes in each step.
    private(set) var steps: [[Int64]] = []
    /// The fields that a new record is created without, by the number of its change.
    private(set) var deferred: [Int64: Set<String>] = [:]
    /// The changes that belong to a cycle without a reference that can wait.
    private(set) var stuck: [Int64] = []
    /// The changes that refer to a new record that is not sent.
    private(set) var waiting: [Int64] = []

    /// Creates the order of changes.
    ///
    /// - Parameters:
    ///   - items: the changes to send.
    ///   - unsent: the ids of new records that the server does not have and that are not among the items.
    init(_ items: [Item], unsent: Set<String> = []) {
        let writes = items.filter { $0.kind != .delete }
        let unsent = block(writes, unsent)
        let blocked = Set(waiting)
        arrange(writes.filter { !blocked.contains($0.number) })
        arrangeDeletions(items.filter { $0.kind == .delete && !unsent.contains($0.record) })
    }

    /// Finds the changes that need an unsent record, directly or through others, unless the reference can wait.
    private mutating func block(_ items: [Item], _ unsent: Set<String>) -> Set<String> {
        guard !unsent.isEmpty else { return unsent }
        var (unsent, rest, isChanged) = (unsent, items, true)
        while isChanged {
            isChanged = false
            rest.removeAll { item in
                guard item.references.contains(where: { unsent.contains($0.record) }) else { return false }
                if item.kind == .create { isChanged = unsent.insert(item.record).inserted || isChanged }
                waiting.append(item.number)
                return true
            }
        }
        return unsent
    }

    private mutating func arrange(_ items: [Item]) {
        let creators = Dictionary(
            items.filter { $0.kind == .create }.map { ($0.record, $0.number) }, uniquingKeysWith: { first, _ in first })
        let byNumber = Dictionary(items.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        /// The references of each change to records that are not created yet.
        var needs: [Int64: [Reference]] = [:]
        var dependents: [String: [Int64]] = [:]
        for item in items {
            var open = item.references.filter { creators[$0.record] != nil }
            // A record can refer to itself only after it was created.
            let own = open.filter { $0.record == item.record }
            if item.kind == .update || own.allSatisfy(\.canWait) {
                open.removeAll { $0.record == item.record }
                if item.kind == .create, !own.isEmpty { deferred[item.number] = Set(own.map(\.field)) }
            }
            needs[item.number] = open
            for record in Set(open.map(\.record)) { dependents[record, default: []].append(item.number) }
        }
        var ready = items.map(\.number).filter { needs[$0]?.isEmpty ?? true }
        var left = Set(items.map(\.number)).subtracting(ready)
        while true {
            while !ready.isEmpty {
                steps.append(ready.sorted())
                var next: [Int64] = []
                for number in ready {
                    guard let item = byNumber[number], item.kind == .create else { continue }
                    for dependent in dependents[item.record] ?? [] where left.contains(dependent) {
                        needs[dependent]?.removeAll { $0.record == item.record }
                        if needs[dependent]?.isEmpty ?? true { next.append(dependent) }
                    }
                }
                left.subtract(next)
                ready = next
            }
            // What is left belongs to cycles or needs them. The change with the fewest references breaks one.
            let candidates = left.filter { number in
                byNumber[number]?.kind == .create && needs[number]?.allSatisfy(\.canWait) ?? false
            }
            let chosen = candidates.min { first, second in
                let counts = (needs[first]?.count ?? 0, needs[second]?.count ?? 0)
                return counts.0 == counts.1 ? first < second : counts.0 < counts.1
            }
            guard let chosen else { break }
            deferred[chosen, default: []].formUnion((needs[chosen] ?? []).map(\.field))
            left.remove(chosen)
            ready = [chosen]
        }
        stuck = left.sorted()
    }

    private mutating func arrangeDeletions(_ items: [Item]) {
        let numbers = Dictionary(items.map { ($0.record, $0.number) }, uniquingKeysWith: { first, _ in first })
        /// The number of records that are deleted before each one, because they refer to it.
        var before: [String: Int] = [:]
        let parents = items.map { item in
            Set(item.references.map(\.record)).filter { $0 != item.record && numbers[$0] != nil }
        }
        for record in parents.joined() { before[record, default: 0] += 1 }
        let positions = Dictionary(
            items.indices.map { (items[$0].record, $0) }, uniquingKeysWith: { first, _ in first })
        var ready = items.indices.filter { before[items[$0].record] ?? 0 == 0 }
        var left = Set(items.indices).subtracting(ready)
        while !ready.isEmpty {
            steps.append(ready.map { items[$0].number }.sorted())
            var next: [Int] = []
            for parent in ready.flatMap({ parents[$0] }) {
                before[parent, default: 0] -= 1
                if before[parent] == 0, let position = positions[parent], left.contains(position) {
                    next.append(position)
                }
            }
            left.subtract(next)
            ready = next
        }
        // Records that refer to each other can be deleted in any order.
        if !left.isEmpty { steps.append(left.map { items[$0].number }.sorted()) }
    }
}
