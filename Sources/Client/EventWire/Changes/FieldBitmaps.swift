// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Conversion between names of fields and the bitmaps of a change event's header: `changedFields`, `nulledFields` and
/// `diffFields`.
///
/// In the Pub/Sub API, each of these lists has at most one bitmap of the record's own fields, and one for each compound
/// field of which inner fields are meant:
/// * `0x410000`: hexadecimal, where bit n means the field at index n of the record, here 16 and 22.
/// * `4-0x3`: the index of a compound field, and the bitmap of its inner fields, here 0 and 1.
///
/// The names are those of CometD: `Phone`, and `BillingAddress.City` for an inner field.
package struct FieldBitmaps: Sendable {
    /// The number of names from which no further bitmap is read, to bound the memory for many bitmaps of a wide record.
    private static let maximumNames = 20_000

    private let schema: AvroSchema
    private let record: AvroSchema.Record

    /// Creates a converter for the events of a schema, or returns `nil` if an event is not a record.
    package init?(_ schema: AvroSchema) {
        guard let record = schema.record(of: schema.root) else { return nil }
        self.schema = schema
        self.record = record
    }

    /// Returns the names of the record's own fields, and then of inner fields, each in the order of the schema.
    ///
    /// - Throws: ``AvroError`` if an element is not a bitmap of fields that exist.
    package func names(_ bitmaps: [String]) throws(AvroError) -> [String] {
        var own: [String] = []
        var inner: [String] = []
        for bitmap in bitmaps {
            guard own.count + inner.count <= Self.maximumNames else { throw AvroError(.tooLarge) }
            guard let cut = bitmap.cut(byte: "-") else {
                own += try indices(bitmap, below: record.fields.count).map { record.fields[$0].name }
                continue
            }
            guard let index = Int(outside: cut.before, in: .count), index < record.fields.count,
                case let parent = record.fields[index], let fields = schema.record(of: parent.type)?.fields
            else { throw Self.error(.noCompoundField, bitmap) }
            let children = try indices(String(cut.after), below: fields.count, in: bitmap)
            inner += children.map { "\(parent.name).\(fields[$0].name)" }
        }
        return own + inner
    }

    /// Returns the bitmap of the record's own fields first, and then those of compound fields, of names in any order.
    ///
    /// - Throws: ``AvroError`` if a name is unknown.
    package func bitmaps(_ names: some Sequence<String>) throws(AvroError) -> [String] {
        var own: Set<Int> = []
        var inner: [Int: Set<Int>] = [:]
        for name in names {
            let cut = name.cut(byte: ".")
            guard let index = record.positions[ascii: cut.map { String($0.before) } ?? name] else {
                throw Self.error(.unknownField, name)
            }
            guard let cut else {
                own.insert(index)
                continue
            }
            guard let child = schema.record(of: record.fields[index].type)?.positions[ascii: String(cut.after)] else {
                throw Self.error(.unknownField, name)
            }
            inner[index, default: []].insert(child)
        }
        return (own.isEmpty ? [] : [Self.text(of: own)])
            + inner.sorted { $0.key < $1.key }.map { "\($0.key)-\(Self.text(of: $0.value))" }
    }

    /// The set bits of a bitmap such as `0x410000`, the lowest first.
    private func indices(
        _ bitmap: String, below count: Int, in element: String? = nil
    ) throws(AvroError) -> [Int] {
        guard let digits = bitmap.removing(prefix: "0x"), !digits.isEmpty,
            // Zeros before the first digit are valid, but not without end.
            digits.utf8.count <= count + 64
        else { throw Self.error(.invalidBitmap, element ?? bitmap) }
        var indices: [Int] = []
        for (place, digit) in digits.utf8.reversed().enumerated() {
            guard let value = ASCII.hexValue(digit) else { throw Self.error(.invalidBitmap, element ?? bitmap) }
            for bit in 0..<4 where value >> UInt8(bit) & 1 == 1 { indices.append(4 * place + bit) }
        }
        guard indices.last ?? 0 < count else { throw Self.error(.unknownField, element ?? bitmap) }
        return indices
    }

    private static func error(_ reason: AvroError.Reason, _ element: String) -> AvroError {
        AvroPath(steps: [.name(element)]).error(reason)
    }

    /// The bitmap of a set of indices, in whole bytes.
    private static func text(of indices: Set<Int>) -> String {
        var bytes = [UInt8](repeating: 0, count: (indices.max() ?? 0) / 8 + 1)
        for index in indices { bytes[bytes.count - 1 - index / 8] |= 1 << UInt8(index % 8) }
        return "0x" + String(decoding: Hexadecimal.encode(bytes), as: UTF8.self).uppercased()
    }
}
