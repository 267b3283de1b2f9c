// SPDX-License-Identifier: Apache-2.0

package struct ProtobufLimits: Sendable {
    /// The maximum length of a message, which the Pub/Sub API limits to 4 MB.
    package var bytes: Int
    /// The maximum number of messages inside a message, because an empty one takes two bytes of the wire and much more
    /// memory.
    package var messages: Int

    package init(bytes: Int = 4 << 20, messages: Int = 20_000) { (self.bytes, self.messages) = (bytes, messages) }
}

/// The error thrown when bytes are not a message.
package struct ProtobufError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: String, Sendable {
        case endOfInput = "the bytes end inside a field"
        case invalidNumber = "a number has more than ten bytes"
        case invalidField = "a field has an invalid number"
        case group = "groups are not supported"
        case invalidWireType = "a field has an unknown wire type"
        case invalidUTF8 = "a string is not UTF-8"
        case tooLarge = "the message exceeds the limit"
    }

    package let reason: Reason
    /// The offset of the invalid byte, from 0.
    package let offset: Int

    init(_ reason: Reason, offset: Int) { (self.reason, self.offset) = (reason, offset) }

    package var description: String { "protobuf: \(reason.rawValue) (byte \(offset))" }
}

/// The form of a field on the wire.
enum ProtobufForm: UInt8 {
    case varint, fixed64, delimited, startGroup, endGroup, fixed32
}

// Reading the fields of messages.
//
// For each field of the wire, the message visits its list of fields, and the field with the same number takes the
// value. The messages have at most six fields, so a table would not be faster.
extension ProtobufVisitor {
    mutating func read(_ message: inout some ProtobufMessage, to end: Int) throws(ProtobufError) {
        let outer = self.end
        self.end = end
        while at < end {
            let start = at
            let tag = try varint()
            guard let form = ProtobufForm(rawValue: UInt8(tag & 7)) else {
                throw ProtobufError(.invalidWireType, offset: start)
            }
            guard form != .startGroup, form != .endGroup else { throw ProtobufError(.group, offset: start) }
            // Numbers have 29 bits.
            guard tag >> 3 > 0, tag >> 3 < 1 << 29 else { throw ProtobufError(.invalidField, offset: start) }
            (number, self.form, visited) = (Int(tag >> 3), form, 0)
            try message.fields(&self)
            if number > 0 { try skip(form) }
        }
        self.end = outer
    }

    private mutating func skip(_ form: ProtobufForm) throws(ProtobufError) {
        switch form {
        case .varint: _ = try varint()
        case .fixed64: _ = try take(8)
        case .fixed32: _ = try take(4)
        default: _ = try content()
        }
    }

    /// Whether the visited field takes the current one, because it has its number and form.
    @inline(__always)
    private mutating func takes(_ form: ProtobufForm) -> Bool {
        visited += 1
        guard visited == number, self.form == form else { return false }
        number = 0
        return true
    }

    mutating func read(_ value: inout String) throws(ProtobufError) {
        guard takes(.delimited) else { return }
        let range = try content()
        // Invalid bytes become other ones. `String(validating:as:)` would cost several times as much.
        let text = String(decoding: bytes[range], as: UTF8.self)
        guard bytes[range].allSatisfy({ $0 < 0x80 }) || text.utf8.elementsEqual(bytes[range]) else {
            throw ProtobufError(.invalidUTF8, offset: range.lowerBound)
        }
        value = text
    }

    mutating func read(_ value: inout [UInt8]) throws(ProtobufError) {
        if takes(.delimited) { value = Array(bytes[try content()]) }
    }

    mutating func read(_ value: inout UInt64) throws(ProtobufError) {
        if takes(.varint) { value = try varint() }
    }

    mutating func read<Message: ProtobufMessage>(_ value: inout Message?) throws(ProtobufError) {
        guard takes(.delimited) else { return }
        var message = value ?? Message()
        try readInner(&message)
        value = message
    }

    mutating func read<Message: ProtobufMessage>(_ list: inout [Message]) throws(ProtobufError) {
        guard takes(.delimited) else { return }
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
        // The fields of the outer message that follow take nothing.
        number = 0
    }

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

extension [UInt8] {
    /// Appends a number with seven bits in each byte, the lowest first.
    mutating func append(varint value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
