// SPDX-License-Identifier: Apache-2.0

/// Finds rows by their contents: the platform gives results in any order, and rows have no numbers there.
///
/// Sixteen bytes for each row of one job. Rows are told apart by a keyed hash of 64 bits.
struct RowIndex: Sendable {
    private struct Entry: Sendable {
        let key: UInt64
        let row: UInt32
    }

    private var entries: [Entry] = []
    /// How many of several equal rows were taken, by the place of the first one.
    private var taken: [Int: Int] = [:]
    /// Whether each row was taken.
    private var isTaken: [Bool] = []

    /// Adds the next row.
    mutating func add(_ key: UInt64) {
        entries.append(Entry(key: key, row: UInt32(truncatingIfNeeded: entries.count)))
    }

    /// Makes the rows findable.
    mutating func finish() {
        entries.sort { ($0.key, $0.row) < ($1.key, $1.row) }
        isTaken = Array(repeating: false, count: entries.count)
    }

    /// Takes a row that has this key and was not taken.
    ///
    /// - Returns: its number, from 0, and whether others are equal to it; `nil` when there is none.
    mutating func take(_ key: UInt64) -> (row: Int, isOneOfEqual: Bool)? {
        let first = place(of: key)
        guard first < entries.count, entries[first].key == key else { return nil }
        let isOneOfEqual = first + 1 < entries.count && entries[first + 1].key == key
        let place = first + (isOneOfEqual ? taken[first, default: 0] : 0)
        guard place < entries.count, entries[place].key == key else { return nil }
        let row = Int(entries[place].row)
        guard !isTaken[row] else { return nil }
        if isOneOfEqual { taken[first] = place - first + 1 }
        isTaken[row] = true
        return (row, isOneOfEqual)
    }

    /// Whether nobody took a row.
    func isLeft(_ row: Int) -> Bool { isTaken.indices.contains(row) && !isTaken[row] }

    /// Whether there are several rows of this key.
    func hasSeveral(_ key: UInt64) -> Bool {
        let first = place(of: key)
        return first + 1 < entries.count && entries[first].key == key && entries[first + 1].key == key
    }

    /// The place of the first entry whose key is not less.
    private func place(of key: UInt64) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension CSVRow {
    /// What tells the row from others: a hash of the texts of these columns, keyed anew in each process.
    func key(of columns: [Int]) -> UInt64 {
        var hasher = Hasher()
        let bytes = bytes
        for column in columns where column < count {
            let range = range(at: column)
            if isQuoted(at: column), bytes[range].contains(UInt8(ascii: "\"")) {
                var text = self[column]
                text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
            } else {
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: buffer[range]))
                }
            }
            // So that no byte of one field can pass for one of the next.
            hasher.combine(UInt8(0xFF))
        }
        return UInt64(truncatingIfNeeded: hasher.finalize())  // bounded: any bits will do
    }
}
