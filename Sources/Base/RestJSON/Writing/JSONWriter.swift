// SPDX-License-Identifier: Apache-2.0

/// Writes one JSON text piece by piece into one buffer.
///
/// Calls out of order (a value without a name in an object, a second text after the first, an end that does not match)
/// are mistakes of the caller and trap, as an array index out of range does.
package struct JSONWriter: ~Copyable {
    private let output: JSONOutput
    private var open: [Level] = []
    /// Whether a name was written and its value was not.
    private var awaitsValue = false
    private let pretty: Bool

    /// A container that is not closed yet.
    private struct Level {
        let isObject: Bool
        var isEmpty = true
    }

    /// Makes a writer.
    ///
    /// - Parameters:
    ///   - capacity: The bytes to make room for at once.
    ///   - pretty: Whether to put each member and element on a line of its own, two blanks deeper than its container.
    package init(reservingCapacity capacity: Int = 0, pretty: Bool = false) {
        // bounded: the word of the program itself
        output = JSONOutput(capacity: capacity)
        self.pretty = pretty
    }

    /// The text, once all containers are closed.
    package var bytes: [UInt8] {
        precondition(open.isEmpty, "a text ends with its containers")
        return output.bytes
    }

    /// Opens an object.
    package mutating func beginObject() { begin(isObject: true) }

    /// Closes the innermost object.
    package mutating func endObject() { end(isObject: true) }

    /// Opens an array.
    package mutating func beginArray() { begin(isObject: false) }

    /// Closes the innermost array.
    package mutating func endArray() { end(isObject: false) }

    /// Writes the name of the next value of an object.
    ///
    /// Names are not compared, so a name can be written twice.
    package mutating func key(_ name: String) {
        precondition(open.last?.isObject == true && !awaitsValue, "a name stands in an object, before a value")
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
        precondition(level?.isObject == isObject && !awaitsValue, "an end matches the innermost begin")
        if level?.isEmpty == false { breakLine() }
        output.append(UInt8(ascii: isObject ? "}" : "]"))
    }

    /// Writes what stands before a value: nothing after a name, a comma between elements.
    private mutating func prepareValue() {
        guard let level = open.last else { return precondition(output.count == 0, "a text is one value") }
        precondition(level.isObject == awaitsValue, "a value in an object stands after a name")
        if !awaitsValue { separate() }
        awaitsValue = false
    }

    /// Writes the comma and the line break before a member or element.
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
    /// Writes a string with the escapes that RFC 8259 7 asks for and no others.
    package mutating func string(_ value: String) {
        prepareValue()
        output.append(string: value)
    }

    /// Writes an integer.
    package mutating func number(_ value: Int) { number(integer: value) }

    /// Writes an integer of any type.
    package mutating func number(integer value: some FixedWidthInteger) {
        prepareValue()
        output.append(integer: value)
    }

    /// Writes a number that reads back as the same double.
    ///
    /// - Throws: `JSONError` with `nonFiniteNumber` for NaN and the infinities; nothing is written then.
    package mutating func number(_ value: Double) throws(JSONError) {
        guard value.isFinite else {
            throw JSONError(reason: .nonFiniteNumber, offset: output.count, expected: "a finite number")
        }
        ascii(value.description)
    }

    /// Writes a number as it is spelt.
    ///
    /// - Throws: `JSONError` with `invalidNumber` when RFC 8259 6 does not allow the text; nothing is written then.
    package mutating func numberText(_ text: String) throws(JSONError) {
        guard JSONNumber.isValid(text) else {
            throw JSONError(reason: .invalidNumber, offset: output.count, expected: "a number by RFC 8259 6")
        }
        ascii(text)
    }

    /// Writes `true` or `false`.
    package mutating func bool(_ value: Bool) { ascii(value ? "true" : "false") }

    /// Writes `null`.
    package mutating func null() { ascii("null") }

    private mutating func ascii(_ text: String) {
        prepareValue()
        output.append(ascii: text)
    }

    /// Writes bytes that are a JSON value already, as they are.
    ///
    /// The caller vouches for them.
    package mutating func raw(_ bytes: [UInt8]) {
        prepareValue()
        output.append(bytes)
    }
}

extension JSONWriter {
    /// Writes a whole value, its numbers as they are spelt and its members in order, repeats included.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - sortedKeys: Whether to order the members of every object by the UTF-8 bytes of their names.
    package mutating func value(_ value: JSONValue, sortedKeys: Bool = false) {
        // Iterators in place of recursion, so that values of any depth can be written.
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
        case .number: ascii(value.numberText ?? "0")
        case .string: string(value.string ?? "")
        default: null()
        }
        return nil
    }

    /// What is left to write of one container.
    private enum Walk {
        case object(JSONObject.Iterator)
        case array(JSONArray.Iterator)

        /// The next member or element, or no value at the end.
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
