// SPDX-License-Identifier: Apache-2.0

/// A decoder of the value at one tape index, which is small enough (two words) for inline storage in an existential.
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

    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try context.integer(type, at: index) }

    func decode(_ type: Int128.Type) throws -> Int128 { try context.integer(type, at: index) }
    func decode(_ type: UInt128.Type) throws -> UInt128 { try context.integer(type, at: index) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try context.decode(type, at: index) }
}

extension JSONValue: Decodable {
    /// Takes the value as it is from a decoder of this module, and part by part from any other decoder.
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

struct JSONKeyedReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let context: JSONDecodingContext
    let index: Int
    /// The index of the plan that finds keys.
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

    /// The tape index of the value of a key, or `nil` if the value is missing or null.
    @inline(__always)
    private func present(_ key: Key) -> Int? {
        guard let found = context.find(key, inObjectAt: index, plan: plan), !context.isNull(found) else { return nil }
        return found
    }

    @inline(never)
    private func absent(_ key: Key) -> DecodingError {
        .keyNotFound(key, .init(codingPath: codingPath, debugDescription: "missing member \"\(key.stringValue)\""))
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

    func superDecoder() throws -> any Decoder { optionalDecoder(JSONKey(stringValue: "super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { optionalDecoder(key) }

    /// A decoder of the value of a key, or of null if the value is missing, as in Foundation.
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

// Overrides for 128-bit integers and optional values. The standard library's defaults look up each key three times.
extension JSONKeyedReader {
    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try context.bool(at: need(key)) }
    func decode(_ type: String.Type, forKey key: Key) throws -> String { try context.string(at: need(key)) }
    func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try context.double(at: need(key)) }
    func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try context.float(at: need(key)) }

    @inline(__always)
    func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try context.integer(type, at: need(key))
    }

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

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? { try presentInteger(type, key) }
    func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? { try presentInteger(type, key) }

    @inline(__always)
    private func presentInteger<T: FixedWidthInteger>(_ type: T.Type, _ key: Key) throws -> T? {
        try present(key).map { try context.integer(type, at: $0) }
    }

    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
        try present(key).map { try context.decode(type, at: $0) }
    }
}

extension JSONDocument {
    /// Calls `body` with the name and the tape index of the value of each member, in order.
    func forEachMember(ofObjectAt object: Int, _ body: (String, Int) -> Void) {
        var member = object + 1
        while member < tape[object].position {
            body(string(at: member), member + 1)
            member = index(after: member + 1)
        }
    }
}

struct JSONUnkeyedReader: UnkeyedDecodingContainer {
    let context: JSONDecodingContext
    let index: Int
    private let end: Int
    /// The tape index of the next element.
    private var next: Int
    private(set) var currentIndex = 0
    /// Whether decoding stops when the task is cancelled.
    private let heedsCancellation: Bool

    init(context: JSONDecodingContext, index: Int) {
        self.context = context
        self.index = index
        end = context.document.tape[index].position
        next = index + 1
        heedsCancellation = context.heedsCancellation(inArrayAt: index)
    }

    var codingPath: [any CodingKey] { context.path(to: index) }

    var count: Int? { context.document.count(of: context.document.tape[index], at: index) }

    var isAtEnd: Bool { next >= end }

    /// Reads the next element, and advances if that succeeds.
    @inline(__always)
    private mutating func take<T>(_ type: Any.Type, _ read: (Int) throws -> T) throws -> T {
        guard next < end else { throw pastEnd(type) }
        if heedsCancellation { try JSONInterruption.check(before: currentIndex) }
        let value = try read(next)
        next = context.document.index(after: next)
        currentIndex += 1
        return value
    }

    @inline(never)
    private func pastEnd(_ type: Any.Type) -> DecodingError {
        let path = codingPath + [JSONKey(intValue: currentIndex)]
        return .valueNotFound(type, .init(codingPath: path, debugDescription: "the array has no more elements"))
    }

    mutating func decodeNil() throws -> Bool {
        guard next < end else { throw pastEnd(Any?.self) }
        guard context.isNull(next) else { return false }
        return try take(Bool.self) { _ in true }
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        try take([String: JSONValue].self) { [context] in
            try JSONValueDecoder(context: context, index: $0).container(keyedBy: type)
        }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try take([JSONValue].self) { [context] in
            try JSONValueDecoder(context: context, index: $0).unkeyedContainer()
        }
    }

    mutating func superDecoder() throws -> any Decoder {
        try take((any Decoder).self) { [context] in JSONValueDecoder(context: context, index: $0) }
    }
}

extension JSONUnkeyedReader {
    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type, context.bool) }
    mutating func decode(_ type: String.Type) throws -> String { try take(type, context.string) }
    mutating func decode(_ type: Double.Type) throws -> Double { try take(type, context.double(at:)) }
    mutating func decode(_ type: Float.Type) throws -> Float { try take(type, context.float) }
    mutating func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }

    @inline(__always)
    mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try integer(type) }

    @inline(__always)
    private mutating func integer<T: FixedWidthInteger>(_ type: T.Type) throws -> T {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try take(type) { [context] in try context.decode(type, at: $0) }
    }
}
