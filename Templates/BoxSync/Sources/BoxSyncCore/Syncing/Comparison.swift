// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// What two files with one path have to do with each other.
enum Comparison {
    /// Whether a file here has the content of one at Dropbox: by the sizes, and if they are equal by the hashes.
    ///
    /// - Throws: ``Problem`` when the file here cannot be read.
    static func isSame(_ file: LocalFile, at place: String, as other: RemoteFile) async throws(Problem) -> Bool {
        guard file.size == other.size else { return false }
        do throws(RestError) {
            return try await ContentHash.ofFile(at: place).text == other.metadata.contentHash
        } catch {
            throw Problem(file.path, error.message)
        }
    }
}

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
