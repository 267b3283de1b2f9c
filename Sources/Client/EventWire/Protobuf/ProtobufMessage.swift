// SPDX-License-Identifier: Apache-2.0

/// A message of Protocol Buffers, version 3, as a Swift value.
///
/// A type lists its fields once, in ``fields(_:)``. The reader and the writer both walk this list.
package protocol ProtobufMessage: Sendable, Hashable {
    /// Creates a message in which every field has the zero value of its type.
    init()

    /// Visits every field with its number, in the order of the numbers.
    mutating func fields(_ visitor: inout some ProtobufVisitor) throws(ProtobufError)
}

/// A reader or writer of the fields of a message.
package protocol ProtobufVisitor {
    mutating func visit(_ number: Int, _ value: inout String) throws(ProtobufError)
    mutating func visit(_ number: Int, _ value: inout [UInt8]) throws(ProtobufError)
    mutating func visit(_ number: Int, _ value: inout Bool) throws(ProtobufError)
    mutating func visit(_ number: Int, _ value: inout Int32) throws(ProtobufError)
    mutating func visit(_ number: Int, _ value: inout Int64) throws(ProtobufError)
    mutating func visit<Message: ProtobufMessage>(_ number: Int, _ value: inout Message?) throws(ProtobufError)
    mutating func visit<Message: ProtobufMessage>(_ number: Int, _ list: inout [Message]) throws(ProtobufError)
}

/// An enum of Protocol Buffers, whose unknown numbers are kept.
package protocol ProtobufEnum: RawRepresentable, Sendable, Hashable where RawValue == Int32 {
    init(rawValue: Int32)
}

extension ProtobufVisitor {
    mutating func visit(_ number: Int, _ value: inout some ProtobufEnum) throws(ProtobufError) {
        var rawValue = value.rawValue
        try visit(number, &rawValue)
        value = .init(rawValue: rawValue)
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

/// Limits on a message from outside.
package struct ProtobufLimits: Sendable {
    /// The maximum length of a message, which the Pub/Sub API limits to 4 MB.
    package var bytes: Int
    /// The maximum number of messages inside a message, because an empty one takes two bytes of the wire and much more
    /// memory.
    package var messages: Int

    package init(bytes: Int = 4 << 20, messages: Int = 20_000) { (self.bytes, self.messages) = (bytes, messages) }
}

extension ProtobufMessage {
    /// Reads a message that takes all bytes.
    ///
    /// Unknown fields are skipped, as are fields with another wire type than expected. If a field that is no list
    /// repeats, the last value counts, and the fields of messages are merged.
    ///
    /// - Throws: ``ProtobufError`` with the offset of the first invalid byte.
    package init(reading bytes: [UInt8], limits: ProtobufLimits = ProtobufLimits()) throws(ProtobufError) {
        guard bytes.count <= limits.bytes else { throw ProtobufError(.tooLarge, offset: limits.bytes) }
        self.init()
        var reader = ProtobufReader(bytes, messages: limits.messages)
        try reader.read(&self, to: bytes.count)
    }

    /// The bytes of the message, without fields that have the zero value.
    package var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.write(self)
        return writer.bytes
    }
}

/// The error thrown when bytes are not a message.
package struct ProtobufError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
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
enum ProtobufWireType: UInt8 {
    case varint, fixed64, delimited, startGroup, endGroup, fixed32
}
