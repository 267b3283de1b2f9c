// SPDX-License-Identifier: Apache-2.0

import RestJSON
package import RestSQLite
package import SOQLCheck

/// The format of a row as a JSON object, with the column of each member.
package struct RecordShape: Sendable {
    enum Content: Sendable {
        case value(column: Int, ValueKind)
        /// A parent's object, or null if the parent's id is null.
        case parent(RecordShape)
        /// The first of these objects whose id is not null, or null.
        case choice([RecordShape])
        /// A column that contains JSON, or null.
        case json(column: Int)
    }

    struct Member: Sendable {
        let name: String
        /// The comma before the member, its name and the colon: `,"Name":`.
        let key: ContiguousArray<UInt8>
        let content: Content

        init(_ name: String, _ content: Content) {
            self.name = name
            var key = [UInt8(ascii: ",")]
            key.appendQuoted(ContiguousArray(name.utf8).span)
            key.append(UInt8(ascii: ":"))
            self.key = ContiguousArray(key)
            self.content = content
        }
    }

    /// The beginning of a record up to its id: `{"attributes":{"type":"Account","url":"…/Account/`.
    struct Opening: Sendable {
        let type: String
        let keyPrefix: [UInt8]
        let bytes: ContiguousArray<UInt8>

        init(_ object: SObjectSchema, path: String) {
            type = object.name
            keyPrefix = Array(object.keyPrefix.utf8)
            var bytes = Array(#"{"attributes":{"type":"#.utf8)
            bytes.appendQuoted(ContiguousArray(object.name.utf8).span)
            bytes.append(contentsOf: #","url":"#.utf8)
            bytes.appendQuoted(ContiguousArray(path.utf8).span)
            self.bytes = ContiguousArray(bytes.dropLast())
        }
    }

    /// The column of the record's id, or `nil` for a group.
    package let idColumn: Int?
    /// The openings for the objects that the record can belong to.
    let openings: [Opening]
    let members: [Member]

    /// Returns the column of a value and its kind, by the names that lead to the value.
    package func column(at path: some Collection<String>) -> (index: Int, kind: ValueKind)? {
        guard let name = path.first, let member = members.first(where: { $0.name == name }) else { return nil }
        switch member.content {
        case .value(let index, let kind): return path.count == 1 ? (index, kind) : nil
        case .parent(let shape): return shape.column(at: path.dropFirst())
        case .choice, .json: return nil
        }
    }

    package func append(_ row: RowReader, to bytes: inout [UInt8]) {
        appendOpening(row, to: &bytes)
        let all = members[...]
        let members = all.span  // lent, so that no member is copied for each row
        for index in members.indices {
            bytes.appendBytes(members[index].key.span)
            append(members[index].content, row, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static let groupOpening = Array(#"{"attributes":{"type":"AggregateResult"}"#.utf8)

    private func appendOpening(_ row: RowReader, to bytes: inout [UInt8]) {
        guard let idColumn else { return bytes.append(contentsOf: Self.groupOpening) }
        row.withText(idColumn) { id in
            if let opening = opening(of: id) { bytes.appendBytes(opening.bytes.span) }
            bytes.appendBytes(id)
        }
        bytes.append(contentsOf: #""}"#.utf8)
    }

    /// Returns the opening for a record id, or `nil` for a group.
    func opening(of id: Span<UInt8>) -> Opening? {
        guard openings.count > 1 else { return openings.first }
        let match = openings.first { opening in
            opening.keyPrefix.count <= id.count
                && opening.keyPrefix.indices.allSatisfy { opening.keyPrefix[$0] == id[$0] }
        }
        return match ?? openings[0]
    }

    private func append(_ content: Content, _ row: RowReader, to bytes: inout [UInt8]) {
        switch content {
        case .parent(let shape):
            guard let id = shape.idColumn, !row.isNull(id) else { return bytes.append(contentsOf: "null".utf8) }
            shape.append(row, to: &bytes)
        case .choice(let shapes):
            guard let shape = shapes.first(where: { $0.idColumn.map { !row.isNull($0) } ?? false }) else {
                return bytes.append(contentsOf: "null".utf8)
            }
            shape.append(row, to: &bytes)
        case .value(let column, _) where row.isNull(column), .json(let column) where row.isNull(column):
            bytes.append(contentsOf: "null".utf8)
        case .json(let column), .value(let column, .compound): row.withText(column) { bytes.appendBytes($0) }
        case .value(let column, .boolean): bytes.append(contentsOf: (row.integer(column) == 0 ? "false" : "true").utf8)
        case .value(let column, .integer): bytes.appendInteger(row.integer(column))
        case .value(let column, .real): bytes.appendNumber(row.real(column))
        case .value(let column, _): row.withText(column) { bytes.appendQuoted($0) }
        }
    }
}

extension [UInt8] {
    /// Appends UTF-8 text as a JSON string (RFC 8259, section 7), copying runs without escapes as a whole.
    package mutating func appendQuoted(_ text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        var start = 0
        for index in text.indices {
            let byte = text[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
            appendBytes(text.extracting(start..<index))
            appendEscaped(byte)
            start = index &+ 1
        }
        appendBytes(text.extracting(start..<text.count))
        append(UInt8(ascii: "\""))
    }

    package mutating func appendBytes(_ span: Span<UInt8>) {
        // The buffer is only read, and does not escape.
        unsafe span.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }

    private mutating func appendEscaped(_ byte: UInt8) {
        append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
        default:
            append(contentsOf: "u00".utf8)
            append(UInt8(ascii: "0") + byte >> 4)
            let low = byte & 0x0F
            append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
    }

    /// Appends a double in Salesforce's format for amounts, in which whole numbers end with `.0`.
    package mutating func appendNumber(_ value: Double) {
        // bounded: by its magnitude
        guard value.magnitude < 1e15, case let whole = Int64(value), Double(whole) == value else {
            return append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
        }
        appendInteger(whole)
        append(contentsOf: ".0".utf8)
    }

    /// Appends the decimal digits of an integer, without an intermediate string.
    package mutating func appendInteger(_ value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var length = 1
        while length < 20, rest >= 10 {
            rest /= 10
            length &+= 1
        }
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: length))
        rest = value.magnitude
        for index in ((count - length)..<count).reversed() {
            self[index] &+= UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
    }
}
