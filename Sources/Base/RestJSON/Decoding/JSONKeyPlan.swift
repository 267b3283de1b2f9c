// SPDX-License-Identifier: Apache-2.0

/// Where the values of a type's keys are, in objects that have the names of the object before, as records of a page do.
///
/// That the names are the same is one comparison for each, as the parser gives equal names equal entries. From then on
/// a key is known by its one byte, and its value by its place.
///
/// Unsafe by need: an `Array` pays for uniqueness and exclusivity on every write. Safe because the context that makes
/// the plan frees it when it goes, and every index is below `mostMembers`, or a byte.
@safe
struct JSONKeyPlan {
    /// The types of keys that have plans in one call; the keys of further ones are looked up one by one.
    static let mostTypes = 32
    /// The tape entries from which a value is long enough for plans to pay.
    static let fewestEntries = 128
    /// The members that an object may have; one with more is searched by its index of names.
    static let mostMembers = 64

    /// What is known about a key.
    private static let unknown: UInt8 = 0xFF
    private static let absent: UInt8 = 0xFE

    /// The type of the keys.
    let type: ObjectIdentifier
    /// The names of the object before.
    private let names: UnsafeMutablePointer<TapeEntry>
    /// The places of its values; behind them the place of the object itself, and the number of its names.
    private let places: UnsafeMutablePointer<UInt32>
    /// The number of each key among the names.
    private let numbers: UnsafeMutablePointer<UInt8>

    /// Whether keys of a type are told apart by one byte: those without parts, as a `CodingKeys` has them.
    ///
    /// Nothing that holds a reference is that small, so equal bytes are equal keys.
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

    /// The tape index of the object that the places are those of; zero for none.
    @inline(__always)
    var object: Int { unsafe Int(places[Self.mostMembers]) }

    private var count: Int { unsafe Int(places[Self.mostMembers + 1]) }

    /// The tape index of a key's value in the object.
    @inline(__always)
    func place<Key: CodingKey>(of key: Key, in context: JSONDecodingContext) -> Int? {
        let byte = key.byte
        let number = unsafe numbers[Int(byte)]
        if number < Self.mostMembers { return unsafe Int(places[Int(number)]) }
        return number == Self.absent ? nil : search(key, byte, in: context)
    }

    private func name(_ number: Int) -> TapeEntry { unsafe names[number] }

    private func place(numbered number: Int) -> Int { unsafe Int(places[number]) }

    /// Finds a key among the names by its text.
    @inline(never)
    private func search(_ key: some CodingKey, _ byte: UInt8, in context: JSONDecodingContext) -> Int? {
        var name = key.stringValue
        let number: Int? = name.withUTF8 { name in
            // The buffer is not kept.
            let name = JSONNameBytes(unsafe JSONSource(UnsafeRawBufferPointer(name)))
            return context.withText { text in (0..<count).first { name.matches(self.name($0), in: text) } }
        }
        unsafe numbers[Int(byte)] = number.map { UInt8(truncatingIfNeeded: $0) } ?? Self.absent
        return number.map { place(numbered: $0) }
    }

    /// Takes up an object; no for one that has to be searched in another way.
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

    /// Finds the places of an object with the names at hand.
    private func finds(_ object: Int, in context: JSONDecodingContext) -> Bool {
        // The places are those of no object until all are found.
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

    /// Makes an object the one that others are compared with, if none of its names repeats or has an escape.
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
    /// The byte that tells keys of a type apart, if that is one `JSONKeyPlan.suits`.
    @inline(__always)
    var byte: UInt8 {
        guard MemoryLayout<Self>.size == 1 else { return 0 }
        return unsafe unsafeBitCast(self, to: UInt8.self)
    }
}
