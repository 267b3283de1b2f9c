// SPDX-License-Identifier: Apache-2.0

/// How wide the columns of a table are.
struct TableLayout: Equatable {
    /// No column is made narrower than this to make room for others.
    static let narrowest = 8

    let widths: [Int]
    /// Whether texts are cut to their column; otherwise a wider one only loses its alignment.
    let isCutting: Bool

    /// The natural widths, where nothing limits the table.
    init(natural: [Int]) {
        (widths, isCutting) = (natural, false)
    }

    /// Fits a table into a width.
    ///
    /// What is too wide is taken from the widest columns first, so that these become equally wide: columns of numbers
    /// and ids stay whole, and no other becomes narrower than eight.
    ///
    /// - Parameters:
    ///   - natural: the widths that titles and values need.
    ///   - isWhole: the columns that stay as wide as they are.
    ///   - columns: the width of the whole table, with a blank around it and three characters between two columns.
    ///   - isForced: whether a table that cannot fit is as narrow as possible all the same; else there is none.
    init?(natural: [Int], isWhole: [Bool], into columns: Int, isForced: Bool = false) {
        let room = columns - 2 - 3 * (natural.count - 1)
        let least = zip(natural, isWhole).map { $1 ? $0 : min($0, Self.narrowest) }
        guard least.reduce(0, +) <= room || isForced else { return nil }
        let width = { (cap: Int) in zip(natural, least).map { max($1, min($0, cap)) } }
        // The largest cap that fits, by bisection.
        var (low, high) = (Self.narrowest, max(Self.narrowest, natural.max() ?? 0))
        while low < high {
            let middle = (low + high + 1) / 2
            if width(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
        }
        var widths = width(low)
        // What is left goes to the first ones that were cut.
        var left = room - widths.reduce(0, +)
        for index in widths.indices where left > 0 && widths[index] < natural[index] {
            widths[index] += 1
            left -= 1
        }
        (self.widths, isCutting) = (widths, true)
    }
}
