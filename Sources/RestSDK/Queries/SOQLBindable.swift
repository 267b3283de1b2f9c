// SPDX-License-Identifier: Apache-2.0

public import SOQLSyntax

/// A value that can be bound in a ``SOQL`` query.
///
/// An enumeration with raw values needs nothing but the name: `enum Stage: String, SOQLBindable { … }` is bound by its
/// raw value.
public protocol SOQLBindable {
    /// The value as a literal of the query language; `nil` when it has none.
    var soqlLiteral: SOQLLiteral? { get }
}

extension SOQLBindable where Self: RawRepresentable, RawValue: SOQLBindable {
    /// The literal of the raw value.
    public var soqlLiteral: SOQLLiteral? { rawValue.soqlLiteral }
}

extension SOQLBindable where Self: StringProtocol {
    /// A quoted, escaped text literal.
    public var soqlLiteral: SOQLLiteral? { .string(String(self)) }
}

extension String: SOQLBindable {}
extension Substring: SOQLBindable {}

extension SOQLBindable where Self: BinaryInteger {
    /// The digits.
    public var soqlLiteral: SOQLLiteral? { SOQLNumber(String(self)).map(SOQLLiteral.number) }
}

extension Int: SOQLBindable {}
extension Int8: SOQLBindable {}
extension Int16: SOQLBindable {}
extension Int32: SOQLBindable {}
extension Int64: SOQLBindable {}
extension Int128: SOQLBindable {}
extension UInt: SOQLBindable {}
extension UInt8: SOQLBindable {}
extension UInt16: SOQLBindable {}
extension UInt32: SOQLBindable {}
extension UInt64: SOQLBindable {}
extension UInt128: SOQLBindable {}

extension Bool: SOQLBindable {
    /// `true` or `false`.
    public var soqlLiteral: SOQLLiteral? { .boolean(self) }
}

extension SOQLDate: SOQLBindable {
    /// A literal `YYYY-MM-DD`; `nil` for a day that no calendar has.
    public var soqlLiteral: SOQLLiteral? { isValid ? .date(self) : nil }
}
