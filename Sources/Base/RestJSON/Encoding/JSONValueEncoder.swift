// SPDX-License-Identifier: Apache-2.0

/// An encoder of one value, which writes at the end of a fragment.
struct JSONValueEncoder: Encoder {
    let fragment: JSONFragment
    /// The value's frame in the fragment.
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

    /// Takes the place of the encoder's only value.
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
        fragment.write(value)
    }

    func encode(_ value: Double) throws {
        try begin(value)
        guard fragment.write(float: value) else { throw fragment.notFinite(value, at: []) }
    }

    func encode(_ value: Float) throws {
        try begin(value)
        guard fragment.write(float: value) else { throw fragment.notFinite(value, at: []) }
    }

    private func integer(_ value: some FixedWidthInteger) throws {
        try begin(value)
        fragment.write(integer: value)
    }

    func encode(_ value: Int) throws { try integer(value) }
    func encode(_ value: Int8) throws { try integer(value) }
    func encode(_ value: Int16) throws { try integer(value) }
    func encode(_ value: Int32) throws { try integer(value) }
    func encode(_ value: Int64) throws { try integer(value) }
    func encode(_ value: UInt) throws { try integer(value) }
    func encode(_ value: UInt8) throws { try integer(value) }
    func encode(_ value: UInt16) throws { try integer(value) }
    func encode(_ value: UInt32) throws { try integer(value) }
    func encode(_ value: UInt64) throws { try integer(value) }
    func encode(_ value: Int128) throws { try integer(value) }
    func encode(_ value: UInt128) throws { try integer(value) }

    func encode<T: Encodable>(_ value: T) throws {
        try begin(value)
        try fragment.write(value, step: nil)
    }
}

extension JSONFragment {
    /// The error for NaN and the infinities.
    func notFinite(_ value: Any, at step: [any CodingKey]) -> EncodingError {
        .invalidValue(
            value, .init(codingPath: path + step, debugDescription: "JSON has no number for NaN and infinity"))
    }

    /// The error for a container that writes when it is not its turn, or a second value where one is allowed.
    func outOfOrder(_ value: Any) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "written out of order, or twice"))
    }
}

extension JSONValue: Encodable {
    /// Writes the value as it stands with the encoder of this module, and part by part with any other.
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
