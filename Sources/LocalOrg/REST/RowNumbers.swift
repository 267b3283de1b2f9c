// SPDX-License-Identifier: Apache-2.0

/// The ordered row numbers of a query's result; numbers in a row take the room of one.
package struct RowNumbers: Sendable, Hashable {
    private struct Run: Sendable, Hashable {
        let first: Int64
        /// How many numbers stand before it.
        let offset: Int
    }

    private var runs: [Run] = []
    package private(set) var count = 0

    /// The memory they take.
    package var size: Int { runs.count * MemoryLayout<Run>.stride }

    package init() {}

    package mutating func append(_ number: Int64) {
        if let last = runs.last, last.first &+ Int64(count - last.offset) == number {
            count += 1
            return
        }
        runs.append(Run(first: number, offset: count))
        count += 1
    }

    /// The numbers of a page.
    package func numbers(in range: Range<Int>) -> [Int64] {
        let range = range.clamped(to: 0..<count)
        var numbers: [Int64] = []
        numbers.reserveCapacity(range.count)
        guard !range.isEmpty else { return numbers }
        var position = index(of: range.lowerBound)
        while position < runs.count, runs[position].offset < range.upperBound {
            let (run, end) = (runs[position], position + 1 < runs.count ? runs[position + 1].offset : count)
            for offset in max(run.offset, range.lowerBound)..<min(end, range.upperBound) {
                numbers.append(run.first &+ Int64(offset - run.offset))
            }
            position += 1
        }
        return numbers
    }

    /// The position of the run that has the number at an offset.
    private func index(of offset: Int) -> Int {
        var range = 0..<runs.count
        while range.count > 1 {
            let middle = range.lowerBound + range.count / 2
            range = runs[middle].offset <= offset ? middle..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
