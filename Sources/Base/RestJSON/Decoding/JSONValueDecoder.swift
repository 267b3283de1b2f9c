// SPDX-License-Identifier: Apache-2.0

/// A decoder of the value at one tape index.
///
/// Two words, so that the standard library needs no box for it.
struct JSONValueDecoder: Decoder {
    let context: JSONDecodingContext
    let index: Int

    var codingPath: [any CodingKey] { context.path(to: index) }

    var userInfo: [CodingUserInfoKey: Any] { context.options.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard context.entry(index).has(.object) else {
            throw context.mismatch([String: JSONValue].self, at: index)
        }
        return KeyedDecodingContainer(
            JSONKeyedReader<Key>(context: context, index: index, plan: context.plan(of: type)))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard context.entry(index).has(.array) else {
            throw context.mismatch([JSONValue].self, at: index)
        }
        return JSONUnkeyedReader(context: context, index: index)
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension JSONValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { context.isNull(index) }
    func decode(_ type: Bool.Type) throws -> Bool { try context.bool(at: index) }
    func decode(_ type: String.Type) throws -> String { try context.string(at: index) }
    func decode(_ type: Double.Type) throws -> Double { try context.double(at: index) }
    func decode(_ type: Float.Type) throws -> Float { try context.float(at: index) }
    func decode(_ type: Int.Type) throws -> Int { try context.integer(type, at: index) }
    func decode(_ type: Int8.Type) throws -> Int8 { try context.integer(type, at: index) }
    func decode(_ type: Int16.Type) throws -> Int16 { try context.integer(type, at: index) }
    func decode(_ type: Int32.Type) throws -> Int32 { try context.integer(type, at: index) }
    func decode(_ type: Int64.Type) throws -> Int64 { try context.integer(type, at: index) }
    func decode(_ type: UInt.Type) throws -> UInt { try context.integer(type, at: index) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try context.integer(type, at: index) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try context.integer(type, at: index) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try context.integer(type, at: index) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try context.integer(type, at: index) }
    func decode(_ type: Int128.Type) throws -> Int128 { try context.integer(type, at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try context.integer(type, at: index) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try context.decode(type, at: index) }
}

extension JSONValue: Decodable {
    /// Takes the value as it stands when the decoder is one of this module, and part by part from any other.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONValueDecoder {
            self.init(decoder.context.document, at: decoder.index)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self.init(value)
        } else if let value = try? container.decode(Int.self) {
            self.init(value)
        } else if let value = try? container.decode(UInt64.self) {
            self.init(value)
        } else if let value = try? container.decode(Double.self) {
            self = JSONValue(value) ?? .null
        } else if let value = try? container.decode(String.self) {
            self.init(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self.init(JSONArray(value))
        } else {
            let members = try container.decode([String: JSONValue].self)
            self.init(JSONObject(members: members.map { (key: $0.key, value: $0.value) }))
        }
    }
}
