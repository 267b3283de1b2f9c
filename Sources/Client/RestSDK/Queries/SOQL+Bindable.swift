// SPDX-License-Identifier: Apache-2.0

public import SOQLSyntax

extension SOQL {
    /// A value that can be bound in a ``SOQL`` query.
    ///
    /// An enumeration with raw values needs nothing but the name: `enum Stage: String, SOQL.Bindable { … }` is bound by
    /// its raw value.
    public protocol Bindable {
        /// The value as a literal of the query language; `nil` when it has none.
        var soqlLiteral: SOQLLiteral? { get }
    }
}

extension SOQL.Bindable where Self: RawRepresentable, RawValue: SOQL.Bindable {
    /// The literal of the raw value.
    public var soqlLiteral: SOQLLiteral? { rawValue.soqlLiteral }
}

extension SOQL.Bindable where Self: StringProtocol {
    /// A quoted, escaped text literal.
    public var soqlLiteral: SOQLLiteral? { .string(String(self)) }
}

extension String: SOQL.Bindable {}
extension Substring: SOQL.Bindable {}

extension SOQL.Bindable where Self: BinaryInteger {
    /// The digits.
    public var soqlLiteral: SOQLLiteral? { SOQLNumber(String(self)).map(SOQLLiteral.number) }
}

extension Int: SOQL.Bindable {}
extension Int8: SOQL.Bindable {}
extension Int16: SOQL.Bindable {}
extension Int32: SOQL.Bindable {}
extension Int64: SOQL.Bindable {}
extension Int128: SOQL.Bindable {}
extension UInt: SOQL.Bindable {}
extension UInt8: SOQL.Bindable {}
extension UInt16: SOQL.Bindable {}
extension UInt32: SOQL.Bindable {}
extension UInt64: SOQL.Bindable {}
extension UInt128: SOQL.Bindable {}

extension Bool: SOQL.Bindable {
    /// `true` or `false`.
    public var soqlLiteral: SOQLLiteral? { .boolean(self) }
}

extension SOQLDate: SOQL.Bindable {
    /// A literal `YYYY-MM-DD`; `nil` for a day that no calendar has.
    public var soqlLiteral: SOQLLiteral? { isValid ? .date(self) : nil }
}
