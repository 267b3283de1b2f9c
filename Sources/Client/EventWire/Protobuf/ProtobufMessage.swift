// SPDX-License-Identifier: Apache-2.0

/// A message of Protocol Buffers, version 3, as a Swift value.
package protocol ProtobufMessage: Sendable, Hashable {
    /// Creates a message in which every field has the zero value of its type.
    init()

    /// The fields with the numbers 1, 2, 3 and so on.
    static var fields: [ProtobufField<Self>] { get }
}

/// An enum of Protocol Buffers, whose unknown numbers are kept.
package protocol ProtobufEnum: RawRepresentable, Sendable, Hashable where RawValue == Int32 {
    init(rawValue: Int32)
}

/// A field of a message: its form, and how it is read and written.
package struct ProtobufField<Message: ProtobufMessage>: Sendable {
    typealias Path<Value> = any WritableKeyPath<Message, Value> & Sendable
    typealias Read = @Sendable (inout Message, inout ProtobufReader) throws(ProtobufError) -> Void

    let form: ProtobufForm
    /// Reads the value from the wire.
    let read: Read
    /// Appends the field with its number to bytes, unless the value is the zero value of its type.
    let append: @Sendable (Message, Int, inout [UInt8]) -> Void

    private init(
        _ form: ProtobufForm, _ read: @escaping Read, append: @escaping @Sendable (Message, Int, inout [UInt8]) -> Void
    ) {
        (self.form, self.read, self.append) = (form, read, append)
    }

    private init<Value>(
        _ path: Path<Value>, _ value: @escaping @Sendable (UInt64) -> Value,
        bits: @escaping @Sendable (Value) -> UInt64
    ) {
        self.init(.varint) { message, reader throws(ProtobufError) in
            message[keyPath: path] = value(try reader.varint())
        } append: { message, number, bytes in
            let bits = bits(message[keyPath: path])
            if bits != 0 { bytes.append(field: number, bits) }
        }
    }
}

extension ProtobufField {
    init(_ path: Path<String>) {
        self.init(.delimited) { message, reader throws(ProtobufError) in
            message[keyPath: path] = try reader.text()
        } append: { message, number, bytes in
            let text = message[keyPath: path]
            if !text.isEmpty { bytes.append(field: number, Array(text.utf8)) }
        }
    }

    init(_ path: Path<[UInt8]>) {
        self.init(.delimited) { message, reader throws(ProtobufError) in
            message[keyPath: path] = Array(reader.bytes[try reader.content()])
        } append: { message, number, bytes in
            let content = message[keyPath: path]
            if !content.isEmpty { bytes.append(field: number, content) }
        }
    }

    init(_ path: Path<Bool>) {
        self.init(path, { $0 != 0 }, bits: { $0 ? 1 : 0 })
    }

    /// A number of which a longer one loses its high bits, as in other implementations.
    ///
    /// A negative number has its sign in all 64 bits.
    init<Value: FixedWidthInteger & Sendable>(_ path: Path<Value>) {
        self.init(path, { .init(truncatingIfNeeded: $0) }, bits: { UInt64(truncatingIfNeeded: $0) })
    }

    init<Value: ProtobufEnum>(_ path: Path<Value>) {
        self.init(
            path, { .init(rawValue: Int32(truncatingIfNeeded: $0)) }, bits: { UInt64(truncatingIfNeeded: $0.rawValue) })
    }

    /// A message, whose fields are merged if it repeats.
    init<Inner: ProtobufMessage>(_ path: Path<Inner?>) {
        self.init(.delimited) { message, reader throws(ProtobufError) in
            var inner = message[keyPath: path] ?? Inner()
            try reader.readInner(&inner)
            message[keyPath: path] = inner
        } append: { message, number, bytes in
            if let inner = message[keyPath: path] { bytes.append(field: number, inner.encoded) }
        }
    }

    init<Inner: ProtobufMessage>(_ path: Path<[Inner]>) {
        self.init(.delimited) { message, reader throws(ProtobufError) in
            var inner = Inner()
            try reader.readInner(&inner)
            message[keyPath: path].append(inner)
        } append: { message, number, bytes in
            for inner in message[keyPath: path] { bytes.append(field: number, inner.encoded) }
        }
    }
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
        var reader = ProtobufReader(bytes, messages: limits.messages)
        try reader.read(&self, to: bytes.count)
    }

    /// The bytes of the message, without fields that have the zero value.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (index, field) in Self.fields.enumerated() { field.append(self, index + 1, &bytes) }
        return bytes
    }
}
