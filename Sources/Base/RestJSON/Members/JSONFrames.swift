// SPDX-License-Identifier: Apache-2.0

/// Reads the members of objects into frames of numbered slots.
///
/// One pass over an object records the tape index of each value with a known name. A later member of the same name
/// replaces an earlier one. A slot of zero means that the member is missing, because no value has tape index zero.
/// Frames form a stack, and the caller closes the frames that it has read.
///
/// Unsafe by need: slots in an `Array` of a class pay for exclusivity and uniqueness on every access. Safe because only
/// this object holds the memory, from `init` or `grow` to `deinit`, every read and write is checked against `capacity`,
/// and `text` is empty except while the document lends its bytes.
@safe
package final class JSONFrames {
    package let document: JSONDocument
    /// The text, empty unless the document is lending it.
    private var text: JSONSource
    private var slots: UnsafeMutablePointer<UInt32>
    private var capacity: Int
    private var used = 0
    /// The open frames, outermost first.
    private var layers: [Layer] = []

    /// A frame: its first slot, the names of its slots, and the index of the first of these names.
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

    deinit { unsafe slots.deallocate() }

    /// Calls `body` with the frames of a document, which must not escape.
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
    ///   - names: The names to look up.
    ///   - object: The tape index of the object.
    /// - Returns: The first slot, or `nil` if the value is not an object.
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

    /// Opens a frame with one slot for the payload of a tagged union, and finds the tag.
    ///
    /// - Parameters:
    ///   - names: The tags.
    ///   - place: The tape index of the object, or of a string that is the tag itself.
    /// - Returns: The slot, still empty, the tape index of the tag (zero if it is missing), and the index of the tag in
    ///   `names` (`nil` if it is unknown).
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

    @inline(__always)
    private func isTag(_ name: TapeEntry) -> Bool {
        guard name.has(.string) else { return text.unescapedText(name) == ".tag" }
        return name.length == 4 && text.head(of: name) == 0x6761_742E
    }

    /// Finds the payload of a tag, which is the member with the tag's name, and stores its tape index in the slot.
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

    /// Closes all frames above the first `top` slots.
    @inline(__always)
    package func close(to top: Int) {
        used = min(used, max(0, top))
        while let last = layers.last, last.base > used { layers.removeLast() }
    }

    /// The tape index of a slot's value, or zero if the member is missing.
    @inline(__always)
    package func place(in slot: Int) -> Int {
        guard UInt(bitPattern: slot) < UInt(bitPattern: used) else { return 0 }
        return unsafe Int(slots[slot])
    }

    @inline(__always)
    package func set(_ slot: Int, to place: Int) {
        guard UInt(bitPattern: slot) < UInt(bitPattern: used) else { return }
        unsafe slots[slot] = UInt32(truncatingIfNeeded: place)
    }

    /// The tape index of the object whose frame begins with the slot `base`.
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
