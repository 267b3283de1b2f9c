// SPDX-License-Identifier: Apache-2.0

/// The first message of a TLS client (RFC 8446 §4.1.2), if one record has all of it.
struct ClientHello {
    /// The number of bytes before the content of a record.
    static let headCount = 5
    /// The maximum length of a record's content (RFC 8446 §5.1).
    private static let mostContent = 1 << 14
    private static let (handshakeRecord, clientHello, protocolNames) = (22, 1, 16)

    /// The protocols that the client offers (ALPN, RFC 7301 §3.1).
    private(set) var protocols: [[UInt8]] = []

    /// Whether the client speaks HTTP/2 and not HTTP/1.1, as clients of gRPC do.
    var wantsHTTP2: Bool {
        protocols.contains(Array("h2".utf8)) && !protocols.contains(Array("http/1.1".utf8))
    }

    /// Returns the size of a record by its head, or `nil` if it cannot begin a TLS connection.
    static func size(after head: [UInt8]) -> Int? {
        var fields = Fields(rest: head[...])
        guard fields.number(1) == handshakeRecord, fields.take(2) != nil, let count = fields.number(2),
            (1...mostContent).contains(count)
        else { return nil }
        return headCount + count
    }

    /// Reads a whole record, or returns `nil` if it does not have the form of the message.
    init?(_ record: [UInt8]) {
        guard Self.size(after: record) == record.count else { return nil }
        var message = Fields(rest: record[Self.headCount...])
        guard message.number(1) == Self.clientHello, let content = message.list(3), message.rest.isEmpty else {
            return nil
        }
        var fields = Fields(rest: content)
        // The version, the random bytes, the session ID, the cipher suites and the compression methods.
        guard fields.take(2 + 32) != nil, fields.list(1) != nil, fields.list(2) != nil, fields.list(1) != nil,
            let list = fields.list(2)
        else { return nil }
        var extensions = Fields(rest: list)
        while !extensions.rest.isEmpty {
            guard let kind = extensions.number(2), let content = extensions.list(2) else { return nil }
            guard kind == Self.protocolNames else { continue }
            var offer = Fields(rest: content)
            guard let names = offer.list(2) else { return nil }
            offer.rest = names
            while !offer.rest.isEmpty {
                guard let name = offer.list(1) else { return nil }
                protocols.append(Array(name))
            }
        }
    }

    private struct Fields {
        var rest: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }

        mutating func number(_ size: Int) -> Int? { take(size)?.reduce(0) { $0 << 8 | Int($1) } }

        /// Takes bytes after their number, which has `size` bytes.
        mutating func list(_ size: Int) -> ArraySlice<UInt8>? {
            guard let count = number(size) else { return nil }
            return take(count)
        }
    }
}
