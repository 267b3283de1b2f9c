// SPDX-License-Identifier: Apache-2.0

/// The elements of one array as an unkeyed container.
struct JSONUnkeyedWriter: UnkeyedEncodingContainer {
    let fragment: JSONFragment
    let id: Int
    private(set) var count = 0

    init(fragment: JSONFragment, id: Int) {
        self.fragment = fragment
        self.id = id
    }

    var codingPath: [any CodingKey] { fragment.path }

    /// Writes the comma before an element.
    @inline(__always)
    private mutating func begin(_ value: @autoclosure () -> Any) throws {
        guard fragment.accepts(id, .array) else { throw fragment.outOfOrder(value()) }
        fragment.separate()
        count &+= 1
    }

    mutating func encodeNil() throws {
        try begin("null")
        fragment.writeNull()
    }

    mutating func encode(_ value: Bool) throws {
        try begin(value)
        fragment.write(value)
    }

    mutating func encode(_ value: String) throws {
        try begin(value)
        fragment.write(value)
    }

    mutating func encode(_ value: Double) throws { try float(value) }
    mutating func encode(_ value: Float) throws { try float(value) }
    mutating func encode(_ value: Int) throws { try integer(value) }
    mutating func encode(_ value: Int8) throws { try integer(value) }
    mutating func encode(_ value: Int16) throws { try integer(value) }
    mutating func encode(_ value: Int32) throws { try integer(value) }
    mutating func encode(_ value: Int64) throws { try integer(value) }
    mutating func encode(_ value: UInt) throws { try integer(value) }
    mutating func encode(_ value: UInt8) throws { try integer(value) }
    mutating func encode(_ value: UInt16) throws { try integer(value) }
    mutating func encode(_ value: UInt32) throws { try integer(value) }
    mutating func encode(_ value: UInt64) throws { try integer(value) }
    mutating func encode(_ value: Int128) throws { try integer(value) }
    mutating func encode(_ value: UInt128) throws { try integer(value) }

    @inline(__always)
    private mutating func integer(_ value: some FixedWidthInteger) throws {
        try begin(value)
        fragment.write(integer: value)
    }

    private mutating func float(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws {
        let mark = fragment.mark
        try begin(value)
        guard fragment.write(float: value) else {
            count &-= 1
            fragment.undo(to: mark)
            throw fragment.notFinite(value, at: [JSONKey(intValue: count)])
        }
    }

    mutating func encode<T: Encodable>(_ value: T) throws {
        let mark = fragment.mark
        try begin(value)
        do {
            try fragment.write(value, step: .index(count &- 1))
        } catch {
            count &-= 1
            fragment.undo(to: mark)
            throw error
        }
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }

    mutating func superEncoder() -> any Encoder { encoder() }

    /// An encoder that may be used after and between other elements; out of its turn, its output goes nowhere.
    private mutating func encoder() -> JSONValueEncoder {
        let path = fragment.path + [JSONKey(intValue: count)]
        guard (try? begin("")) != nil else {
            let nowhere = JSONFragment(shared: fragment.shared, path: path)
            return JSONValueEncoder(fragment: nowhere, id: nowhere.frame.id)
        }
        let fragment = fragment.insert(path: path)
        return JSONValueEncoder(fragment: fragment, id: fragment.frame.id)
    }
}
