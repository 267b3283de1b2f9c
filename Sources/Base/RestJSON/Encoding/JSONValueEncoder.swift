// SPDX-License-Identifier: Apache-2.0

/// An encoder of one value, which is appended to a fragment.
struct JSONValueEncoder: Encoder {
    let fragment: JSONFragment
    let id: Int

    var codingPath: [any CodingKey] { fragment.path }

    var userInfo: [CodingUserInfoKey: Any] { fragment.shared.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        fragment.open(id, as: .object)
        return KeyedEncodingContainer(
            JSONKeyedWriter<Key>(fragment: fragment, id: id, texts: fragment.shared.texts(of: type)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        fragment.open(id, as: .array)
        return JSONUnkeyedWriter(fragment: fragment, id: id)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Claims the encoder's only value.
    private func begin(_ value: Any) throws {
        guard fragment.single(id) else { throw fragment.outOfOrder(value) }
    }
}

extension JSONValueEncoder: SingleValueEncodingContainer {
    func encodeNil() throws {
        try begin("null")
        fragment.writeNull()
    }

    func encode(_ value: Bool) throws {
        try begin(value)
        fragment.write(value)
    }

    func encode(_ value: String) throws {
        try begin(value)
        fragment.append(string: value)
    }

    func encode(_ value: Double) throws {
        try begin(value)
        guard fragment.append(float: value) else { throw fragment.notFinite(value, at: []) }
    }

    func encode(_ value: Float) throws {
        try begin(value)
        guard fragment.append(float: value) else { throw fragment.notFinite(value, at: []) }
    }

    private func integer(_ value: some FixedWidthInteger) throws {
        try begin(value)
        fragment.append(integer: value)
    }

    func encode(_ value: Int128) throws { try integer(value) }
    func encode(_ value: UInt128) throws { try integer(value) }

    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { try integer(value) }

    func encode<T: Encodable>(_ value: T) throws {
        try begin(value)
        try fragment.write(value, step: nil)
    }
}

extension JSONFragment {
    func notFinite(_ value: Any, at step: [any CodingKey]) -> EncodingError {
        .invalidValue(
            value, .init(codingPath: path + step, debugDescription: "JSON cannot represent NaN or infinity"))
    }

    /// The error for a container that writes out of order, or for a second single value.
    func outOfOrder(_ value: Any) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "the element was written twice or out of order"))
    }
}

extension JSONValue: Encodable {
    /// Writes the value as it is with an encoder of this module, and part by part with any other encoder.
    public func encode(to encoder: any Encoder) throws {
        switch kind {
        case .array:
            var container = encoder.unkeyedContainer()
            for element in array ?? [] { try container.encode(element) }
        case .object:
            var container = encoder.container(keyedBy: JSONKey.self)
            for (key, value) in object ?? [:] { try container.encode(value, forKey: JSONKey(stringValue: key)) }
        default:
            var container = encoder.singleValueContainer()
            try encodeScalar(into: &container)
        }
    }

    private func encodeScalar(into container: inout any SingleValueEncodingContainer) throws {
        if let string {
            try container.encode(string)
        } else if let bool {
            try container.encode(bool)
        } else if let int {
            try container.encode(int)
        } else if let uint {
            try container.encode(uint)
        } else if let double {
            try container.encode(double)
        } else if isNull {
            try container.encodeNil()
        } else {
            throw EncodingError.invalidValue(
                self, .init(codingPath: container.codingPath, debugDescription: "the number does not fit in a double"))
        }
    }
}

struct JSONKeyedWriter<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let fragment: JSONFragment
    let id: Int
    /// The names of the keys, if they are cached.
    let texts: JSONKeyTexts?

    var codingPath: [any CodingKey] { fragment.path }

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
        fragment.append(string: value)
    }

    func encode(_ value: Double, forKey key: Key) throws { try float(value, key) }
    func encode(_ value: Float, forKey key: Key) throws { try float(value, key) }
    func encode(_ value: Int128, forKey key: Key) throws { try integer(value, key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try integer(value, key) }

    @inline(__always)
    func encode<T: FixedWidthInteger & Encodable>(_ value: T, forKey key: Key) throws { try integer(value, key) }

    @inline(__always)
    private func integer(_ value: some FixedWidthInteger, _ key: Key) throws {
        try begin(key, value)
        fragment.append(integer: value)
    }

    private func float(_ value: some BinaryFloatingPoint & CustomStringConvertible, _ key: Key) throws {
        let mark = fragment.mark
        try begin(key, value)
        guard fragment.append(float: value) else {
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

    /// An encoder that may be used between other members, with discarded output if the container must not write now.
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

struct JSONUnkeyedWriter: UnkeyedEncodingContainer {
    let fragment: JSONFragment
    let id: Int
    private(set) var count = 0

    init(fragment: JSONFragment, id: Int) {
        self.fragment = fragment
        self.id = id
    }

    var codingPath: [any CodingKey] { fragment.path }

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
        fragment.append(string: value)
    }

    mutating func encode(_ value: Double) throws { try float(value) }
    mutating func encode(_ value: Float) throws { try float(value) }
    mutating func encode(_ value: Int128) throws { try integer(value) }
    mutating func encode(_ value: UInt128) throws { try integer(value) }

    @inline(__always)
    mutating func encode<T: FixedWidthInteger & Encodable>(_ value: T) throws { try integer(value) }

    @inline(__always)
    private mutating func integer(_ value: some FixedWidthInteger) throws {
        try begin(value)
        fragment.append(integer: value)
    }

    private mutating func float(_ value: some BinaryFloatingPoint & CustomStringConvertible) throws {
        let mark = fragment.mark
        try begin(value)
        guard fragment.append(float: value) else {
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

    /// An encoder that may be used between other elements, with discarded output if the array must not write now.
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
