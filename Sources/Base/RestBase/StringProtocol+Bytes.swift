// SPDX-License-Identifier: Apache-2.0

// Text for machines is compared, searched and cut by its bytes here. `Character` is for people: a quote and a combining
// mark after it are one `Character`, and so are CR and LF, so code that looks for a quote or a line feed misses both.
// Positions found by ASCII bytes or by whole strings are always at the boundary of a scalar.

extension StringProtocol where SubSequence == Substring {
    @usableFromInline var bytes: Substring.UTF8View { self[...].utf8 }

    // MARK: - Comparing

    /// Whether both strings have the same bytes, unlike `==`, which ignores the normalization form, such as NFD.
    @inlinable package func hasSameBytes(as other: some StringProtocol) -> Bool { bytes.elementsEqual(other.utf8) }

    @inlinable package func hasBytes(prefix: some StringProtocol) -> Bool { bytes.starts(with: prefix.utf8) }

    @inlinable package func hasBytes(suffix: some StringProtocol) -> Bool {
        bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    @inlinable package func hasBytes(_ other: some StringProtocol) -> Bool { firstRange(bytes: other) != nil }

    // MARK: - Searching

    /// The position of the first `byte`, which must be ASCII, or `nil` if it does not occur.
    @inlinable package func firstIndex(byte: Unicode.Scalar) -> Index? { bytes.firstIndex(of: UInt8(ascii: byte)) }

    /// The position of the last `byte`, which must be ASCII, or `nil` if it does not occur.
    @inlinable package func lastIndex(byte: Unicode.Scalar) -> Index? { bytes.lastIndex(of: UInt8(ascii: byte)) }

    /// The range of the first occurrence of the bytes of `other`, or `nil` if there is none.
    @inlinable package func firstRange(bytes other: some StringProtocol) -> Range<Index>? {
        guard let first = other.utf8.first else { return startIndex..<startIndex }
        // Most strings do not have the byte, and a buffer is searched faster than a view.
        if utf8.withContiguousStorageIfAvailable({ unsafe $0.contains(first) }) == false { return nil }
        var rest = bytes
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            if rest.starts(with: other.utf8) { return start..<rest.index(start, offsetBy: other.utf8.count) }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// The ranges of all occurrences of the bytes of `other`, which must not be empty, one after another.
    package func ranges(bytes other: some StringProtocol) -> [Range<Index>] {
        var (ranges, rest) = ([Range<Index>](), self[...])
        while let found = rest.firstRange(bytes: other), !found.isEmpty {
            ranges.append(found)
            rest = rest[found.upperBound...]
        }
        return ranges
    }

    // MARK: - Cutting

    /// The parts between the bytes `byte`, which must be ASCII.
    ///
    /// The other parameters are those of `split(separator:)`.
    @inlinable package func split(
        byte: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [Substring] {
        bytes.split(
            separator: UInt8(ascii: byte), maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences
        ).map { Substring($0) }
    }

    /// The text before and after the first `byte`, which must be ASCII, or `nil` if it does not occur.
    @inlinable package func cut(byte: Unicode.Scalar) -> (before: Substring, after: Substring)? {
        firstIndex(byte: byte).map { (self[..<$0], self[bytes.index(after: $0)...]) }
    }

    /// The text before and after the last `byte`, which must be ASCII, or `nil` if it does not occur.
    @inlinable package func cut(lastByte byte: Unicode.Scalar) -> (before: Substring, after: Substring)? {
        lastIndex(byte: byte).map { (self[..<$0], self[bytes.index(after: $0)...]) }
    }

    /// The text before the first `byte`, which must be ASCII, or all of it if the byte does not occur.
    @inlinable package func prefix(before byte: Unicode.Scalar) -> Substring {
        self[..<(firstIndex(byte: byte) ?? endIndex)]
    }

    /// The text before the first byte of `ends`, which must be ASCII, or all of it if none occurs.
    package func prefix(beforeAny ends: String) -> Substring {
        self[..<(bytes.firstIndex { ends.utf8.contains($0) } ?? endIndex)]
    }

    /// The parts between bytes of `ends`, which must be ASCII, without empty ones.
    package func split(anyOf ends: String) -> [Substring] {
        bytes.split { ends.utf8.contains($0) }.map { Substring($0) }
    }

    /// The text without the bytes of `ends`, which must be ASCII, at its beginning.
    package func drop(anyOf ends: String) -> Substring {
        self[(bytes.firstIndex { !ends.utf8.contains($0) } ?? endIndex)...]
    }

    /// A copy without the bytes of `ends`, which must be ASCII.
    package func without(_ ends: String) -> String {
        String(decoding: bytes.filter { !ends.utf8.contains($0) }, as: UTF8.self)
    }

    /// The words, which have whitespace between them.
    package var words: [Substring] {
        self[...].unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { Substring($0) }
    }

    /// The text after `prefix`, or `nil` if the text does not begin with its bytes.
    @inlinable package func removing(prefix: some StringProtocol) -> Substring? {
        guard hasBytes(prefix: prefix) else { return nil }
        return self[bytes.index(startIndex, offsetBy: prefix.utf8.count)...]
    }

    /// The text before `suffix`, or `nil` if the text does not end with its bytes.
    @inlinable package func removing(suffix: some StringProtocol) -> Substring? {
        guard hasBytes(suffix: suffix) else { return nil }
        return self[..<bytes.index(endIndex, offsetBy: -suffix.utf8.count)]
    }

    /// The text without whitespace at its beginning and its end.
    package var trimmingBlanks: String {
        let start = self[...].unicodeScalars.drop(while: \.properties.isWhitespace)
        let last = start.lastIndex { !$0.properties.isWhitespace }
        return String(start[..<(last.map(start.index(after:)) ?? start.startIndex)])
    }

    /// Whether the text has nothing but whitespace.
    package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// The lines, which end with LF, CR or CR LF.
    ///
    /// Empty lines are lines too. Other line breaks of Unicode are part of a line: JSON, SOQL and most formats have
    /// them in texts.
    package var lines: [Substring] {
        var (lines, start) = ([Substring](), startIndex)
        while let end = bytes[start...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
            lines.append(self[start..<end])
            let next = bytes.index(after: end)
            start = bytes[end...].starts(with: [0x0D, 0x0A]) ? bytes.index(after: next) : next
        }
        return lines + [self[start...]]
    }

    // MARK: - Replacing

    /// A copy with `new` in place of each occurrence of the bytes of `old`.
    package func replacing(bytes old: some StringProtocol, with new: some StringProtocol) -> String {
        var (result, end) = ("", startIndex)
        for found in ranges(bytes: old) {
            result += self[end..<found.lowerBound]
            result += new
            end = found.upperBound
        }
        return result + self[end...]
    }

    /// A copy with each `quote`, which must be ASCII, doubled: the escape of SQL and CSV.
    package func doubled(_ quote: Unicode.Scalar) -> String {
        replacing(bytes: String(quote), with: "\(quote)\(quote)")
    }

    /// The text as one word of a POSIX shell, in single quotes.
    ///
    /// A NUL character cannot be part of such a word: a shell leaves it out.
    package var shellQuoted: String { "'" + replacing(bytes: "'", with: #"'\''"#) + "'" }

    /// The text as one word of a POSIX shell, in quotes only if it needs them.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case 0x2B...0x3A, 0x40...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
            default: false
            }
        }
        return isPlain && !isEmpty ? String(self) : shellQuoted
    }
}
