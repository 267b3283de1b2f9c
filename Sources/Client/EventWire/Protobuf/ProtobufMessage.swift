// SPDX-License-Identifier: Apache-2.0

/// A message of Protocol Buffers, version 3, as a Swift value.
package protocol ProtobufMessage: Sendable, Hashable {
    /// Creates a message in which every field has the zero value of its type.
    init()

    /// Visits the fields with the numbers 1, 2, 3 and so on, in this order.
    mutating func fields(_ visit: inout ProtobufVisitor) throws(ProtobufError)
}

/// A reader or writer, which each field of a message calls.
///
/// A type lists its fields once, for both. Key paths, or a protocol for the two, would say the same, but cost several
/// times as much.
package struct ProtobufVisitor {
    let isReading: Bool
    /// The bytes to read, or those that were written.
    var bytes: [UInt8] = []
    /// The number of the field that was visited last.
    var visited = 0
    /// The number of messages that a reader may still find.
    var messages = 0
    /// The offset of a reader, and the end of the innermost message.
    var (at, end) = (0, 0)
    /// The number of a reader's current field of the wire, or 0 after it was taken, and its form.
    var (number, form) = (0, ProtobufForm.varint)

    init(isReading: Bool) { self.isReading = isReading }

    mutating func callAsFunction(_ value: inout String) throws(ProtobufError) {
        if isReading { try read(&value) } else { write(value) }
    }

    mutating func callAsFunction(_ value: inout [UInt8]) throws(ProtobufError) {
        if isReading { try read(&value) } else { write(value) }
    }

    /// Visits the bits of a number.
    mutating func callAsFunction(_ value: inout UInt64) throws(ProtobufError) {
        if isReading { try read(&value) } else { write(value) }
    }

    mutating func callAsFunction(_ value: inout (some ProtobufMessage)?) throws(ProtobufError) {
        if isReading { try read(&value) } else { write(value.map { [$0] } ?? []) }
    }

    mutating func callAsFunction(_ list: inout [some ProtobufMessage]) throws(ProtobufError) {
        if isReading { try read(&list) } else { write(list) }
    }

    mutating func callAsFunction(_ value: inout Bool) throws(ProtobufError) {
        var bits: UInt64 = value ? 1 : 0
        try self(&bits)
        value = bits != 0
    }

    /// Visits a number that has its sign in all 64 bits, and of which longer ones lose their high bits, as in other
    /// implementations.
    mutating func callAsFunction<Number: SignedInteger & FixedWidthInteger>(
        _ value: inout Number
    ) throws(ProtobufError) {
        var bits = UInt64(truncatingIfNeeded: value)
        try self(&bits)
        value = Number(truncatingIfNeeded: bits)
    }

    mutating func callAsFunction<Value: ProtobufEnum>(_ value: inout Value) throws(ProtobufError) {
        var number = value.rawValue
        try self(&number)
        value = Value(rawValue: number)
    }
}

/// An enum of Protocol Buffers, whose unknown numbers are kept.
package protocol ProtobufEnum: RawRepresentable, Sendable, Hashable where RawValue == Int32 {
    init(rawValue: Int32)
}

extension ProtobufMessage {
    /// Reads a message that takes all bytes.
    ///
    /// Unknown fields are skipped, as are fields with another form than expected. If a field that is no list repeats,
    /// the last value counts, and the fields of messages are merged.
    ///
    /// - Throws: ``ProtobufError`` with the offset of the first invalid byte.
    package init(reading bytes: [UInt8], limits: ProtobufLimits = ProtobufLimits()) throws(ProtobufError) {
        guard bytes.count <= limits.bytes else { throw ProtobufError(.tooLarge, offset: limits.bytes) }
        self.init()
        var reader = ProtobufVisitor(isReading: true)
        (reader.bytes, reader.messages) = (bytes, limits.messages)
        try reader.read(&self, to: bytes.count)
    }

    /// The bytes of the message, without fields that have the zero value.
    package var encoded: [UInt8] {
        var (message, writer) = (self, ProtobufVisitor(isReading: false))
        // The writer never throws, and neither does the list of the fields.
        try? message.fields(&writer)
        return writer.bytes
    }
}
