// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A request target taken apart: decoded path segments and query pairs.
struct RequestPath {
    /// The segments without the empty ones at the end, so that `/query` and `/query/` are the same.
    let segments: [String]
    let query: [(name: String, value: String)]

    /// `nil` when the target has a broken escape, a control character, or bytes that are not UTF-8.
    init?(_ target: String) {
        let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var raw = parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        while raw.last?.isEmpty == true { raw.removeLast() }
        let decoded = raw.compactMap { try? PercentEncoding.decode(String(Substring($0))) }
        guard decoded.count == raw.count, !decoded.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }),
            let query = try? PercentEncoding.formPairs(parts.count > 1 ? String(Substring(parts[1])) : "")
        else { return nil }
        segments = decoded
        self.query = query
    }

    /// The segments as one text, for comparing: in lower case, and with a slash that was encoded like any other.
    var folded: String { "/" + segments.joined(separator: "/").lowercased() }

    /// Whether it is below `/services/data/v`.
    var isBelowVersion: Bool {
        segments.count > 2 && segments[..<2] == ["services", "data"] && segments[2].first == "v"
    }

    /// The first value of a query parameter.
    func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}
