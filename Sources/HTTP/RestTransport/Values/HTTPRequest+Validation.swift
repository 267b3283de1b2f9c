// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// Refuses a request that must not leave this process; every transport calls it before anything is sent.
    ///
    /// Checked are: the method and the field names are tokens, field values hold no control characters, the target and
    /// the host are well formed, the fields that frame a message or name its target are left to the transport, and
    /// plain http goes to literal loopback addresses and to `localhost` only.
    ///
    /// - Throws: `TransportError` with the code `.invalidRequest`; it never repeats a field's value.
    public func validate() throws(TransportError) {
        guard !method.rawValue.isEmpty, ASCII.all(method.rawValue, in: ASCII.tokenCharacters) else {
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
        guard origin.isWellFormed else {
            throw .invalidRequest("the URL's host or port is malformed")
        }
        guard origin.scheme == .https || origin.isLoopback else {
            throw .invalidRequest("plain http is allowed for loopback addresses and localhost only; use https")
        }
        guard path.utf8.first == UInt8(ascii: "/"), Self.isTargetText(path), query.map(Self.isTargetText) ?? true else {
            throw .invalidRequest("the URL's path or query is not percent-encoded")
        }
    }

    /// Whether the text can stand in a request line; a server that issued odd characters gets them back unchanged.
    private static func isTargetText(_ text: String) -> Bool {
        ASCII.all(text, in: ASCII.targetCharacters)
    }
}

extension HTTPFields.Field {
    func validate() throws(TransportError) {
        guard !name.isEmpty, ASCII.all(name, in: ASCII.tokenCharacters) else {
            throw .invalidRequest("a header field's name is not a token")
        }
        guard Self.isValue(value) else {
            throw .invalidRequest("the header field '\(name)' has a control character in its value")
        }
        guard !Self.isOwnedByTransport(name) else {
            throw .invalidRequest("the header field '\(name)' is set by the transport")
        }
    }

    /// Whether the text holds no control characters but tabs (RFC 9110 §5.5).
    private static func isValue(_ text: String) -> Bool {
        for byte in text.utf8 where byte < 0x20 || byte == 0x7F {
            guard byte == 0x09 else { return false }
        }
        return true
    }

    /// Whether the field frames the message or steers the connection: a wrong one would let requests be smuggled.
    package static func isOwnedByTransport(_ name: String) -> Bool {
        switch name.utf8.count {
        case 2: name.isEqualIgnoringASCIICase(to: "te")
        case 4: name.isEqualIgnoringASCIICase(to: "host")
        case 6: name.isEqualIgnoringASCIICase(to: "expect")
        case 7: name.isEqualIgnoringASCIICase(to: "upgrade") || name.isEqualIgnoringASCIICase(to: "trailer")
        case 10: name.isEqualIgnoringASCIICase(to: "connection") || name.isEqualIgnoringASCIICase(to: "keep-alive")
        case 14:
            name.isEqualIgnoringASCIICase(to: "content-length") || name.isEqualIgnoringASCIICase(to: "http2-settings")
        case 16: name.isEqualIgnoringASCIICase(to: "proxy-connection")
        case 17: name.isEqualIgnoringASCIICase(to: "transfer-encoding")
        default: false
        }
    }
}

extension TransportError {
    /// An error for a request that is rejected before anything is sent.
    ///
    /// - Parameter message: the reason and what to do, without secrets.
    /// - Returns: an error with the code ``Code/invalidRequest`` that did not reach the server.
    public static func invalidRequest(_ message: String) -> TransportError {
        TransportError(.invalidRequest, message, mayHaveReachedServer: false)
    }
}
