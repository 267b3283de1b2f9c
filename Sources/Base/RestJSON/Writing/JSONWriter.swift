// SPDX-License-Identifier: Apache-2.0

/// Writes one JSON text incrementally into a buffer.
///
/// Calls out of order are programming errors and trap, like an array index out of range. Examples are a value without a
/// name in an object, a second text after the first, and an end that does not match.
package struct JSONWriter: ~Copyable {
    private let output: JSONOutput
    private var open: [Level] = []
    /// Whether a name has been written without its value.
    private var awaitsValue = false
    private let pretty: Bool

    private struct Level {
        let isObject: Bool
        var isEmpty = true
    }

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - capacity: The initial capacity in bytes.
    ///   - pretty: Whether to indent each member and element on a separate line by two spaces per level.
    package init(reservingCapacity capacity: Int = 0, pretty: Bool = false) {
        // bounded: the word of the program itself
        output = JSONOutput(capacity: capacity)
        self.pretty = pretty
    }

    /// The text, available once all containers are closed.
    package var bytes: [UInt8] {
        precondition(open.isEmpty, "end each object and array before the text is read")
        return output.bytes
    }

    package mutating func beginObject() { begin(isObject: true) }

    /// Closes the innermost object.
    package mutating func endObject() { end(isObject: true) }

    package mutating func beginArray() { begin(isObject: false) }

    /// Closes the innermost array.
    package mutating func endArray() { end(isObject: false) }

    /// Writes the name of the next value of an object, which is not compared with earlier names.
    package mutating func key(_ name: String) {
        precondition(
            open.last?.isObject == true && !awaitsValue, "write a name only inside an object, before its value")
        separate()
        output.append(string: name, colon: true)
        if pretty { output.append(UInt8(ascii: " ")) }
        awaitsValue = true
    }

    private mutating func begin(isObject: Bool) {
        prepareValue()
        output.append(UInt8(ascii: isObject ? "{" : "["))
        open.append(Level(isObject: isObject))
    }

    private mutating func end(isObject: Bool) {
        let level = open.popLast()
        precondition(level?.isObject == isObject && !awaitsValue, "end the innermost object or array first")
        if level?.isEmpty == false { breakLine() }
        output.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    /// Writes the separator before a value: nothing after a name, a comma between elements.
    private mutating func prepareValue() {
        guard let level = open.last else {
            return precondition(output.count == 0, "write only one value at the top level")
        }
        precondition(level.isObject == awaitsValue, "write a name before each value of an object")
        if !awaitsValue { separate() }
        awaitsValue = false
    }

    private mutating func separate() {
        let last = open.count - 1
        if !open[last].isEmpty { output.append(UInt8(ascii: ",")) }
        open[last].isEmpty = false
        breakLine()
    }

    private mutating func breakLine() {
        guard pretty else { return }
        output.append(UInt8(ascii: "\n"))
        for _ in open { output.append(0x2020, length: 2) }
    }
}

extension JSONWriter {
    /// Writes a string with only the escapes that RFC 8259, section 7, requires.
    package mutating func string(_ value: String) {
        prepareValue()
        output.append(string: value)
    }

    package mutating func number(_ value: Int) { number(integer: value) }

    /// Writes an integer of any type.
    package mutating func number(integer value: some FixedWidthInteger) {
        prepareValue()
        output.append(integer: value)
    }

    /// Writes a number that parses to the same `Double`.
    ///
    /// - Throws: `JSONError` with `nonFiniteNumber` for NaN and infinities. Nothing is written in that case.
    package mutating func number(_ value: Double) throws(JSONError) {
        guard value.isFinite else {
            throw JSONError(reason: .nonFiniteNumber, offset: output.count, expected: "a finite number")
        }
        ascii(value.description)
    }

    /// Writes a number given as text.
    ///
    /// - Throws: `JSONError` with `invalidNumber` if RFC 8259, section 6, does not allow the text. Nothing is written
    ///   in that case.
    package mutating func numberText(_ text: String) throws(JSONError) {
        guard JSONNumber.isValid(text) else {
            throw JSONError(reason: .invalidNumber, offset: output.count, expected: "a number by RFC 8259 §6")
        }
        ascii(text)
    }

    package mutating func bool(_ value: Bool) { ascii(value ? "true" : "false") }

    /// Writes `null`.
    package mutating func null() { ascii("null") }

    private mutating func ascii(_ text: String) {
        prepareValue()
        output.append(ascii: text)
    }

    /// Writes bytes that the caller guarantees to be one JSON value, without checking them.
    package mutating func raw(_ bytes: [UInt8]) {
        prepareValue()
        output.append(bytes)
    }
}

extension JSONWriter {
    /// Writes a value with numbers as they were written and members in order, including repeated names.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sortedKeys: Whether to sort the members of every object by the UTF-8 bytes of their names.
    package mutating func value(_ value: JSONValue, sortedKeys: Bool = false) {
        // Iterators instead of recursion, so that values of any depth can be written.
        var walks: [Walk] = []
        var next: JSONValue? = value
        while true {
            if let value = next {
                if let walk = begin(value, sortedKeys: sortedKeys) { walks.append(walk) }
            } else {
                end(isObject: open.last?.isObject ?? false)
                walks.removeLast()
            }
            guard !walks.isEmpty else { return }
            let (name, value) = walks[walks.count - 1].next()
            if let name { key(name) }
            next = value
        }
    }

    /// Writes a scalar, or an opening bracket and returns the walk over the content.
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
        case .number: ascii(value.numberText ?? "0")
        case .string: string(value.string ?? "")
        default: null()
        }
        return nil
    }

    /// The part of a container that remains to be written.
    private enum Walk {
        case object(JSONObject.Iterator)
        case array(JSONArray.Iterator)

        /// The next member or element, or a `nil` value at the end.
        mutating func next() -> (name: String?, value: JSONValue?) {
            switch self {
            case .object(var iterator):
                defer { self = .object(iterator) }
                let member = iterator.next()
                return (member?.key, member?.value)
            case .array(var iterator):
                defer { self = .array(iterator) }
                return (nil, iterator.next())
            }
        }
    }
}

extension JSONObject {
    /// The members in a stable order by the bytes of their names.
    fileprivate func sorted() -> JSONObject {
        JSONObject(members: sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    }
}

extension JSONValue: CustomStringConvertible {
    /// The JSON text of the value.
    ///
    /// - Parameters:
    ///   - pretty: Whether to write each member and element on a separate line.
    ///   - sortedKeys: Whether to sort the members of every object by the UTF-8 bytes of their names.
    /// - Returns: The text in UTF-8.
    public func bytes(pretty: Bool = false, sortedKeys: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.value(self, sortedKeys: sortedKeys)
        return writer.bytes
    }

    /// The compact JSON text.
    public var description: String { String(decoding: bytes(), as: UTF8.self) }

    /// Returns a copy of the value in a separate document, which does not retain the original document.
    public func detached() -> JSONValue {
        guard case .view = storage, let document = try? JSONDocument(parsing: bytes(), limits: .unlimitedDepth) else {
            return self
        }
        return document.root
    }
}
