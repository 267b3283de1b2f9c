// SPDX-License-Identifier: Apache-2.0

/// The members of one object as a keyed container.
struct JSONKeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let fragment: JSONFragment
    let id: Int
    /// The names of the keys, if they are remembered.
    let texts: JSONKeyTexts?

    var codingPath: [any CodingKey] { fragment.path }

    /// Writes the name of a member.
    @inline(__always)
    private func begin(_ key: Key, _ value: @autoclosure () -> Any) throws {
        guard fragment.accepts(id, .object) else { throw fragment.outOfOrder(value()) }
        if let texts { fragment.member(key, of: texts) } else { fragment.member(key.stringValue) }
    }

    func encodeNil(forKey key: Key) throws {
        try begin(key, "null")
        fragment.writeNull()
    }

    func encode(_ value: Bool, forKey key: Key) throws {
        try begin(key, value)
        fragment.write(value)
    }

    func encode(_ value: String, forKey key: Key) throws {
        try begin(key, value)
        fragment.write(value)
    }

    func encode(_ value: Double, forKey key: Key) throws { try float(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try float(value, key) }
    func encode(_ value: Int, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt8, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt16, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt32, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt64, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try integer(value, key) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger, _ key: Key) throws {
        try begin(key, value)
        fragment.write(integer: value)
    }

    private func float(_ value: some BinaryFloatingPoint & CustomStringConvertible, _ key: Key) throws {
        let mark = fragment.mark
        try begin(key, value)
        guard fragment.write(float: value) else {
            fragment.undo(to: mark)
            throw fragment.notFinite(value, at: [key])
        }
    }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        let mark = fragment.mark
        try begin(key, value)
        do {
            try fragment.write(value, step: .key(key))
        } catch {
            fragment.undo(to: mark)
            throw error
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder(JSONKey(stringValue: "super")) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    /// An encoder that may be used after and between other members.
    ///
    /// The protocol lets this function throw nothing; out of its turn it gives an encoder whose output goes nowhere.
    private func encoder(_ key: some CodingKey) -> JSONValueEncoder {
        let path = fragment.path + [key]
        guard fragment.accepts(id, .object) else {
            let nowhere = JSONFragment(shared: fragment.shared, path: path)
            return JSONValueEncoder(fragment: nowhere, id: nowhere.frame.id)
        }
        fragment.member(key.stringValue)
        let fragment = fragment.insert(path: path)
        return JSONValueEncoder(fragment: fragment, id: fragment.frame.id)
    }
}
