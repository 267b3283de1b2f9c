// SPDX-License-Identifier: Apache-2.0

/// The members of one object as a keyed container.
struct JSONKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let context: JSONDecodingContext
    let index: Int
    /// The number of the plan by which keys are found.
    let plan: Int

    var codingPath: [any CodingKey] { context.path(to: index) }

    var allKeys: [Key] {
        if context.transform != nil {
            let renamed = context.renamed(at: index)
            return renamed.sorted { $0.value < $1.value }.compactMap { Key(stringValue: $0.key.text) }
        }
        var names: [String] = []
        var seen: Set<JSONName> = []
        context.document.forEachMember(ofObjectAt: index) { name, _ in
            if seen.insert(JSONName(name)).inserted { names.append(name) }
        }
        return names.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { context.find(key, inObjectAt: index, plan: plan) != nil }

    @inline(__always)
    private func need(_ key: Key) throws -> Int {
        guard let found = context.find(key, inObjectAt: index, plan: plan) else { throw absent(key) }
        return found
    }

    /// The tape index of the value of a key, or nil when it is absent or null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let found = context.find(key, inObjectAt: index, plan: plan), !context.isNull(found) else { return nil }
        return found
    }

    @inline(never)
    private func absent(_ key: Key) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "no member \"\(key.stringValue)\""))
    }

    func decodeNil(forKey key: Key) throws -> Bool { context.isNull(try need(key)) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder {
        optionalDecoder(JSONKey(stringValue: "super"))
    }

    func superDecoder(forKey key: Key) throws -> any Decoder { optionalDecoder(key) }

    /// A decoder of the value of a key; one of null when it is absent, as Foundation has it.
    private func optionalDecoder(_ key: some CodingKey) -> any Decoder {
        guard let found = context.find(key, inObjectAt: index, plan: plan) else {
            return context.null(at: codingPath + [key])
        }
        return JSONValueDecoder(context: context, index: found)
    }

    private func decoder(_ key: Key) throws -> JSONValueDecoder {
        JSONValueDecoder(context: context, index: try need(key))
    }
}

/// One line for each type that the protocol names; the standard library would look each key up three times.
extension JSONKeyedReader {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try context.bool(at: need(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try context.string(at: need(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try context.double(at: need(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try context.float(at: need(key)) }
    func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try context.integer(type, at: need(key)) }
    func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try context.integer(type, at: need(key)) }
    func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try context.integer(type, at: need(key)) }
    func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try context.integer(type, at: need(key)) }
    func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try context.integer(type, at: need(key)) }
    func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try context.integer(type, at: need(key)) }
    func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try context.integer(type, at: need(key)) }
    func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try context.integer(type, at: need(key)) }
    func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try context.integer(type, at: need(key)) }
    func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try context.integer(type, at: need(key)) }
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try context.integer(type, at: need(key)) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try context.integer(type, at: need(key)) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try context.decode(type, at: need(key))
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map { try context.bool(at: $0) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map { try context.string(at: $0) }
    }

    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
        try present(key).map { try context.double(at: $0) }
    }

    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
        try present(key).map { try context.float(at: $0) }
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key).map { try context.decode(type, at: $0) }
    }
}

extension JSONDocument {
    /// Calls a function with the name and the tape index of the value of each member, in order.
    func forEachMember(ofObjectAt object: Int, _ body: (String, Int) -> Void) {
        var member = object + 1
        while member < tape[object].position {
            body(string(at: member), member + 1)
            member = index(after: member + 1)
        }
    }
}
