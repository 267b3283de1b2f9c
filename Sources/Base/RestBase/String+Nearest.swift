// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The name that is most similar to this string, or `nil` if none is similar.
    ///
    /// A name is similar if it differs only in case, or in few letters for its length (Damerau-Levenshtein edits: a
    /// letter inserted, removed or changed, or two neighbours swapped).
    package func nearest(in names: some Sequence<String>) -> String? { nearest(1, in: names).first }

    /// The names that are similar to this string, the most similar first.
    package func nearest(_ count: Int, in names: some Sequence<String>) -> [String] {
        let word = Array(lowercased().unicodeScalars.prefix(64))
        guard !word.isEmpty else { return [] }
        var near: [(name: String, distance: Int)] = []
        for name in names {
            let other = Array(name.lowercased().unicodeScalars.prefix(64))
            let most = Swift.max(1, Swift.min(word.count, other.count) / 3)
            guard abs(other.count - word.count) <= most else { continue }
            let distance = Self.edits(word, other)
            guard distance <= most else { continue }
            let place = near.firstIndex { $0.distance > distance } ?? near.endIndex
            if place < count { near.insert((name, distance), at: place) }
            if near.count > count { near.removeLast() }
        }
        return near.map(\.name)
    }

    private static func edits(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var above = Array(0...second.count)
        for row in first.indices {
            var line = [row + 1]
            for column in second.indices {
                let change = above[column] + (first[row] == second[column] ? 0 : 1)
                var least = Swift.min(change, above[column + 1] + 1, line[column] + 1)
                if row > 0, column > 0, first[row] == second[column - 1], first[row - 1] == second[column] {
                    least = Swift.min(least, before[column - 1] + 1)
                }
                line.append(least)
            }
            (before, above) = (above, line)
        }
        return above[second.count]
    }
}
