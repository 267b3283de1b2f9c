// SPDX-License-Identifier: Apache-2.0

/// The names of a type's keys as they are written, `,"Name":` for each; the keys are told apart by one byte.
///
/// Unsafe by need: a class pays for a reference at every key, and an `Array` for its uniqueness. Safe because `Shared`
/// makes it and frees it when it goes, every writer that has it holds its `Shared`, a byte is below 256, and a text
/// that is known is never changed.
@safe
struct JSONKeyTexts {
    /// The type of the keys.
    let type: ObjectIdentifier
    /// For each byte the text of its key; an empty one for a key that is not known yet.
    private let texts: UnsafeMutablePointer<UnsafeRawBufferPointer>

    init(_ type: ObjectIdentifier) {
        self.type = type
        unsafe texts = .allocate(capacity: 256)
        unsafe texts.initialize(repeating: UnsafeRawBufferPointer(start: nil, count: 0), count: 256)
    }

    func free() {
        for byte in 0..<256 { unsafe texts[byte].deallocate() }
        unsafe texts.deallocate()
    }

    /// Writes a comma, unless the key is the first, the name and a colon.
    ///
    /// - Returns: whether the key is known.
    @inline(__always)
    func write(_ byte: UInt8, isFirst: Bool, to output: JSONOutput) -> Bool {
        let text = unsafe texts[Int(byte)]
        guard let start = text.baseAddress else { return false }
        let comma = isFirst ? 1 : 0
        unsafe output.append(copyOf: start + comma, text.count &- comma)
        return true
    }

    /// Remembers the name of a key.
    @inline(never)
    func learn(_ byte: UInt8, _ name: String) {
        let output = JSONOutput.empty()
        output.append(UInt8(ascii: ","))
        output.append(string: name, colon: true)
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: output.count, alignment: 1)
        unsafe text.copyBytes(from: output.bytes)
        unsafe texts[Int(byte)] = UnsafeRawBufferPointer(text)
    }
}
