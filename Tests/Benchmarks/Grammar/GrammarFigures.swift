// SPDX-License-Identifier: Apache-2.0

import QueryCorpus
import SOQLSyntax

/// Measures whether random queries of the whole grammar are printed correctly from the tree.
func grammarFigures() async throws {
    let size = extent(100_000, short: 500)
    var failures = 0
    var unused = Set(Production.allCases)
    let time = ContinuousClock().measure {
        for seed in 0..<UInt64(size) {
            let random = RandomQuery(seed: seed)
            unused.subtract(random.productions.keys)
            if !comesBack(random) { failures += 1 }
        }
    }
    Figure(
        name: "grammar.corpus", value: Double(failures + unused.count), unit: "queries", relation: .atMost, bound: 0,
        note: "of \(size) that do not come back as they are written, in \(rounded(time.milliseconds / 1_000)) s"
    ).print()
}

private func comesBack(_ random: RandomQuery) -> Bool {
    guard let query = try? SOQLQuery(parsing: random.typed), query.text == random.canonical,
        let again = try? SOQLQuery(parsing: query.text)
    else { return false }
    return again == query
}
