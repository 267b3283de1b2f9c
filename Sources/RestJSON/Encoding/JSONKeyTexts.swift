// SPDX-License-Identifier: Apache-2.0

/// The names of a type's keys as they are written, `,"Name":` for each; the keys are told apart by one byte.
///
/// Unsafe by need: a class pays for a reference at every key, and an `Array` for its uniqueness. Safe because `Shared`
/// makes it and frees it when it goes, every writer that has it holds its `Shared`, and a byte is below 256.
@safe
struct JSONKeyTexts {
    /// The type of the keys.
    let type: ObjectIdentifier
    /// For each byte the offset and the length in the text; zero for a key that is not known yet.
    private let places: UnsafeMutablePointer<UInt64>

    init(_ type: ObjectIdentifier) {
        self.type = type
        unsafe places = .allocate(capacity: 256)
        unsafe places.initialize(repeating: 0, count: 256)
    }

    func free() {
        unsafe places.deallocate()
    }

    /// Writes a comma, unless the key is the first, the name and a colon, as they stand in the text of all names.
    ///
    /// - Returns: whether the key is known.
    @inline(__always)
    func write(_ byte: UInt8, isFirst: Bool, from text: JSONOutput, to output: JSONOutput) -> Bool {
        let place = unsafe places[Int(byte)]
        guard place != 0 else { return false }
        let (start, length) = (Int(place &>> 32), Int(place & 0xFFFF_FFFF))
        output.append(text, from: start &+ (isFirst ? 1 : 0), length &- (isFirst ? 1 : 0))
        return true
    }

    /// Remembers the name of a key at the end of the text of all names.
    @inline(never)
    func learn(_ byte: UInt8, _ name: String, in text: JSONOutput) {
        let start = text.length
        text.append(UInt8(ascii: ","))
        text.append(string: name, colon: true)
        unsafe places[Int(byte)] = UInt64(start) << 32 | UInt64(text.length - start)
    }
}
