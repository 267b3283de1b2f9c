// SPDX-License-Identifier: Apache-2.0

/// The children of a row: what a query inside the query gives, all of them.
///
/// The platform has no list where there are no children; here it is empty then.
public struct ChildRows<Row: Sendable>: Sendable {
    /// The children in the query's order.
    public let rows: [Row]

    /// A list of these children.
    public init(_ rows: [Row]) {
        self.rows = rows
    }
}

extension ChildRows: RandomAccessCollection, ExpressibleByArrayLiteral {
    /// A list of these children.
    public init(arrayLiteral elements: Row...) { self.init(elements) }
    /// The first place.
    public var startIndex: Int { rows.startIndex }
    /// The place behind the last child.
    public var endIndex: Int { rows.endIndex }
    /// The child at a place.
    public subscript(position: Int) -> Row { rows[position] }
}

extension ChildRows: Equatable where Row: Equatable {}
extension ChildRows: Hashable where Row: Hashable {}

extension ChildRows: Decodable where Row: Decodable {
    private enum Keys: String, CodingKey { case records }

    /// Reads the result of a query inside a record; null is an empty list.
    public init(from decoder: any Decoder) throws {
        let isNull = try decoder.singleValueContainer().decodeNil()
        self.init(isNull ? [] : try decoder.container(keyedBy: Keys.self).decode([Row].self, forKey: .records))
    }
}
