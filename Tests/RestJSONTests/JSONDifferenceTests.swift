// SPDX-License-Identifier: Apache-2.0

import MutatedPages
import Testing

@Suite("Fast and plain ways")
struct JSONDifferenceTests {
    @Test("mutated pages are read as the plainest parser reads them, and so are their rows")
    func readsMutatedPages() {
        var (texts, rows) = (0, 0)
        for seed in 0..<UInt64(1_000) {
            let page = MutatedPage(seed: seed)
            #expect(PageDifference.first(in: page.bytes) == nil, "seed \(seed)")
            texts += page.kind.isJSON ? 1 : 0
            rows += page.kind.hasRows ? 1 : 0
        }
        // Enough pages are damaged, and enough are not.
        #expect((500..<950).contains(texts), "\(texts) texts")
        #expect((250..<texts - 100).contains(rows), "\(rows) pages of rows")
    }
}
