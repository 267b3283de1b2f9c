// SPDX-License-Identifier: Apache-2.0

/// Cuts the names of the columns off the beginning of a page, which arrives in pieces.
struct HeaderSplitter: Sendable {
    /// The longest header in bytes; the platform makes none beyond a tenth of it.
    static let longest = 1 << 20

    /// The first row with its line ending, once it is complete.
    private(set) var header: [UInt8]?
    private var held: [UInt8] = []
    private var isInQuotes = false

    /// Takes a piece; gives what of it is behind the header.
    mutating func push(_ bytes: [UInt8]) throws(BulkError) -> ArraySlice<UInt8> {
        guard header == nil else { return bytes[...] }
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
            guard byte == UInt8(ascii: "\n"), !isInQuotes else { continue }
            header = held + bytes[...index]
            held = []
            return bytes[(index + 1)...]
        }
        held += bytes
        guard held.count <= Self.longest else {
            throw BulkError(.answer, "the names of the columns do not end within \(Self.longest) bytes")
        }
        return []
    }

    /// Ends the page: a header without a line ending is one too, of a page without rows.
    mutating func finish() {
        if header == nil, !held.isEmpty { header = held }
    }
}
