// SPDX-License-Identifier: Apache-2.0

import RestBase

extension ServerResponse {
    /// Returns the content, or the requested part of it (RFC 9110 §14).
    ///
    /// - Parameters:
    ///   - range: The value of the header `Range`.
    ///   - size: The length of the whole content.
    ///   - fields: The headers of a response with content.
    ///   - fill: Adds the bytes of a range to a response.
    /// - Returns: The response, with status 206 for a part and 416 for a range without bytes.
    /// - Throws: the errors of `fill`.
    package static func content<Failure: Error>(
        _ range: String?, of size: Int, fields: [(name: String, value: String)],
        _ fill: (inout ServerResponse, Range<Int>) throws(Failure) -> Void
    ) throws(Failure) -> ServerResponse {
        let asked = range.flatMap { ByteRange($0) }
        let part = asked?.resolved(in: size)
        guard asked == nil || part != nil else {
            return ServerResponse(status: 416, fields: [("Content-Range", "bytes */\(size)")])
        }
        var response = ServerResponse(status: part == nil ? 200 : 206, fields: fields + [("Accept-Ranges", "bytes")])
        if let part {
            let place = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
            response.fields.append(("Content-Range", place))
        }
        try fill(&response, part ?? 0..<size)
        return response
    }
}

/// A range in the header `Range`: `bytes=0-99`, `bytes=100-` or `bytes=-50`.
private struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// Returns `nil` for a value that is ignored: another unit, several ranges, or no range.
    init?(_ field: String) {
        guard let range = field.removing(prefix: "bytes="), !range.hasBytes(",") else { return nil }
        let sides = range.split(byte: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        first = Self.place(sides[0])
        last = Self.place(sides[1])
        guard first != nil || (sides[0].isEmpty && last != nil), last != nil || sides[1].isEmpty else { return nil }
        if let first, let last, last < first { return nil }
    }

    /// Returns an offset, which is after the end of every file if the number is out of range.
    private static func place(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(outside: digits, in: .bytes) ?? NumberRange.bytes.clamped(.max)
    }

    /// Returns the bytes of the range in `size` bytes, or `nil` if there are none.
    func resolved(in size: Int) -> Range<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? (size - count)..<size : nil
        }
        guard first < size else { return nil }
        return first..<min((last ?? size - 1) + 1, size)
    }
}
