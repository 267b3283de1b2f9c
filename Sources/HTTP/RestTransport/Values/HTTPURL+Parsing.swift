// SPDX-License-Identifier: Apache-2.0

extension Origin {
    /// Reads the origin out of the text of an absolute http or https URL; what follows the port is left out.
    ///
    /// - Parameter text: the URL, such as `https://example.my.salesforce.com`, read as strictly as
    ///   ``HTTPURL/init(parsing:)`` does.
    /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
    public init(parsing text: String) throws(HTTPURL.ParsingError) {
        self = try HTTPURL(parsing: text).origin
    }
}

extension HTTPURL {
    /// The longest URL text accepted, in bytes.
    static let maximumLength = 65_536

    /// Reads an absolute http or https URL, strictly (RFC 3986 §3, RFC 9110 §4.2).
    ///
    /// Nothing is repaired: user info, a fragment, blanks, control characters, anything outside ASCII, broken percent
    /// triplets, host names in number form other than four decimal octets and ports out of range are refused.
    ///
    /// - Parameter text: the URL.
    /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
    public init(parsing text: String) throws(ParsingError) {
        let bytes = Array(text.utf8)
        try Self.checkWithoutFragment(bytes)
        let (scheme, authorityStart) = try Self.scheme(of: bytes)
        let authorityEnd = bytes[authorityStart...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        let authority = bytes[authorityStart..<(authorityEnd ?? bytes.endIndex)]
        let origin = try Self.origin(scheme: scheme, authority: authority)
        let (path, query) = Self.pathAndQuery(bytes[authority.endIndex...])
        self.init(origin: origin, path: path.isEmpty ? "/" : path, query: query)
    }

    /// Reads what follows the origin, a path and perhaps a query, as strictly as a whole URL (RFC 9112 §3.2.1).
    ///
    /// - Parameters:
    ///   - origin: the server.
    ///   - target: the path, and perhaps the query behind a question mark.
    /// - Throws: `HTTPURL.ParsingError` with the rule that was broken and the position.
    public init(origin: Origin, target: String) throws(ParsingError) {
        let bytes = Array(target.utf8)
        try Self.checkWithoutFragment(bytes)
        guard bytes.first == UInt8(ascii: "/") else { throw ParsingError(.character, offset: 0) }
        let (path, query) = Self.pathAndQuery(bytes[...])
        self.init(origin: origin, path: path, query: query)
    }

    private static func checkWithoutFragment(_ bytes: [UInt8]) throws(ParsingError) {
        try checkCharacters(bytes)
        guard let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) else { return }
        throw ParsingError(.fragment, offset: fragment)
    }

    /// Refuses what RFC 3986 §2 does not allow and percent signs without two digits.
    static func checkCharacters(_ bytes: [UInt8]) throws(ParsingError) {
        guard bytes.count <= maximumLength else { throw ParsingError(.length, offset: maximumLength) }
        for (offset, byte) in bytes.enumerated() {
            guard ASCII.isURLCharacter(byte) else { throw ParsingError(.character, offset: offset) }
            guard byte == UInt8(ascii: "%") else { continue }
            guard offset + 2 < bytes.count, ASCII.hexValue(bytes[offset + 1]) != nil,
                ASCII.hexValue(bytes[offset + 2]) != nil
            else { throw ParsingError(.percentEncoding, offset: offset) }
        }
    }

    /// The scheme and the offset behind `://`.
    private static func scheme(of bytes: [UInt8]) throws(ParsingError) -> (Origin.Scheme, Int) {
        for (scheme, prefix) in [(Origin.Scheme.https, "https://"), (.http, "http://")] {
            let head = String(decoding: bytes.prefix(prefix.utf8.count), as: UTF8.self)
            if head.isEqualIgnoringASCIICase(to: prefix) { return (scheme, prefix.utf8.count) }
        }
        throw ParsingError(.scheme)
    }

    /// Splits what stands behind the authority at the first question mark.
    static func pathAndQuery(_ bytes: ArraySlice<UInt8>) -> (path: String, query: String?) {
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else {
            return (String(decoding: bytes, as: UTF8.self), nil)
        }
        let path = String(decoding: bytes[..<mark], as: UTF8.self)
        return (path, String(decoding: bytes[(mark + 1)...], as: UTF8.self))
    }

    /// Host and port of an authority without user info (RFC 3986 §3.2).
    private static func origin(scheme: Origin.Scheme, authority: ArraySlice<UInt8>) throws(ParsingError)
        -> Origin
    {
        if let mark = authority.firstIndex(of: UInt8(ascii: "@")) {
            throw ParsingError(.userInfo, offset: mark)
        }
        let (host, rest) = try splitHost(authority)
        guard let first = rest.first else { return Origin(scheme: scheme, host: host) }
        let digits = rest.dropFirst()
        guard first == UInt8(ascii: ":"), (1...5).contains(digits.count), digits.allSatisfy(ASCII.isDigit),
            let port = Int(outside: String(decoding: digits, as: UTF8.self), in: NumberRange(1...65_535))
        else { throw ParsingError(.port, offset: rest.startIndex) }
        return Origin(scheme: scheme, host: host, port: port)
    }

    /// The host without brackets and what follows it.
    private static func splitHost(
        _ authority: ArraySlice<UInt8>
    ) throws(ParsingError) -> (host: String, rest: ArraySlice<UInt8>) {
        let isBracketed = authority.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? authority.firstIndex(of: UInt8(ascii: "]"))
            : authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        guard let end else { throw ParsingError(.host, offset: authority.startIndex) }
        let name = isBracketed ? authority[(authority.startIndex + 1)..<end] : authority[..<end]
        let host = String(decoding: name, as: UTF8.self)
        guard isBracketed == name.contains(UInt8(ascii: ":")), Origin.isValidHost(host) else {
            throw ParsingError(.host, offset: authority.startIndex)
        }
        return (host, isBracketed ? authority[(end + 1)...] : authority[end...])
    }
}
