// SPDX-License-Identifier: Apache-2.0

/// Reads objects of a document by numbered names: one pass over the members of an object puts the place of each value
/// that its reader knows into a frame of slots, out of which the values are taken.
///
/// A later member of the same name replaces an earlier one. A slot of zero stands for an absent member, as no value has
/// that place. Frames lie upon one another, and the caller takes away those of what it has read.
///
/// Unsafe by need: slots in an `Array` of a class pay for exclusivity and uniqueness on every access. Safe because the
/// object alone holds the memory, from `init` or `grow` to `deinit`; each read and write is preceded by a test against
/// `capacity`; and `text` is empty but for the time in which the document lends its bytes.
@safe
package final class JSONFrames {
    /// What is read.
    package let document: JSONDocument
    /// The text while it is lent.
    private var text: JSONSource
    private var slots: UnsafeMutablePointer<UInt32>
    private var capacity: Int
    private var used = 0
    /// The frames that are open, outermost first.
    private var layers: [Layer] = []

    /// A frame's first slot, the names of its slots, and the number of the first of them.
    private struct Layer {
        let base: Int
        let names: JSONNames
        var first = 0
    }

    /// The number of slots in use.
    @inline(__always)
    package var top: Int { used }

    private init(_ document: JSONDocument, _ text: JSONSource) {
        self.document = document
        self.text = text
        capacity = 256
        unsafe slots = .allocate(capacity: capacity)
    }

    deinit {
        unsafe slots.deallocate()
    }

    /// Calls a function with the frames of a document; none of them can be opened later.
    package static func reading<Value, Failure: Error>(
        _ document: JSONDocument, _ body: (JSONFrames) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try unsafe document.bytes.withUnsafeBufferPointer { buffer throws(Failure) in
            let frames = unsafe JSONFrames(document, JSONSource(UnsafeRawBufferPointer(buffer)))
            defer { frames.text = unsafe JSONSource(UnsafeRawBufferPointer(start: nil, count: 0)) }
            return try body(frames)
        }
    }

    /// Opens a frame with one slot for each name.
    ///
    /// - Parameters:
    ///   - names: the names that are looked for.
    ///   - object: the object's place.
    /// - Returns: the first slot; `nil` when there is no object at the place.
    package func open(_ names: JSONNames, at object: Int) -> Int? {
        let entry = document.tape[object]
        guard entry.has(.object) else { return nil }
        let base = push(names, object)
        var member = object &+ 1
        var guess = 0
        while member < entry.position {
            if let number = names.number(of: document.tape[member], in: text, guess: guess) {
                set(base &+ number, to: member &+ 1)
                guess = number &+ 1
            }
            member = document.index(after: member &+ 1)
        }
        return base
    }

    /// Opens a frame with one slot for the value that belongs to a tag, and finds the tag.
    ///
    /// - Parameters:
    ///   - names: the tags.
    ///   - place: the object's place, or that of a string that is the tag itself.
    /// - Returns: the slot, still vacant; the tag's place, zero when it is absent; its number, `nil` for a tag that is
    ///   none of the names.
    package func openTag(of names: JSONNames, at place: Int) -> (slot: Int, place: Int, number: Int?) {
        let entry = document.tape[place]
        let slot = push(names, place, count: 1)
        var tag = entry.isContainer ? 0 : place
        var member = place &+ 1
        while entry.has(.object), member < entry.position {
            if isTag(document.tape[member]) { tag = member &+ 1 }
            member = document.index(after: member &+ 1)
        }
        let number = tag == 0 ? nil : names.number(of: document.tape[tag], in: text, guess: names.names.count)
        if let number { layers[layers.count - 1].first = number }
        return (slot, tag, number)
    }

    /// Whether a name is `.tag`.
    @inline(__always)
    private func isTag(_ name: TapeEntry) -> Bool {
        guard name.has(.string) else { return text.unescapedText(name) == ".tag" }
        return name.length == 4 && text.head(of: name) == 0x6761_742E
    }

    /// Puts the place of the value that belongs to a tag into its slot: that of the member named like the tag.
    package func findPayload(of slot: Int, tagged place: Int) {
        let (object, tag) = (object(of: slot), document.tape[place])
        guard document.tape[object].has(.object) else { return }
        let end = document.tape[object].position
        var member = object &+ 1
        while member < end {
            let name = document.tape[member]
            let isPlain = name.has(.string) && tag.has(.string)
            if isPlain ? text.isEqual(name, tag) : document.string(at: member) == document.string(at: place) {
                set(slot, to: member &+ 1)
            }
            member = document.index(after: member &+ 1)
        }
    }

    /// Takes away the frames above a number of slots.
    @inline(__always)
    package func close(to top: Int) {
        used = min(used, max(0, top))
        while let last = layers.last, last.base > used { layers.removeLast() }
    }

    /// The place of a slot's value; zero when it is absent.
    @inline(__always)
    package func place(in slot: Int) -> Int {
        guard UInt(bitPattern: slot) < UInt(bitPattern: used) else { return 0 }
        return unsafe Int(slots[slot])
    }

    /// Puts the place of a value into a slot.
    @inline(__always)
    package func set(_ slot: Int, to place: Int) {
        guard UInt(bitPattern: slot) < UInt(bitPattern: used) else { return }
        unsafe slots[slot] = UInt32(truncatingIfNeeded: place)
    }

    /// The place of the object whose frame begins with a slot.
    package func object(of base: Int) -> Int { place(in: base - 1) }

    /// The object that a slot belongs to, and the slot's name.
    package func owner(of slot: Int) -> (object: Int, name: String)? {
        guard let layer = layers.last(where: { $0.base <= slot }) else { return nil }
        let number = slot - layer.base + layer.first
        return (object(of: layer.base), layer.names.names.indices.contains(number) ? layer.names.names[number] : "")
    }

    private func push(_ names: JSONNames, _ object: Int, count: Int? = nil) -> Int {
        let base = used &+ 1
        let end = base &+ (count ?? names.names.count)
        if end > capacity { grow(to: end) }
        used = end
        set(base &- 1, to: object)
        for slot in base..<end { set(slot, to: 0) }
        layers.append(Layer(base: base, names: names))
        return base
    }

    @inline(never)
    private func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        let moved = UnsafeMutablePointer<UInt32>.allocate(capacity: larger)
        unsafe moved.initialize(from: slots, count: used)
        unsafe slots.deallocate()
        unsafe slots = moved
        capacity = larger
    }
}
