// SPDX-License-Identifier: Apache-2.0

extension HTTPURL {
    /// The URL that a reference found under this one points to (RFC 3986 §5.2), such as a `Location` field.
    ///
    /// A fragment in the reference is dropped, since it never goes on the wire; all else is as strict as parsing.
    ///
    /// - Throws: `HTTPURLError`, also for schemes other than http and https.
    public func resolving(_ reference: String) throws(HTTPURLError) -> HTTPURL {
        let text = reference.prefix { $0 != "#" }
        try Self.checkCharacters(Array(text.utf8))
        if Self.hasScheme(text) { return try HTTPURL(parsing: String(text)).withoutDotSegments }
        if text.hasPrefix("//") {
            return try HTTPURL(parsing: "\(origin.scheme.rawValue):\(text)").withoutDotSegments
        }
        let (path, query) = Self.pathAndQuery(ArraySlice(text.utf8))
        if path.isEmpty { return HTTPURL(origin: origin, path: self.path, query: query ?? self.query) }
        let merged = path.hasPrefix("/") ? path : self.path.prefix(through: lastSlash) + path
        return HTTPURL(origin: origin, path: merged, query: query).withoutDotSegments
    }

    /// Whether the reference begins with a scheme (RFC 3986 §3.1), also one that is refused later.
    private static func hasScheme(_ text: Substring) -> Bool {
        guard let end = text.utf8.firstIndex(where: { ":/?".utf8.contains($0) }), text.utf8[end] == UInt8(ascii: ":")
        else {
            return false
        }
        return true
    }

    /// The place of the slash behind which a relative path is put (RFC 3986 §5.2.3).
    private var lastSlash: String.Index { path.lastIndex(of: "/") ?? path.startIndex }

    /// The same URL with `.` and `..` segments taken out of its path (RFC 3986 §5.2.4).
    var withoutDotSegments: HTTPURL {
        var output: [Substring] = []
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".":
                if isLast { output.append("") }
            case "..":
                _ = output.popLast()
                if isLast { output.append("") }
            default:
                output.append(segment)
            }
        }
        return HTTPURL(origin: origin, path: "/" + output.joined(separator: "/"), query: query)
    }
}
