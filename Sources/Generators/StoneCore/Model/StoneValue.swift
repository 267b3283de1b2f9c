// SPDX-License-Identifier: Apache-2.0

/// A value that a spec writes out: a default, a route's attribute or an argument of an annotation.
package enum StoneLiteral: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// Exact, and within the type that it is for.
    case integer(Int128)
    /// Finite. A whole number that stands for a float is one of these.
    case float(Double)
    /// Text; also bytes and timestamps, as they are written.
    case string(String)
    /// A tag without payload, own or inherited.
    case tag(UnionID, String)
}

/// A JSON value, of an example.
package indirect enum StoneJSON: Hashable, Sendable {
    case null
    case boolean(Bool)
    /// A whole number, exact.
    case integer(Int128)
    /// A number with a fraction or an exponent; finite.
    case float(Double)
    case string(String)
    case array([StoneJSON])
    /// The members in their order: `.tag` first, then the fields in the order of `StoneAPI.allFields(of:)`.
    case object([Member])

    package struct Member: Hashable, Sendable {
        package let name: String
        package let value: StoneJSON

        package init(_ name: String, _ value: StoneJSON) {
            self.name = name
            self.value = value
        }
    }
}

/// An example of a struct or a union, evaluated: labels of other examples are replaced by what they name.
package struct StoneExample: Sendable {
    package let label: String
    /// What the spec says about it.
    package var doc: StoneDoc?
    /// The value as the wire carries it.
    package var value: StoneJSON
    /// Whether no spec writes it: the example that every tag without payload has.
    package let isImplied: Bool
    package let location: StoneLocation
}
