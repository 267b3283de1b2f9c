// SPDX-License-Identifier: Apache-2.0

/// A place in the text of a query.
public struct SOQLPosition: Sendable, Hashable {
    /// The line, counted from 1.
    public var line: Int
    /// The column in its line, counted from 1 in Unicode scalars.
    public var column: Int
    /// The distance from the start of the text in UTF-8 bytes.
    public var offset: Int

    /// The first character of a text.
    public static let start = SOQLPosition(line: 1, column: 1, offset: 0)

    /// A place in a text.
    public init(line: Int, column: Int, offset: Int) {
        self.line = line
        self.column = column
        self.offset = offset
    }
}

/// Keeps a value out of the comparison of the node that holds it.
///
/// Two trees are equal when they mean the same text, wherever their parts were written.
@propertyWrapper
public struct SOQLUncompared<Value: Sendable>: Sendable, Hashable {
    /// The value kept.
    public var wrappedValue: Value

    /// Keeps a value.
    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    /// Always true.
    public static func == (left: Self, right: Self) -> Bool { true }

    /// Adds nothing.
    public func hash(into hasher: inout Hasher) {}
}
