// SPDX-License-Identifier: Apache-2.0

import RestJSON
import RestTransport

extension JSONValue {
    /// The number that a member of a cursor has; `nil` if it is none or out of range.
    func count(_ name: String) -> Int? { self[name]?.int.flatMap { Int(outside: $0, in: .count) } }

    /// The number that a text is.
    static func count(_ text: String) -> Int? { Int(outside: text, in: .count) }
}
