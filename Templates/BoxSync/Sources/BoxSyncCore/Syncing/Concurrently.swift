// SPDX-License-Identifier: Apache-2.0

/// Works on elements, some at a time, and gives what came of them in their order.
func concurrently<Element: Sendable, Result: Sendable>(
    _ elements: [Element], atOnce: Int = 4, _ work: @escaping @Sendable (Element) async -> Result
) async -> [Result] {
    await withTaskGroup(of: (Int, Result).self) { group in
        var waiting = elements.enumerated().makeIterator()
        func begin() {
            guard let (number, element) = waiting.next() else { return }
            group.addTask { (number, await work(element)) }
        }
        for _ in 0..<atOnce { begin() }
        var results: [(Int, Result)] = []
        for await result in group {
            results.append(result)
            begin()
        }
        return results.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
