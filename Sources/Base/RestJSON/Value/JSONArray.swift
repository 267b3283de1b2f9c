// SPDX-License-Identifier: Apache-2.0

/// A list of JSON values: built in memory, or a view over parsed bytes.
public struct JSONArray: Sendable {
    /// What the list is made of.
    enum Storage: Sendable {
        /// The array at a tape index; `starts` holds the tape index of each element, unless every element is one entry.
        case view(JSONDocument, index: Int, starts: [UInt32]?)
        case owned([JSONValue])
    }

    private(set) var storage: Storage

    /// Makes a list of the given values.
    public init(_ elements: some Sequence<JSONValue>) {
        storage = .owned(Array(elements))
    }

    /// Makes an empty list.
    public init() {
        storage = .owned([])
    }

    /// A view of the array at a tape index.
    init(_ document: JSONDocument, at index: Int) {
        storage = .view(document, index: index, starts: document.elementStarts(ofArrayAt: index))
    }

    /// Adds an element at the end; a view becomes a list in memory first.
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
    /// Walks the elements in order.
    public struct Iterator: IteratorProtocol {
        private let storage: Storage
        /// The next tape index of a view, the next position of a list in memory.
        private var position: Int
        private let end: Int

        init(_ array: JSONArray) {
            storage = array.storage
            switch storage {
            case .view(let document, let index, _): (position, end) = (index + 1, document.tape[index].position)
            case .owned(let elements): (position, end) = (0, elements.count)
            }
        }

        /// The next element, or nil at the end.
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

    /// Walks the elements in order.
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

    /// The element at a position, which must be within `indices`.
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
    /// Makes a list of the given values.
    public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONArray: CustomStringConvertible {
    /// The compact text.
    public var description: String { JSONValue(self).description }
}

extension JSONDocument {
    /// The tape index of each element, found in one walk; nil when elements are single entries, so that none is needed.
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

    /// The tape index of one element, found by walking; nil beyond the end and for other kinds.
    func element(_ position: Int, ofArrayAt index: Int) -> Int? {
        let entry = tape[index]
        guard entry.has(.array), position >= 0, position < count(of: entry, at: index) else { return nil }
        var element = index + 1
        for _ in 0..<position { element = self.index(after: element) }
        return element
    }
}
