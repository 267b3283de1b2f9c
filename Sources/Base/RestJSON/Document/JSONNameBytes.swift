// SPDX-License-Identifier: Apache-2.0

/// A name to look for, and how to compare it with names of a document eight bytes at a time.
///
/// Holds a pointer into the caller's string, so it lives no longer than the closure of `withUTF8` that made it.
struct JSONNameBytes {
    private let source: JSONSource
    /// The first eight bytes, with NUL after the end of a shorter name.
    private let head: UInt64
    /// The kind and length that the tape entry of this name has in its upper half, if the name is written plainly.
    private let signature: UInt64

    @inline(__always)
    init(_ source: JSONSource) {
        self.source = source
        head = source.word(0)
        signature = TapeEntry(.string, length: source.count, position: 0).bits &>> 32
    }

    /// Whether a name of the document, at a tape entry, is this one once its escapes are resolved.
    @inline(__always)
    func matches(_ entry: TapeEntry, in text: JSONSource) -> Bool {
        guard entry.bits &>> 32 == signature else {
            return entry.has(.escapedString) && matchesEscaped(entry, in: text)
        }
        guard text.head(of: entry) == head else { return false }
        return source.count <= 8 || text.hasEqualTail(entry.position, source, 0, length: source.count)
    }

    @inline(never)
    private func matchesEscaped(_ entry: TapeEntry, in text: JSONSource) -> Bool {
        // An escape is never shorter than the bytes it stands for.
        guard entry.length > source.count else { return false }
        let name = text.unescaped(entry)
        return name.count == source.count && name.indices.allSatisfy { name[$0] == source.byte($0) }
    }

    /// A hash that differs from one run of the program to the next.
    var seededHash: Int {
        var hasher = Hasher()
        for offset in stride(from: 0, to: source.count, by: 8) { hasher.combine(source.word(offset)) }
        hasher.combine(source.count)
        return hasher.finalize()
    }
}

extension JSONSource {
    /// The first eight bytes of a name, with NUL after the end of a shorter one.
    @inline(__always)
    func head(of entry: TapeEntry) -> UInt64 {
        let word = word(entry.position)
        return entry.length >= 8 ? word : word & ((1 as UInt64) &<< UInt64(truncatingIfNeeded: 8 &* entry.length) &- 1)
    }

    /// Whether two names of one length above 8, whose first eight bytes are equal, are equal in the rest.
    ///
    /// The last word overlaps the one before it when the length is no multiple of eight.
    @inline(__always)
    func hasEqualTail(_ start: Int, _ other: JSONSource, _ otherStart: Int, length: Int) -> Bool {
        var at = 8
        while at < length {
            let from = min(at, length &- 8)
            guard word(start &+ from) == other.word(otherStart &+ from) else { return false }
            at &+= 8
        }
        return true
    }

    /// Whether two names of this text, both without escapes, are equal.
    @inline(__always)
    func isEqual(_ left: TapeEntry, _ right: TapeEntry) -> Bool {
        guard left.length == right.length, head(of: left) == head(of: right) else { return false }
        return left.length <= 8 || hasEqualTail(left.position, self, right.position, length: left.length)
    }
}
