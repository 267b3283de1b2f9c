// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// Refuses a request that must not leave this process; every transport calls it before anything is sent.
    ///
    /// Checked are: the method and the field names are tokens, field values hold no control characters, the target and
    /// the host are well formed, the fields that frame a message or name its target are left to the transport, and
    /// plain http goes to literal loopback addresses only.
    ///
    /// - Throws: `TransportError` with the code `.invalidRequest`; it never repeats a field's value.
    public func validate() throws(TransportError) {
        guard !method.rawValue.isEmpty, method.rawValue.utf8.allSatisfy(ASCII.isTokenCharacter) else {
            throw .invalidRequest("the method is not a token")
        }
        try url.validate()
        for field in fields {
            try field.validate()
        }
    }
}

extension HTTPURL {
    /// Checks parts that may have been put together without parsing.
    func validate() throws(TransportError) {
        guard Origin.isValidHost(origin.host), (1...65_535).contains(origin.port) else {
            throw .invalidRequest("the URL's host or port is malformed")
        }
        guard origin.scheme == .https || origin.isLoopback else {
            throw .invalidRequest("plain http is allowed to literal loopback addresses only; use https")
        }
        guard path.utf8.first == UInt8(ascii: "/"), Self.isTargetText(path), query.map(Self.isTargetText) ?? true else {
            throw .invalidRequest("the URL's path or query is not percent-encoded")
        }
    }

    /// Whether the text can stand in a request line; a server that issued odd characters gets them back unchanged.
    private static func isTargetText(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") }
    }
}

extension HTTPFields.Field {
    /// Fields that frame the message or steer the connection: a wrong one would let requests be smuggled.
    private static let ownedByTransport = [
        "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "upgrade", "te",
        "trailer", "expect", "http2-settings",
    ]

    func validate() throws(TransportError) {
        guard !name.isEmpty, name.utf8.allSatisfy(ASCII.isTokenCharacter) else {
            throw .invalidRequest("a header field's name is not a token")
        }
        guard value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
            throw .invalidRequest("the header field '\(name)' has a control character in its value")
        }
        guard !Self.ownedByTransport.contains(where: { $0.isEqualIgnoringASCIICase(to: name) }) else {
            throw .invalidRequest("the header field '\(name)' belongs to the transport")
        }
    }
}

extension TransportError {
    /// A request that was refused before anything was sent.
    package static func invalidRequest(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message, mayHaveReachedServer: false)
    }
}
