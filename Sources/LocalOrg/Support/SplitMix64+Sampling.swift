// SPDX-License-Identifier: Apache-2.0

import RestTransport

extension SplitMix64 {
    /// A number below the bound; the bias of the remainder is of no matter for sample data.
    mutating func below(_ bound: Int) -> Int {
        bound <= 0 ? 0 : Int(truncatingIfNeeded: next() >> 1) % bound
    }

    /// One of the list.
    mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }
}
