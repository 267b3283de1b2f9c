// SPDX-License-Identifier: Apache-2.0

package import SOQLCheck
import SwiftSource

/// The cases of a picklist's enum, one for each value, in the describe's order.
package struct PicklistCases: Sendable {
    package struct Case: Sendable, Hashable {
        /// The case without the quotes that a keyword needs: `closedWon`.
        package let name: String
        package let value: QuerySchema.PicklistValue
    }

    package let all: [Case]

    /// The cases of values, of which the org may have listed one twice.
    package init(_ values: [QuerySchema.PicklistValue]) {
        var known: Set<[UInt8]> = []
        let values = values.filter { known.insert(Array($0.value.utf8)).inserted }
        // By the values themselves, so that another order in the org changes no name.
        let sorted = values.sorted { $0.value.utf8.lexicographicallyPrecedes($1.value.utf8) }
        let names = SwiftIdentifiers.distinct(
            sorted.map { (Array($0.value.utf8), Self.name(of: $0.value)) }, reserved: ModelNames.reservedCases,
            end: "Value")
        all = values.map { Case(name: names[Array($0.value.utf8)] ?? "value", value: $0) }
    }

    /// `New Customer` is `newCustomer`, `1-10` is `_1_10`.
    private static func name(of value: String) -> String {
        let words = SwiftWords(value)
        guard !words.words.isEmpty else { return "value" }
        let isDigits = words.words.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
        return isDigits ? "_" + words.words.joined(separator: "_") : words.lower
    }
}
