// SPDX-License-Identifier: Apache-2.0

/// Names among which somebody meant one.
struct NearNames {
    private let names: [String]

    init(_ names: [String]) {
        self.names = names
    }

    /// Asks whether one of the names was meant that are spelt most like a word, the nearest first.
    func question(_ word: String, most: Int = 3) -> String {
        let ranked = names.map { (distance: Self.distance(word, $0), name: $0) }.sorted { $0 < $1 }
        let near = ranked.prefix(most).map { "'\($0.name)'" }
        guard let last = near.last else { return "the specs have none." }
        let list = near.dropLast().joined(separator: ", ")
        return "did you mean \(list)\(list.isEmpty ? "" : " or ")\(last)?"
    }

    /// How many bytes must be put in, left out or changed to make one word of another (Levenshtein).
    ///
    /// Of a long word only the beginning counts, so that no input takes long.
    private static func distance(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.utf8.prefix(100)), Array(other.utf8.prefix(100)))
        var row = Array(0...other.count)
        for (line, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for (column, otherByte) in other.enumerated() {
                let changed = diagonal + (byte == otherByte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(changed, diagonal + 1, row[column] + 1)
            }
        }
        return row[other.count]
    }
}
