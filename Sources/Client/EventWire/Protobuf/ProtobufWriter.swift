// SPDX-License-Identifier: Apache-2.0

// Writing the fields of messages that do not have the zero value of their type.
extension ProtobufVisitor {
    mutating func write(_ value: String) {
        visited += 1
        if !value.isEmpty { append(value.utf8) }
    }

    mutating func write(_ value: [UInt8]) {
        visited += 1
        if !value.isEmpty { append(value) }
    }

    mutating func write(_ value: UInt64) {
        visited += 1
        guard value != 0 else { return }
        append(tag: .varint)
        bytes.append(varint: value)
    }

    mutating func write(_ list: [some ProtobufMessage]) {
        visited += 1
        let field = visited
        for var message in list {
            append(tag: .delimited)
            // The length is known after the message. Most lengths take the two bytes that are kept free.
            let start = bytes.count + 2
            bytes.append(varint: 1 << 13)
            visited = 0
            // The writer never throws, and neither does the list of the fields.
            try? message.fields(&self)
            visited = field
            let count = bytes.count - start
            if (1 << 7..<1 << 14).contains(count) {
                bytes[start - 2] = UInt8(truncatingIfNeeded: count) | 0x80
                bytes[start - 1] = UInt8(truncatingIfNeeded: count >> 7)
            } else {
                var length: [UInt8] = []
                length.append(varint: UInt64(count))
                bytes.replaceSubrange(start - 2..<start, with: length)
            }
        }
    }

    private mutating func append(_ content: some Collection<UInt8>) {
        append(tag: .delimited)
        bytes.append(varint: UInt64(content.count))
        bytes += content
    }

    private mutating func append(tag form: ProtobufForm) {
        bytes.append(varint: UInt64(visited) << 3 | UInt64(form.rawValue))
    }
}
