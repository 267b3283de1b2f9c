// SPDX-License-Identifier: Apache-2.0

/// Reads the fields of messages.
///
/// For each field of the wire, the message visits its list of fields, and the field with the same number takes the
/// value. The messages have at most six fields, so a table would not be faster.
struct ProtobufReader: ProtobufVisitor {
    private let bytes: [UInt8]
    /// The number of messages that may still follow.
    private var messages: Int
    private var at = 0
    /// The end of the innermost message.
    private var end = 0
    /// The number and the wire type of the current field.
    private var number = 0
    private var type = ProtobufWireType.varint
    /// Whether a field of the message has taken the value.
    private var isTaken = false

    init(_ bytes: [UInt8], messages: Int) {
        self.bytes = bytes
        self.messages = messages
    }

    /// Reads all fields up to an offset.
    mutating func read(_ message: inout some ProtobufMessage, to end: Int) throws(ProtobufError) {
        let outer = self.end
        self.end = end
        while at < end {
            let start = at
            let tag = try varint()
            guard let type = ProtobufWireType(rawValue: UInt8(tag & 7)) else {
                throw ProtobufError(.invalidWireType, offset: start)
            }
            guard type != .startGroup, type != .endGroup else { throw ProtobufError(.group, offset: start) }
            // Numbers have 29 bits.
            guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw ProtobufError(.invalidField, offset: start) }
            (number, self.type, isTaken) = (Int(tag >> 3), type, false)
            try message.fields(&self)
            if !isTaken { try skip(type) }
        }
        self.end = outer
    }

    private mutating func skip(_ type: ProtobufWireType) throws(ProtobufError) {
        switch type {
        case .varint: _ = try varint()
        case .fixed64: _ = try take(8)
        case .fixed32: _ = try take(4)
        default: _ = try content()
        }
    }

    // MARK: - Fields

    /// Whether the current field has this number and form, and no field has taken it.
    @inline(__always)
    private mutating func takes(_ number: Int, _ type: ProtobufWireType) -> Bool {
        guard self.number == number, self.type == type, !isTaken else { return false }
        isTaken = true
        return true
    }

    mutating func visit(_ number: Int, _ value: inout String) throws(ProtobufError) {
        guard takes(number, .delimited) else { return }
        let range = try content()
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw ProtobufError(.invalidUTF8, offset: range.lowerBound)
        }
        value = text
    }

    mutating func visit(_ number: Int, _ value: inout [UInt8]) throws(ProtobufError) {
        guard takes(number, .delimited) else { return }
        value = Array(bytes[try content()])
    }

    mutating func visit(_ number: Int, _ value: inout Bool) throws(ProtobufError) {
        guard takes(number, .varint) else { return }
        value = try varint() != 0
    }

    mutating func visit(_ number: Int, _ value: inout Int32) throws(ProtobufError) {
        guard takes(number, .varint) else { return }
        // Longer numbers lose their high bits, as in other implementations.
        value = Int32(truncatingIfNeeded: try varint())
    }

    mutating func visit(_ number: Int, _ value: inout Int64) throws(ProtobufError) {
        guard takes(number, .varint) else { return }
        value = Int64(bitPattern: try varint())
    }

    mutating func visit<Message: ProtobufMessage>(_ number: Int, _ value: inout Message?) throws(ProtobufError) {
        guard takes(number, .delimited) else { return }
        var message = value ?? Message()
        try readInner(&message)
        value = message
    }

    mutating func visit<Message: ProtobufMessage>(_ number: Int, _ list: inout [Message]) throws(ProtobufError) {
        guard takes(number, .delimited) else { return }
        var message = Message()
        try readInner(&message)
        list.append(message)
    }

    private mutating func readInner(_ message: inout some ProtobufMessage) throws(ProtobufError) {
        guard messages > 0 else { throw ProtobufError(.tooLarge, offset: at) }
        messages -= 1
        let range = try content()
        at = range.lowerBound
        try read(&message, to: range.upperBound)
        isTaken = true
    }

    // MARK: - Bytes

    private mutating func take(_ count: Int) throws(ProtobufError) -> Range<Int> {
        guard count <= end - at else { throw ProtobufError(.endOfInput, offset: end) }
        defer { at += count }
        return at..<at + count
    }

    /// The bytes after a length.
    private mutating func content() throws(ProtobufError) -> Range<Int> {
        let count = try varint()
        guard count <= UInt64(end - at) else { throw ProtobufError(.endOfInput, offset: end) }
        return try take(Int(count))
    }

    /// A number of up to ten bytes with seven bits each, the lowest first.
    private mutating func varint() throws(ProtobufError) -> UInt64 {
        let start = at
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard at < end else { throw ProtobufError(.endOfInput, offset: end) }
            let byte = bytes[at]
            at += 1
            bits |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return bits }
        }
        throw ProtobufError(.invalidNumber, offset: start)
    }
}
