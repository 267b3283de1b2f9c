// SPDX-License-Identifier: Apache-2.0

import RestBase

extension ServerResponse {
    /// The response with bytes of a content, of which a request may ask for a part (RFC 9110 14).
    ///
    /// - Parameters:
    ///   - range: The value of the field `Range`.
    ///   - size: The length of the whole content.
    ///   - fields: The header fields of a response with bytes.
    ///   - fill: Puts the bytes of a range into a response.
    /// - Returns: The response, with status 206 for a part and 416 for a range without bytes.
    /// - Throws: what `fill` throws.
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

/// One range of the field `Range`: `bytes=0-99`, `bytes=100-` or `bytes=-50`.
private struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// `nil` for what is ignored: another unit, several ranges, or no range at all.
    init?(_ field: String) {
        guard let range = field.removing(prefix: "bytes="), !range.hasBytes(",") else { return nil }
        let sides = range.split(byte: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        first = Self.place(sides[0])
        last = Self.place(sides[1])
        guard first != nil || (sides[0].isEmpty && last != nil), last != nil || sides[1].isEmpty else { return nil }
        if let first, let last, last < first { return nil }
    }

    /// A place in a file; one that no file has is behind the end of every file.
    private static func place(_ digits: Substring) -> Int? {
        guard !digits.isEmpty, digits.utf8.allSatisfy(ASCII.isDigit) else { return nil }
        return Int(outside: digits, in: .bytes) ?? NumberRange.bytes.clamped(.max)
    }

    /// The bytes that are meant of so many; `nil` if there are none.
    func resolved(in size: Int) -> Range<Int>? {
        guard let first else {
            let count = min(last ?? 0, size)
            return count > 0 ? (size - count)..<size : nil
        }
        guard first < size else { return nil }
        return first..<min((last ?? size - 1) + 1, size)
    }
}
