// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// A random query, written twice: as somebody might type it, and as the printer of the tree should write it.
///
/// It goes through the productions of the grammar without the parser or its tree, so it can tell when these are wrong.
package struct RandomQuery {
    /// The query in any case and spacing, with spellings that mean the same.
    package private(set) var typed = ""
    /// The query in canonical form.
    package private(set) var canonical = ""
    /// How often each production was used.
    package private(set) var productions: [Production: Int] = [:]
    private var generator: SplitMix64

    /// Writes the query of a seed.
    package init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
        writeQuery(.top, depth: 3)
    }

    // MARK: Chance

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: elements.indices, using: &generator)]
    }

    // MARK: Writing

    mutating func note(_ production: Production) { productions[production, default: 0] += 1 }

    /// The same text on both sides.
    mutating func write(_ text: String) {
        typed += text
        canonical += text
    }

    /// A text that is typed in one way of several.
    mutating func write(_ text: String, typedAs other: String) {
        typed += other
        canonical += text
    }

    /// Keywords with a blank between them, in any case.
    mutating func keywords(_ words: String) {
        for (index, word) in words.split(separator: " ").enumerated() {
            if index > 0 { gap() }
            write(String(word), typedAs: inAnyCase(String(word)))
        }
    }

    mutating func inAnyCase(_ word: String) -> String {
        switch number(0...3) {
        case 0: word.lowercased()
        case 1: String(word.map { chance(50) ? $0 : Character($0.lowercased()) })
        default: word
        }
    }

    /// A blank that must be there.
    mutating func gap() { write(" ", typedAs: pick([" ", " ", " ", "  ", "\n", "\t", "\r\n "])) }

    /// Where blanks may be typed; `text` is the canonical one.
    mutating func loose(_ text: String = "") { write(text, typedAs: pick(["", "", " ", "\n  "])) }

    /// Elements with commas.
    mutating func list(_ count: ClosedRange<Int>, _ element: (inout RandomQuery) -> Void) {
        for index in 0..<number(count) {
            if index > 0 {
                loose()
                write(",")
                loose(" ")
            }
            element(&self)
        }
    }

    /// Something in parentheses.
    mutating func parenthesised(_ body: (inout RandomQuery) -> Void) {
        write("(")
        loose()
        body(&self)
        loose()
        write(")")
    }

    // MARK: Names

    /// Names, among them words that are keywords elsewhere.
    private static let names = [
        "Id", "Name", "Account", "Owner", "AnnualRevenue", "ns__Name__c", "Größe__c", "x1", "Order", "End", "Data",
        "Category", "Offset", "View", "Fields", "Count", "Scope", "Typeof", "When", "Then", "Distance", "Geolocation",
        "Case", "At", "Above", "All", "Rows", "Reference", "Tracking", "Viewstat", "Mi", "Today", "USD5", "Standard",
    ]

    mutating func name() { write(pick(Self.names)) }

    mutating func path() {
        name()
        while chance(25) {
            write(".")
            name()
        }
    }

    mutating func alias(_ percent: Int) {
        guard chance(percent) else { return }
        gap()
        name()
    }
}
