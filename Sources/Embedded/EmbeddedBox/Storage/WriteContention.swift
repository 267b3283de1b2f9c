// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Which entries of coming batches fail, as if others wrote to the same folder at that moment.
final class WriteContention: Sendable {
    private struct Rule {
        let path: String
        var skip: Int
        var remaining: Int
    }

    private let rules = Mutex<[Rule]>([])

    /// Fails the next `count` entries whose path has the text, after `skip` of them.
    func add(next count: Int, matching path: String, skipping skip: Int) {
        rules.withLock {
            $0.append(Rule(path: path.lowercased(), skip: max(0, skip), remaining: max(0, count)))
        }
    }

    func clear() { rules.withLock { $0.removeAll() } }

    /// Whether this entry fails.
    func takes(_ path: String) -> Bool {
        rules.withLock { rules in
            guard !rules.isEmpty else { return false }
            let path = path.lowercased()
            for index in rules.indices where rules[index].path.isEmpty || path.contains(rules[index].path) {
                if rules[index].skip > 0 {
                    rules[index].skip -= 1
                    continue
                }
                rules[index].remaining -= 1
                let isTaken = rules[index].remaining >= 0
                if rules[index].remaining <= 0 { rules.remove(at: index) }
                return isTaken
            }
            return false
        }
    }
}
