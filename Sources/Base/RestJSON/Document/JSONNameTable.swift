// SPDX-License-Identifier: Apache-2.0

/// Finds out whether the names of an object are all different and written without escapes.
enum JSONNameTable {
    /// Objects with more members get a `JSONWideIndex` in place of this test.
    static let largestObject = 256

    /// Puts every name into a small hash table on the stack and compares those that meet there.
    ///
    /// The hash is weak, so names can be made to collide; after a fixed number of comparisons per name the answer is
    /// no, which only costs the lookups their short cut.
    static func hasDistinctNames(objectAt object: Int, in document: JSONDocument, _ text: JSONSource) -> Bool {
        let entry = document.tape[object]
        let bits = Int.bitWidth - (2 * entry.length).leadingZeroBitCount
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 1 << bits) { slots in
            // Zero stands for an empty slot, as no name has tape index 0. Subscripts are masked below the capacity.
            unsafe slots.initialize(repeating: 0)
            let mask = 1 &<< bits &- 1
            var comparisons = 8 &* entry.length
            var member = object &+ 1
            while member < entry.position {
                let name = document.tape[member]
                guard name.has(.string) else { return false }
                var slot = hash(name, text) & mask
                while unsafe slots[slot] != 0 {
                    comparisons &-= 1
                    if unsafe comparisons < 0 || text.isEqual(document.tape[Int(slots[slot])], name) { return false }
                    slot = (slot &+ 1) & mask
                }
                unsafe slots[slot] = UInt32(truncatingIfNeeded: member)
                member = document.index(after: member &+ 1)
            }
            return true
        }
    }

    /// Mixes the first and last eight bytes and the length.
    @inline(__always)
    private static func hash(_ name: TapeEntry, _ text: JSONSource) -> Int {
        var word = text.head(of: name) ^ UInt64(name.length)
        if name.length > 8 { word ^= text.word(name.position &+ name.length &- 8) &* 31 }
        return Int(truncatingIfNeeded: word &* 0x9E37_79B9_7F4A_7C15 &>> 48)
    }
}
