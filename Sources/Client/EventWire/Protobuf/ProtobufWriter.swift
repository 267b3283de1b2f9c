// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of messages that do not have the zero value of their type.
struct ProtobufWriter: ProtobufVisitor {
    private(set) var bytes: [UInt8] = []

    mutating func write(_ message: some ProtobufMessage) {
        var message = message
        // The writer itself never throws, and neither does the list of the fields.
        try? message.fields(&self)
    }

    mutating func visit(_ number: Int, _ value: inout String) {
        if !value.isEmpty { append(number, Array(value.utf8)) }
    }

    mutating func visit(_ number: Int, _ value: inout [UInt8]) {
        if !value.isEmpty { append(number, value) }
    }

    mutating func visit(_ number: Int, _ value: inout Bool) {
        if value { append(number, 1) }
    }

    mutating func visit(_ number: Int, _ value: inout Int32) {
        // A negative number has the sign in all 64 bits.
        if value != 0 { append(number, UInt64(bitPattern: Int64(value))) }
    }

    mutating func visit(_ number: Int, _ value: inout Int64) {
        if value != 0 { append(number, UInt64(bitPattern: value)) }
    }

    mutating func visit(_ number: Int, _ value: inout (some ProtobufMessage)?) {
        if let value { append(number, value.encoded) }
    }

    mutating func visit(_ number: Int, _ list: inout [some ProtobufMessage]) {
        for message in list { append(number, message.encoded) }
    }

    private mutating func append(_ number: Int, _ content: [UInt8]) {
        append(tag: number, .delimited)
        bytes.append(varint: UInt64(content.count))
        bytes += content
    }

    private mutating func append(_ number: Int, _ value: UInt64) {
        append(tag: number, .varint)
        bytes.append(varint: value)
    }

    private mutating func append(tag number: Int, _ type: ProtobufWireType) {
        bytes.append(varint: UInt64(number) << 3 | UInt64(type.rawValue))
    }
}
