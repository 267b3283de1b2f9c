// SPDX-License-Identifier: Apache-2.0

/// A value that a spec writes out: a default, or a route's attribute.
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
