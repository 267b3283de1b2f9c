// SPDX-License-Identifier: Apache-2.0

import RestText

extension HTTPRequest {
    /// A part of a resource, in bytes (RFC 9110 §14.1.2).
    public enum ByteRange: Sendable, Hashable {
        /// These bytes, counted from 0; fewer where the resource ends before.
        case bytes(Range<Int64>)
        /// All bytes from this place on, counted from 0.
        case from(Int64)
        /// So many bytes at the end; all where the resource has fewer.
        case last(Int64)

        /// Why the range cannot be asked for.
        package var problem: String? {
            let limit = NumberRange.bytes.bounds.upperBound
            let isPossible =
                switch self {
                case .bytes(let bytes): bytes.lowerBound >= 0 && !bytes.isEmpty && bytes.upperBound <= limit
                case .from(let start): (0...limit).contains(start)
                case .last(let count): (1...limit).contains(count)
                }
            return isPossible ? nil : "must hold at least one byte, at a place from 0 to \(limit)"
        }

        /// The value of a `Range` field.
        package var text: String {
            switch self {
            case .bytes(let bytes): "bytes=\(bytes.lowerBound)-\(bytes.upperBound - 1)"
            case .from(let start): "bytes=\(start)-"
            case .last(let count): "bytes=-\(count)"
            }
        }

        /// The bytes that it means of a resource of this length; `nil` when there are none.
        package func bytes(of total: Int64) -> Range<Int64>? {
            let bytes =
                switch self {
                case .bytes(let bytes): bytes.clamped(to: 0..<total)
                case .from(let start): min(start, total)..<total
                case .last(let count): max(0, total - count)..<total
                }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

/// Which part of a resource an answer holds (RFC 9110 §14.4).
struct ContentRange: Equatable {
    /// The bytes of the resource that the answer holds; `nil` in a 416, which holds none.
    let part: Range<Int64>?
    /// The length of the resource; `nil` when the server does not know it.
    let total: Int64?

    /// Reads a `Content-Range` field; `nil` for what is not one, or contradicts itself.
    init?(_ text: String) {
        guard text.utf8.count > 6, (String(text.utf8.prefix(6)) ?? "").isEqualIgnoringASCIICase(to: "bytes ") else {
            return nil
        }
        let sides = text[text.utf8.index(text.startIndex, offsetBy: 6)...].split(
            byte: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        total = Self.number(sides[1])
        guard total != nil || sides[1] == "*" else { return nil }
        guard sides[0] != "*" else {
            guard total != nil else { return nil }
            part = nil
            return
        }
        let ends = sides[0].split(byte: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < total ?? .max
        else { return nil }
        part = first..<(last + 1)
    }

    private static func number(_ text: Substring) -> Int64? {
        guard text.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(outside: text, in: .bytes).map(Int64.init)
    }
}
