// SPDX-License-Identifier: Apache-2.0

/// The members of an object in memory, with an index by name once there are many.
@usableFromInline
struct JSONMembers: Sendable {
    private(set) var list: [JSONObject.Element]
    /// The position of the last member of each name; kept for long lists only, as short ones are quicker to scan.
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

    /// The position of the last member with a name.
    func lastIndex(of name: String) -> Int? {
        if let positions { return positions[JSONName(name)] }
        return list.lastIndex { JSONName($0.key) == JSONName(name) }
    }

    /// Replaces, adds or (with nil) removes; repeats of the name go.
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

/// A name compared scalar by scalar, where `String` would treat canonically equivalent texts as equal.
struct JSONName: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: JSONName, right: JSONName) -> Bool {
        left.text.utf8.count == right.text.utf8.count && left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
        hasher.combine(0xFF as UInt8)
    }
}
