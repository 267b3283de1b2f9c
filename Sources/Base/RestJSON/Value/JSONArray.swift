// SPDX-License-Identifier: Apache-2.0

/// A list of JSON values, created in memory or as a view of parsed bytes.
public struct JSONArray: Sendable {
    enum Storage: Sendable {
        /// The array at a tape index, with the tape index of each element in `starts`, unless every element is one
        /// entry.
        case view(JSONDocument, index: Int, starts: [UInt32]?)
        case owned([JSONValue])
    }

    private(set) var storage: Storage

    /// Creates a list of the given values.
    public init(_ elements: some Sequence<JSONValue>) { storage = .owned(Array(elements)) }

    /// Creates an empty list.
    public init() { storage = .owned([]) }

    /// Creates a view of the array at a tape index.
    init(_ document: JSONDocument, at index: Int) {
        storage = .view(document, index: index, starts: document.elementStarts(ofArrayAt: index))
    }

    /// Appends an element.
    ///
    /// A view is first converted to a list in memory.
    public mutating func append(_ element: JSONValue) {
        var elements = ownedElements
        storage = .owned([])
        elements.append(element)
        storage = .owned(elements)
    }

    private var ownedElements: [JSONValue] {
        if case .owned(let elements) = storage { return elements }
        return Array(self)
    }
}

extension JSONArray: RandomAccessCollection {
    /// An iterator over the elements in order.
    public struct Iterator: IteratorProtocol {
        private let storage: Storage
        /// The next tape index of a view, or the next index of a list in memory.
        private var position: Int
        private let end: Int

        init(_ array: JSONArray) {
            storage = array.storage
            switch storage {
            case .view(let document, let index, _): (position, end) = (index + 1, document.tape[index].position)
            case .owned(let elements): (position, end) = (0, elements.count)
            }
        }

        /// The next element, or `nil` at the end.
        public mutating func next() -> JSONValue? {
            guard position < end else { return nil }
            let element = position
            switch storage {
            case .view(let document, _, _):
                position = document.index(after: element)
                return JSONValue(document, at: element)
            case .owned(let elements):
                position &+= 1
                return elements[element]
            }
        }
    }

    /// Returns an iterator over the elements in order.
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of elements.
    public var endIndex: Int {
        switch storage {
        case .view(let document, let index, let starts):
            starts?.count ?? (document.tape[index].position - index - 1)
        case .owned(let elements): elements.count
        }
    }

    /// The element at an index, which must be within `indices`.
    public subscript(position: Int) -> JSONValue {
        switch storage {
        case .view(let document, let index, let starts):
            precondition(indices.contains(position), "JSONArray index out of range")
            return JSONValue(document, at: starts.map { Int($0[position]) } ?? (index + 1 + position))
        case .owned(let elements): return elements[position]
        }
    }
}

extension JSONArray: ExpressibleByArrayLiteral {
    /// Creates a list of the given values.
    public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONArray: CustomStringConvertible {
    /// The compact JSON text.
    public var description: String { JSONValue(self).description }
}

extension JSONDocument {
    /// The tape index of each element, found in one pass, or `nil` if all elements are single entries.
    func elementStarts(ofArrayAt index: Int) -> [UInt32]? {
        let entry = tape[index]
        let count = count(of: entry, at: index)
        guard entry.position - index - 1 != count else { return nil }
        var starts: [UInt32] = []
        // bounded: as many elements as were parsed
        starts.reserveCapacity(count)
        var element = index + 1
        while element < entry.position {
            starts.append(UInt32(truncatingIfNeeded: element))
            element = self.index(after: element)
        }
        return starts
    }

    /// The tape index of one element, found by walking, or `nil` if the index is out of range or the value is not an
    /// array.
    func element(_ position: Int, ofArrayAt index: Int) -> Int? {
        let entry = tape[index]
        guard entry.has(.array), position >= 0, position < count(of: entry, at: index) else { return nil }
        var element = index + 1
        for _ in 0..<position { element = self.index(after: element) }
        return element
    }
}
