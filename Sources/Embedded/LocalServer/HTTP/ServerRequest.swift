// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import RestTransport

package struct ServerRequest: Sendable {
    package let method: String
    /// The raw path and query, percent-encoded.
    package let target: String
    /// The protocol version, `HTTP/1.1`.
    package let version: String
    package var fields: HTTPFields
    package var body: [UInt8] = []
    /// The sink that received the body instead of memory.
    package var sink: (any BodySink)?
    /// The decoded target, or `nil` if it is malformed.
    ///
    /// Compare this and not the raw target, which has many spellings.
    package let path: RequestPath?
    /// The time at which the head was read.
    let arrival = ContinuousClock.now

    package init(method: String, target: String, version: String = "HTTP/1.1", fields: HTTPFields, body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.body = body
        path = RequestPath(target)
    }

    package var hasBody: Bool { fields["Transfer-Encoding"] != nil || (fields["Content-Length"] ?? "0") != "0" }

    /// The announced length of the body in bytes, clamped to the largest number, or `nil`.
    package var announcedLength: Int? {
        fields["Content-Length"].map { Int(outside: $0, in: .bytes) ?? NumberRange.bytes.clamped(.max) }
    }

    /// The media type of the body without parameters, in lower case.
    package var mediaType: String? {
        fields["Content-Type"].map { value in
            guard value != "application/json" else { return value }
            let type = value.prefix(before: ";")
            return type.split(byte: " ").joined().lowercased()
        }
    }
}

/// The decision about a request after its head.
package enum Admission: Sendable {
    /// The body is discarded, and this is the response.
    case refused(ServerResponse)
    /// The body is read into memory, up to this number of bytes.
    case accepted(mostBody: Int)
    /// The body is streamed into a sink, up to this number of bytes.
    case streamed(into: any BodySink, mostBody: Int)
}

/// Receives the body of a request in chunks, on the thread that reads it.
package protocol BodySink: AnyObject, Sendable {
    var count: Int { get }
    /// Takes the next chunk. `false` closes the connection.
    func take(_ chunk: RawSpan) -> Bool
}

/// The decoded path segments and query pairs of a target.
package struct RequestPath {
    /// The segments without trailing empty ones, so `/query` and `/query/` are equal.
    package let segments: [String]
    package let query: [(name: String, value: String)]

    /// Returns `nil` for a broken escape, a control character, or bytes that are not UTF-8.
    package init?(_ target: String) {
        let parts = target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var raw = parts[0].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
        while raw.last?.isEmpty == true { raw.removeLast() }
        let decoded = raw.compactMap { segment -> String? in
            let text = String(Substring(segment))
            return segment.contains(UInt8(ascii: "%")) ? try? PercentEncoding.decode(text) : text
        }
        guard decoded.count == raw.count, !decoded.contains(where: { $0.utf8.contains { $0 < 0x20 || $0 == 0x7F } }),
            let query = try? PercentEncoding.formPairs(parts.count > 1 ? String(Substring(parts[1])) : "")
        else { return nil }
        segments = decoded
        self.query = query
    }

    /// The path in lower case for comparisons, with decoded slashes.
    package var folded: String { "/" + segments.joined(separator: "/").lowercased() }

    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

package struct ServerResponse: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// A part of a file that is sent instead of the body.
    package var file: FileSlice?
    /// A note of the application, which is never sent.
    package var note: (any Sendable)?

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    package static func json(_ status: Int = 200, _ body: [UInt8]) -> ServerResponse {
        ServerResponse(status: status, fields: [("Content-Type", "application/json;charset=UTF-8")], body: body)
    }

    package static func empty(_ status: Int) -> ServerResponse { ServerResponse(status: status) }

    /// Returns a page like those of Salesforce's edge servers.
    package static func html(_ status: Int, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, fields: [("Content-Type", "text/html;charset=iso-8859-1")], body: Array(text.utf8))
    }
}

/// A response and how it is sent.
package struct ServerReply: Sendable {
    /// The way a response is sent.
    package enum Delivery: Sendable, Hashable {
        case whole
        /// Only this number of bytes of the body. Then the connection is closed.
        case truncated(Int)
        /// No response. The connection is closed.
        case close
        /// No response. The connection is reset.
        case reset
    }

    package var response: ServerResponse
    package var delivery = Delivery.whole
    package var delay = Duration.zero

    package init(_ response: ServerResponse) {
        self.response = response
    }
}

/// The reply to a request, or the work that makes it.
package enum ServerAction: Sendable {
    case ready(ServerReply)
    /// Made on another thread, so the server's thread can serve other connections.
    case later(WorkLane, @Sendable () -> ServerAction)
    /// Made at a later event. The function is called once and calls `deliver` once, at any time.
    case promised(@Sendable (_ deliver: @escaping @Sendable (ServerAction) -> Void) -> Void)

    /// Returns the answer with a change of its reply, now or later.
    package func map(_ change: @escaping @Sendable (ServerReply) -> ServerReply) -> ServerAction {
        switch self {
        case .ready(let reply): .ready(change(reply))
        case .later(let lane, let work): .later(lane) { work().map(change) }
        case .promised(let begin):
            .promised { deliver in begin { response in deliver(response.map(change)) } }
        }
    }
}

extension ServerResponse {
    package static func object(_ status: Int = 200, _ body: (inout JSONWriter) -> Void) -> ServerResponse {
        var writer = JSONWriter()
        writer.object(body)
        return .json(status, writer.bytes)
    }

    package static func list<Items: Sequence>(
        _ items: Items, status: Int = 200, _ each: (inout JSONWriter, Items.Element) -> Void
    ) -> ServerResponse {
        var writer = JSONWriter()
        writer.list(items, each)
        return .json(status, writer.bytes)
    }
}

extension JSONWriter {
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    package mutating func list<Items: Sequence>(_ items: Items, _ each: (inout JSONWriter, Items.Element) -> Void) {
        beginArray()
        for item in items { each(&self, item) }
        endArray()
    }

    /// Writes an object with string values.
    package mutating func object(_ pairs: [(String, String)]) {
        object { writer in
            for (name, value) in pairs { writer.member(name, value) }
        }
    }

    package mutating func member(_ name: String, object body: (inout JSONWriter) -> Void) {
        key(name)
        object(body)
    }

    package mutating func member(_ name: String, object pairs: [(String, String)]) {
        key(name)
        object(pairs)
    }

    package mutating func member<Items: Sequence>(
        _ name: String, list items: Items, _ each: (inout JSONWriter, Items.Element) -> Void
    ) {
        key(name)
        list(items, each)
    }

    package mutating func member(_ name: String, list texts: [String]) {
        key(name)
        list(texts) { writer, text in writer.string(text) }
    }

    package mutating func member(_ name: String, _ value: String) {
        key(name)
        string(value)
    }

    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        bool(value)
    }

    package mutating func member(_ name: String, _ value: Int) {
        key(name)
        number(value)
    }

    package mutating func member(_ name: String, json value: [UInt8]) {
        key(name)
        raw(value)
    }
}
