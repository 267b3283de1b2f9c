// SPDX-License-Identifier: Apache-2.0

import SOQLCheck
import SwiftSource

/// Writes the enum of a picklist.
struct PicklistWriter {
    private let name: String
    private let field: QuerySchema.Field
    private let cases: [PicklistCases.Case]
    /// The word before declarations with a blank behind it; empty for internal ones.
    private let access: String

    init(_ name: String, _ field: QuerySchema.Field, access: String = "public ") {
        (self.name, self.field, self.access) = (name, field, access)
        cases = PicklistCases(field.picklistValues).all
    }

    func write(to text: inout SwiftText) {
        text.doc(["The values of \(Documentation.code(field.name))."])
        text.block("\(access)enum \(name): Picklist") { text in
            for item in cases {
                let note = item.value.isActive ? "" : " (inactive)"
                text.doc([Documentation.line(item.value.label, else: item.name) + note + "."])
                text.line("case \(SwiftIdentifiers.escaped(item.name))")
            }
            text.doc(["A value that the org had not listed when this was written."])
            text.line("case unlisted(String)")
            text.line()
            text.doc(["The value of that name."])
            text.block("\(access)init(rawValue: String)") { text in
                // A switch over a thousand texts, which a picklist can have, takes the compiler a quarter of a minute.
                text.line("self = Self.listed.first { $0.rawValue == rawValue } ?? .unlisted(rawValue)")
            }
            text.line()
            text.doc(["The value's name."])
            text.block("\(access)var rawValue: String") { text in
                text.line("switch self {")
                for item in cases {
                    text.line("case .\(SwiftIdentifiers.escaped(item.name)): \(item.value.value.swiftLiteral)")
                }
                text.line("case .unlisted(let value): value")
                text.line("}")
            }
            text.line()
            text.doc(["The values that the org lists, in its order."])
            text.line("\(access)static let listed: [Self] = [")
            for item in cases { text.line("    .\(SwiftIdentifiers.escaped(item.name)),") }
            text.line("]")
        }
    }
}
