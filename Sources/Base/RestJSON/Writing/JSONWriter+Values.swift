// SPDX-License-Identifier: Apache-2.0

extension JSONWriter {
    /// Writes a whole value, its numbers as they are spelt and its members in order, repeats included.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sortedKeys: Whether to order the members of every object by the UTF-8 bytes of their names.
    package mutating func value(_ value: JSONValue, sortedKeys: Bool = false) {
        // A walk with its own stack, so that values of any depth can be written.
        var walks = [Walk.once(value)]
        while let step = walks[walks.count - 1].next() {
            switch step {
            case .end:
                if let isObject = walks.popLast()?.isObject { isObject ? endObject() : endArray() }
                if walks.isEmpty { return }
            case .member(let name, let value):
                if let name { key(name) }
                if let walk = begin(value, sortedKeys: sortedKeys) { walks.append(walk) }
            }
        }
    }

    /// Writes a scalar, or the opening bracket of a container and gives the walk over its inside.
    private mutating func begin(_ value: JSONValue, sortedKeys: Bool) -> Walk? {
        if let object = value.object {
            beginObject()
            return .object((sortedKeys ? object.sorted() : object).makeIterator())
        }
        if let array = value.array {
            beginArray()
            return .array(array.makeIterator())
        }
        switch value.kind {
        case .bool: bool(value.bool ?? false)
        case .number: raw((value.numberText ?? "0").utf8)
        case .string: string(value.string ?? "")
        default: null()
        }
        return nil
    }

    /// What is left to write of one container.
    private enum Walk {
        case once(JSONValue?)
        case object(JSONObject.Iterator)
        case array(JSONArray.Iterator)

        enum Step {
            case member(String?, JSONValue)
            case end
        }

        var isObject: Bool? {
            switch self {
            case .once: nil
            case .object: true
            case .array: false
            }
        }

        mutating func next() -> Step? {
            switch self {
            case .once(let value):
                self = .once(nil)
                return value.map { .member(nil, $0) } ?? .end
            case .object(var iterator):
                defer { self = .object(iterator) }
                return iterator.next().map { .member($0.key, $0.value) } ?? .end
            case .array(var iterator):
                defer { self = .array(iterator) }
                return iterator.next().map { .member(nil, $0) } ?? .end
            }
        }
    }
}

extension JSONObject {
    /// The members ordered by the bytes of their names; members of one name stay in order.
    fileprivate func sorted() -> JSONObject {
        JSONObject(members: sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
}

extension JSONValue: CustomStringConvertible {
    /// The text of the value.
    ///
    /// - Parameters:
    ///   - pretty: Whether to use a line for each member and element.
    ///   - sortedKeys: Whether to order the members of every object by the UTF-8 bytes of their names.
    /// - Returns: The text in UTF-8.
    public func bytes(pretty: Bool = false, sortedKeys: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.value(self, sortedKeys: sortedKeys)
        return writer.bytes
    }

    /// The compact text.
    public var description: String { String(decoding: bytes(), as: UTF8.self) }

    /// The same value with a document of its own, which no longer keeps the document it came from in memory.
    public func detached() -> JSONValue {
        guard case .view = storage, let document = try? JSONDocument(parsing: bytes(), limits: .unlimitedDepth) else {
            return self
        }
        return document.root
    }
}
