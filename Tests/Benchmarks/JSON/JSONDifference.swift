// SPDX-License-Identifier: Apache-2.0

import MutatedPages

/// Measures whether the fast parsers agree with the simplest parser, on changed and damaged pages.
func jsonDifferenceFigures() async throws {
    let size = extent(1_000_000, short: 1_000)
    let time = ContinuousClock()
    let start = time.now
    let lanes = 4
    let failures = await withTaskGroup(of: Int.self) { group in
        for lane in 0..<lanes {
            group.addTask {
                stride(from: lane, to: size, by: lanes).count { seed in
                    PageDifference.first(in: MutatedPage(seed: UInt64(seed)).bytes) != nil
                }
            }
        }
        return await group.reduce(0, +)
    }
    Figure(
        name: "json.differential", value: Double(failures), unit: "pages", relation: .atMost, bound: 0,
        note: "of \(size) that are read in another way, in \(rounded((time.now - start) / .seconds(1))) s"
    ).print()
}
