// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestTransport

/// The choices of a seed: equal seeds make equal sources.
struct Chance {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    mutating func percent(_ share: Int) -> Bool { number(1...100) <= share }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &numbers) }

    /// One element of a list that is not empty.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }

    /// The elements of a list in another order, at most `count` of them.
    mutating func some<Element>(_ list: [Element], _ count: Int) -> [Element] {
        Array(list.shuffled(using: &numbers).prefix(count))
    }

    /// Makes `count` values.
    mutating func make<Value>(_ range: ClosedRange<Int>, _ value: (inout Chance) -> Value) -> [Value] {
        (0..<number(range)).map { _ in value(&self) }
    }
}
