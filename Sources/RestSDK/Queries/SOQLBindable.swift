// SPDX-License-Identifier: Apache-2.0

public import SOQLSyntax

/// A value that can be bound in a ``SOQL`` query.
public protocol SOQLBindable {
    /// The value as a literal of the query language; `nil` when it has none.
    var soqlLiteral: SOQLLiteral? { get }
}

extension String: SOQLBindable {
    /// A quoted, escaped text literal.
    public var soqlLiteral: SOQLLiteral? { .string(self) }
}

extension Bool: SOQLBindable {
    /// `true` or `false`.
    public var soqlLiteral: SOQLLiteral? { .boolean(self) }
}

extension Int: SOQLBindable {
    /// The digits.
    public var soqlLiteral: SOQLLiteral? { SOQLNumber(String(self)).map(SOQLLiteral.number) }
}

extension SOQLDate: SOQLBindable {
    /// A literal `YYYY-MM-DD`; `nil` for a day that no calendar has.
    public var soqlLiteral: SOQLLiteral? { isValid ? .date(self) : nil }
}
