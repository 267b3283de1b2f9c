// SPDX-License-Identifier: Apache-2.0

/// A lookup plan for a type's keys, used while objects have the same names as the previous object, as in a page of
/// records.
///
/// The parser gives equal names equal entries, so checking an object costs one comparison per name. After that, a key
/// is identified by its one byte, and its value by a stored tape index.
///
/// Unsafe by need: an `Array` pays for uniqueness and exclusivity on every write. Safe because the context that creates
/// the plan frees it in its `deinit`, and every index is below `mostMembers`, or a byte.
@safe
struct JSONKeyPlan {
    /// The maximum number of types with a plan per context, beyond which keys are looked up by name.
    static let mostTypes = 32
    /// The minimum number of tape entries of a value for which plans pay off.
    static let fewestEntries = 128
    /// The maximum number of members of an object, beyond which an index of names is used.
    static let mostMembers = 64

    /// Special values of `numbers`.
    private static let unknown: UInt8 = 0xFF
    private static let absent: UInt8 = 0xFE

    let type: ObjectIdentifier
    /// The names of the previous object.
    private let names: UnsafeMutablePointer<TapeEntry>
    /// The tape indices of its values, followed by the tape index of the object itself and the number of its names.
    private let places: UnsafeMutablePointer<UInt32>
    /// The index of each key in `names`, by the byte of the key.
    private let numbers: UnsafeMutablePointer<UInt8>

    /// Whether keys are so small that they hold no references, and equal bytes are equal keys, as in most `CodingKeys`.
    @inline(__always)
    static func suits<Key: CodingKey>(_ type: Key.Type) -> Bool { MemoryLayout<Key>.size <= 1 }

    init(_ type: ObjectIdentifier) {
        self.type = type
        unsafe names = .allocate(capacity: Self.mostMembers)
        unsafe places = .allocate(capacity: Self.mostMembers + 2)
        unsafe places.initialize(repeating: 0, count: Self.mostMembers + 2)
        unsafe numbers = .allocate(capacity: 256)
    }

    func free() {
        unsafe names.deallocate()
        unsafe places.deallocate()
        unsafe numbers.deallocate()
    }

    /// The tape index of the object that `places` describes, or zero.
    @inline(__always)
    var object: Int { unsafe Int(places[Self.mostMembers]) }

    private var count: Int { unsafe Int(places[Self.mostMembers + 1]) }

    @inline(__always)
    func place<Key: CodingKey>(of key: Key, in context: JSONDecodingContext) -> Int? {
        let byte = key.byte
        let number = unsafe numbers[Int(byte)]
        if number < Self.mostMembers { return unsafe Int(places[Int(number)]) }
        return number == Self.absent ? nil : search(key, byte, in: context)
    }

    private func name(_ number: Int) -> TapeEntry { unsafe names[number] }

    private func place(numbered number: Int) -> Int { unsafe Int(places[number]) }

    /// Finds a key among the names by its string value.
    @inline(never)
    private func search(_ key: some CodingKey, _ byte: UInt8, in context: JSONDecodingContext) -> Int? {
        var name = key.stringValue
        let number: Int? = name.withUTF8 { name in
            // The buffer does not escape.
            let name = JSONNameBytes(unsafe JSONSource(UnsafeRawBufferPointer(name)))
            return context.withText { text in (0..<count).first { name.matches(self.name($0), in: text) } }
        }
        unsafe numbers[Int(byte)] = number.map { UInt8(truncatingIfNeeded: $0) } ?? Self.absent
        return number.map { place(numbered: $0) }
    }

    /// Applies the plan to an object, or returns false if the object must be searched by name.
    @inline(never)
    func takesUp(_ object: Int, in context: JSONDecodingContext) -> Bool {
        let entry = context.entry(object)
        guard (1...Self.mostMembers).contains(entry.length) else { return false }
        if entry.length != count || !finds(object, in: context) {
            guard learns(object, in: context) else { return false }
        }
        unsafe places[Self.mostMembers] = UInt32(truncatingIfNeeded: object)
        return true
    }

    /// Records the values of an object if its names match the current names.
    private func finds(_ object: Int, in context: JSONDecodingContext) -> Bool {
        // `places` describes no object until all members match.
        unsafe places[Self.mostMembers] = 0
        var member = object &+ 1
        for number in 0..<count {
            let name = context.entry(member)
            guard name.bits == self.name(number).bits || hasSameText(name, number, in: context) else {
                return false
            }
            unsafe places[number] = UInt32(truncatingIfNeeded: member &+ 1)
            member = context.document.index(after: member &+ 1)
        }
        return true
    }

    @inline(never)
    private func hasSameText(_ name: TapeEntry, _ number: Int, in context: JSONDecodingContext) -> Bool {
        name.has(.string) && context.withText { $0.isEqual(name, self.name(number)) }
    }

    /// Makes an object the new baseline, if none of its names repeats or has an escape.
    private func learns(_ object: Int, in context: JSONDecodingContext) -> Bool {
        unsafe places[Self.mostMembers] = 0
        unsafe places[Self.mostMembers + 1] = 0
        guard context.withText({ JSONNameTable.hasDistinctNames(objectAt: object, in: context.document, $0) })
        else {
            return false
        }
        unsafe numbers.initialize(repeating: Self.unknown, count: 256)
        let end = context.entry(object).position
        var member = object &+ 1
        var number = 0
        while member < end, number < Self.mostMembers {
            unsafe (names + number).initialize(to: context.entry(member))
            unsafe places[number] = UInt32(truncatingIfNeeded: member &+ 1)
            member = context.document.index(after: member &+ 1)
            number &+= 1
        }
        unsafe places[Self.mostMembers + 1] = UInt32(truncatingIfNeeded: number)
        return true
    }
}

extension CodingKey {
    /// The byte that identifies the key if its type satisfies `JSONKeyPlan.suits`.
    @inline(__always)
    var byte: UInt8 {
        guard MemoryLayout<Self>.size == 1 else { return 0 }
        return unsafe unsafeBitCast(self, to: UInt8.self)
    }
}
