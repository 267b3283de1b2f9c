// SPDX-License-Identifier: Apache-2.0

/// The faults found so far.
struct Diagnostics: Sendable {
    private var faults: [(mark: Mark, message: String)] = []
    private var known: Set<Fault> = []

    private struct Fault: Hashable {
        let mark: Mark
        let message: String
    }

    var count: Int { faults.count }

    /// Whether nothing more is noted.
    var isFull: Bool { faults.count >= StoneLimits.diagnostics }

    /// Where the faults are, in bytes, if all are of one file.
    var offsets: [Int] { faults.map(\.mark.offset) }

    /// Notes a fault, once; past the limit nothing more is noted.
    mutating func add(_ message: String, at mark: Mark) {
        guard !isFull, known.insert(Fault(mark: mark, message: message)).inserted else {
            return
        }
        faults.append((mark, message))
    }

    mutating func add(_ other: Diagnostics) {
        for fault in other.faults { add(fault.message, at: fault.mark) }
    }

    /// The error that tells of all faults, or nil if there is none.
    func error(in files: [SourceLines]) -> StoneError? {
        guard !faults.isEmpty else { return nil }
        let sorted = faults.enumerated().sorted { ($0.element.mark, $0.offset) < ($1.element.mark, $1.offset) }
        return StoneError(
            diagnostics: sorted.map {
                files[$0.element.mark.file].diagnostic(at: $0.element.mark, $0.element.message)
            })
    }
}

/// What bounds the work on any input.
package enum StoneLimits {
    static let files = 10_000
    package static let fileBytes = 32 << 20
    static let lineBytes = 100_000
    /// Faults in one run; a spec with more has one cause for most of them.
    static let diagnostics = 1_000
    /// Levels of indentation.
    static let indentation = 32
    /// Types in types, lists in lists and inline definitions in inline definitions.
    static let nesting = 32
    /// Structs or unions that extend each other in a row, and aliases of aliases.
    static let lineage = 64
}
