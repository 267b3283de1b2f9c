// SPDX-License-Identifier: Apache-2.0

/// The elements of one array as an unkeyed container.
struct JSONUnkeyedReader: UnkeyedDecodingContainer {
    let context: JSONDecodingContext
    let index: Int
    private let end: Int
    /// The tape index of the next element.
    private var next: Int
    private(set) var currentIndex = 0
    /// Whether to end early when the task is cancelled: a long array whose caller wants that.
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

    /// Reads the next element, and steps over it when that succeeds.
    @inline(__always)
    private mutating func take<T>(_ type: Any.Type, _ read: (Int) throws -> T) throws -> T {
        guard next < end else { throw pastEnd(type) }
        if heedsCancellation { try JSONInterruption.check(before: currentIndex) }
        let value = try read(next)
        next = context.index(after: next)
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
    mutating func decode(_ type: Bool.Type) throws -> Bool { try take(type) { [context] in try context.bool(at: $0) } }

    mutating func decode(_ type: String.Type) throws -> String {
        try take(type) { [context] in try context.string(at: $0) }
    }

    mutating func decode(_ type: Double.Type) throws -> Double {
        try take(type) { [context] in try context.double(at: $0) }
    }

    mutating func decode(_ type: Float.Type) throws -> Float {
        try take(type) { [context] in try context.float(at: $0) }
    }

    mutating func decode(_ type: Int.Type) throws -> Int {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: Int8.Type) throws -> Int8 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: Int16.Type) throws -> Int16 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: Int32.Type) throws -> Int32 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: Int64.Type) throws -> Int64 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: UInt.Type) throws -> UInt {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: UInt8.Type) throws -> UInt8 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: UInt16.Type) throws -> UInt16 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: UInt32.Type) throws -> UInt32 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: UInt64.Type) throws -> UInt64 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: Int128.Type) throws -> Int128 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode(_ type: UInt128.Type) throws -> UInt128 {
        try take(type) { [context] in try context.integer(type, at: $0) }
    }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        try take(type) { [context] in try context.decode(type, at: $0) }
    }
}
