// SPDX-License-Identifier: Apache-2.0

package import RestJSON

/// The fields of a struct or the tags of a union, numbered in their order.
///
/// Write it as one text with blanks between the names: `"name id size"`.
public struct StoneNames: Sendable, ExpressibleByStringLiteral {
    package let names: JSONNames

    /// Splits a text at its blanks.
    public init(stringLiteral text: String) {
        names = JSONNames(text.split(separator: " ").map(String.init))
    }
}
