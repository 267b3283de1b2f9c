// SPDX-License-Identifier: Apache-2.0

/// The members of one wide object by name: a hash table of tape indices.
///
/// Uses the standard library's seeded hash, so that no sender can choose names that collide.
struct JSONWideIndex: Sendable {
    /// The tape index of the last member of each name, 0 for an empty slot.
    ///
    /// At most half of the slots are taken.
    private var slots: [UInt32]

    /// Puts all members of an object into the table, later ones in place of earlier ones of the same name.
    init(objectAt object: Int, in document: JSONDocument, _ text: JSONSource) {
        let entry = document.tape[object]
        let count = document.count(of: entry, at: object)
        slots = Array(repeating: 0, count: 1 << (Int.bitWidth - (2 * count).leadingZeroBitCount))
        var member = object + 1
        while member < entry.position {
            let name = text.unescaped(document.tape[member])
            unsafe name.withUnsafeBufferPointer { buffer in
                let name = unsafe JSONNameBytes(JSONSource(UnsafeRawBufferPointer(buffer)))
                slots[slot(of: name, in: document.tape, text)] = UInt32(truncatingIfNeeded: member)
            }
            member = document.index(after: member + 1)
        }
    }

    /// The tape index of the value of a name, or nil.
    func value(named name: JSONNameBytes, in tape: [TapeEntry], _ text: JSONSource) -> Int? {
        let member = Int(slots[slot(of: name, in: tape, text)])
        return member == 0 ? nil : member + 1
    }

    /// The slot that holds a name, or the empty one where it belongs.
    private func slot(of name: JSONNameBytes, in tape: [TapeEntry], _ text: JSONSource) -> Int {
        let mask = slots.count - 1
        var slot = name.seededHash & mask
        while slots[slot] != 0, !name.matches(tape[Int(slots[slot])], in: text) { slot = (slot + 1) & mask }
        return slot
    }
}
