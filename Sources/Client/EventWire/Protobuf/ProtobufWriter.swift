// SPDX-License-Identifier: Apache-2.0

/// Writes the fields of a message that do not have the zero value of their type.
struct ProtobufWriter: ProtobufVisitor {
    private(set) var bytes: [UInt8] = []
    /// The number of the field that was visited last.
    private var number = 0

    mutating func callAsFunction(_ value: inout String) {
        number += 1
        if !value.isEmpty { append(Array(value.utf8)) }
    }

    mutating func callAsFunction(_ value: inout [UInt8]) {
        number += 1
        if !value.isEmpty { append(value) }
    }

    mutating func callAsFunction(_ value: inout UInt64) {
        number += 1
        guard value != 0 else { return }
        append(tag: .varint)
        bytes.append(varint: value)
    }

    mutating func callAsFunction(_ value: inout (some ProtobufMessage)?) {
        number += 1
        if let value { append(value.encoded) }
    }

    mutating func callAsFunction(_ list: inout [some ProtobufMessage]) {
        number += 1
        for message in list { append(message.encoded) }
    }

    private mutating func append(_ content: [UInt8]) {
        append(tag: .delimited)
        bytes.append(varint: UInt64(content.count))
        bytes += content
    }

    private mutating func append(tag form: ProtobufForm) {
        bytes.append(varint: UInt64(number) << 3 | UInt64(form.rawValue))
    }
}
