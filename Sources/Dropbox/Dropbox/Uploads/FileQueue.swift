// SPDX-License-Identifier: Apache-2.0

/// The numbers of files that wait, first those that came first.
struct FileQueue: Sendable {
    private var files: [Int] = []
    private var head = 0

    var count: Int { files.count - head }
    var isEmpty: Bool { count == 0 }
    /// The file whose turn is next.
    var first: Int? { isEmpty ? nil : files[head] }

    mutating func add(_ file: Int) { files.append(file) }

    /// Takes out the next ones, as many as there are of the number.
    mutating func take(_ number: Int) -> [Int] {
        let taken = Array(files[head..<min(head + number, files.count)])
        head += taken.count
        if head > 1_000, head * 2 > files.count {
            files.removeFirst(head)
            head = 0
        }
        return taken
    }
}
