// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestTransport

extension Content {
    /// The bytes, of which a request may ask for a part (RFC 9110 §14).
    func response(to request: ServerRequest) -> ServerResponse {
        let asked = request.fields["Range"].flatMap { ByteRange($0) }
        let part = asked?.resolved(in: size)
        if asked != nil && part == nil {
            return ServerResponse(status: 416, fields: [("Content-Range", "bytes */\(size)")])
        }
        let range = part ?? 0..<size
        guard let slice = slice(range) else {
            return BoxRefusal.broken.response
        }
        var response = ServerResponse(
            status: part == nil ? 200 : 206,
            fields: [("Content-Type", "application/octet-stream"), ("Accept-Ranges", "bytes")])
        if part != nil {
            let end = range.upperBound - 1
            response.fields.append(("Content-Range", "bytes \(range.lowerBound)-\(end)/\(size)"))
        }
        response.file = slice
        return response
    }
}

/// One range of the field `Range`: `bytes=0-99`, `bytes=100-` or `bytes=-50`.
struct ByteRange {
    private let first: Int?
    private let last: Int?

    /// `nil` for what is ignored: another unit, several ranges, or no range at all.
    init?(_ field: String) {
        guard field.hasPrefix("bytes="), !field.contains(",") else { return nil }
        let sides = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        first = Int(outside: String(sides[0]), in: .bytes)
        last = Int(outside: String(sides[1]), in: .bytes)
        guard first != nil || (sides[0].isEmpty && last != nil), last != nil || sides[1].isEmpty else { return nil }
        if let first, let last, last < first { return nil }
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
