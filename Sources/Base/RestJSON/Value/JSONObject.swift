// SPDX-License-Identifier: Apache-2.0

/// A list of named JSON values in order, created in memory or as a view of parsed bytes.
///
/// Names may repeat, as RFC 8259, section 4, allows. Iteration returns all members, and lookup returns the last member
/// with a name. Names are compared by their Unicode scalars, so the two Unicode spellings of `é` are different names.
public struct JSONObject: Sendable {
    /// A member: its name and value.
    public typealias Element = (key: String, value: JSONValue)

    enum Storage: Sendable {
        case view(JSONDocument, index: Int)
        case owned(JSONMembers)
    }

    private(set) var storage: Storage

    /// Creates an empty object.
    public init() { storage = .owned(JSONMembers([])) }

    /// Creates an object with members in the given order.
    public init(members: some Sequence<Element>) {
        storage = .owned(JSONMembers(Array(members)))
    }

    init(_ members: JSONMembers) { storage = .owned(members) }

    /// Creates a view of the object at a tape index.
    init(_ document: JSONDocument, at index: Int) { storage = .view(document, index: index) }

    /// The number of members including repeated names.
    public var count: Int {
        switch storage {
        case .view(let document, let index): document.count(of: document.tape[index], at: index)
        case .owned(let members): members.list.count
        }
    }

    /// Whether there are no members.
    public var isEmpty: Bool { count == 0 }

    /// The names in order, including repeated names.
    public var keys: [String] { map(\.key) }

    /// The value of the last member with a name, or `nil`.
    ///
    /// Setting a value replaces it in place and removes repetitions of the name, or appends a member. Setting `nil`
    /// removes every member with the name. A view is first converted to a list in memory.
    public subscript(_ key: String) -> JSONValue? {
        get {
            switch storage {
            case .view(let document, let index):
                document.value(named: key, inObjectAt: index).map { JSONValue(document, at: $0) }
            case .owned(let members): members.lastIndex(of: key).map { members.list[$0].value }
            }
        }
        set {
            var members = ownedMembers
            storage = .owned(JSONMembers([]))
            members.set(key, to: newValue)
            storage = .owned(members)
        }
    }

    private var ownedMembers: JSONMembers {
        if case .owned(let members) = storage { return members }
        return JSONMembers(Array(self))
    }
}

extension JSONObject: Sequence {
    /// An iterator over the members in order.
    public struct Iterator: IteratorProtocol {
        private var storage: Storage
        private var position: Int

        init(_ storage: Storage) {
            self.storage = storage
            position = if case .view(_, let index) = storage { index + 1 } else { 0 }
        }

        /// The next member, or `nil` at the end.
        public mutating func next() -> Element? {
            switch storage {
            case .view(let document, let index):
                guard position < document.tape[index].position else { return nil }
                let name = position
                position = document.index(after: name + 1)
                return (document.string(at: name), JSONValue(document, at: name + 1))
            case .owned(let members):
                guard position < members.list.count else { return nil }
                defer { position += 1 }
                return members.list[position]
            }
        }
    }

    /// Returns an iterator over the members in order, including repeated names.
    public func makeIterator() -> Iterator { Iterator(storage) }

    /// The number of members.
    public var underestimatedCount: Int { count }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Creates an object with its members in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(members: elements.map { (key: $0.0, value: $0.1) })
    }
}

extension JSONObject: CustomStringConvertible {
    /// The compact JSON text.
    public var description: String { JSONValue(self).description }
}

/// The members of an object in memory, with an index by name if there are many.
@usableFromInline
struct JSONMembers: Sendable {
    private(set) var list: [JSONObject.Element]
    /// The index of the last member of each name, or `nil` for short lists, which are faster to scan.
    private var positions: [JSONName: Int]?

    private static let indexedCount = 16

    init(_ list: [JSONObject.Element]) {
        self.list = list
        makeIndex()
    }

    private mutating func makeIndex() {
        guard list.count >= JSONMembers.indexedCount else {
            positions = nil
            return
        }
        positions = Dictionary(list.indices.map { (JSONName(list[$0].key), $0) }, uniquingKeysWith: { $1 })
    }

    func lastIndex(of name: String) -> Int? {
        if let positions { return positions[JSONName(name)] }
        return list.lastIndex { JSONName($0.key) == JSONName(name) }
    }

    /// Replaces, appends or (if `value` is nil) removes a member, and removes repetitions of the name.
    mutating func set(_ name: String, to value: JSONValue?) {
        guard let index = lastIndex(of: name) else {
            guard let value else { return }
            append(name, value)
            return
        }
        let others = list.prefix(index).contains { JSONName($0.key) == JSONName(name) }
        if let value { list[index].value = value }
        guard others || value == nil else { return }
        let members = list
        list.removeAll(keepingCapacity: true)
        for (position, member) in members.enumerated() {
            guard JSONName(member.key) != JSONName(name) || (position == index && value != nil) else { continue }
            list.append(member)
        }
        makeIndex()
    }

    private mutating func append(_ name: String, _ value: JSONValue) {
        list.append((name, value))
        if positions == nil {
            makeIndex()
        } else {
            positions?[JSONName(name)] = list.count - 1
        }
    }
}

/// A name compared by its bytes, while `String` treats canonically equivalent strings as equal.
struct JSONName: Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: JSONName, right: JSONName) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
