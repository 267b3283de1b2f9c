// SPDX-License-Identifier: Apache-2.0

import RestBase
package import RestJSON
package import RestTransport

/// A request as it arrived.
package struct ServerRequest: Sendable {
    /// The method's token as sent.
    package let method: String
    /// The raw request target: path and query, percent-encoded.
    package let target: String
    /// The protocol version, `HTTP/1.1`.
    package let version: String
    package var fields: HTTPFields
    package var body: [UInt8] = []
    /// Where the body went instead of memory.
    package var sink: (any BodySink)?
    /// The target taken apart and decoded; `nil` for one that is not well-formed.
    ///
    /// Compare this and not the raw text, which has many spellings.
    package let path: RequestPath?

    package init(method: String, target: String, version: String = "HTTP/1.1", fields: HTTPFields, body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.body = body
        path = RequestPath(target)
    }

    /// Whether a body is announced.
    package var hasBody: Bool { fields["Transfer-Encoding"] != nil || (fields["Content-Length"] ?? "0") != "0" }

    /// The announced length of the body in bytes, `nil` for none; a number that is out of range counts as the largest.
    package var announcedLength: Int? {
        fields["Content-Length"].map { Int(outside: $0, in: .bytes) ?? NumberRange.bytes.clamped(.max) }
    }

    /// The media type of the body without parameters, in lower case.
    package var mediaType: String? {
        fields["Content-Type"].map { value in
            let type = value.prefix(before: ";")
            return type.split(byte: " ").joined().lowercased()
        }
    }
}

/// What becomes of a request whose header has arrived.
package enum Admission: Sendable {
    /// Its body is thrown away, and it is answered.
    case refused(ServerResponse)
    /// Its body is read, up to so many bytes.
    case accepted(mostBody: Int)
    /// Its body is read piece by piece into something else than memory, up to so many bytes.
    case streamed(into: any BodySink, mostBody: Int)
}

/// Takes the body of a request piece by piece, on the thread that reads it.
package protocol BodySink: AnyObject, Sendable {
    /// How many bytes have come.
    var count: Int { get }
    /// Takes the next piece; `false` gives the request up.
    func take(_ piece: RawSpan) -> Bool
}

/// A request target taken apart: decoded path segments and query pairs.
package struct RequestPath {
    /// The segments without the empty ones at the end, so that `/query` and `/query/` are the same.
    package let segments: [String]
    package let query: [(name: String, value: String)]

    /// `nil` when the target has a broken escape, a control character, or bytes that are not UTF-8.
    package init?(_ target: String) {
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
    package var folded: String { "/" + segments.joined(separator: "/").lowercased() }

    /// The first value of a query parameter.
    package func parameter(_ name: String) -> String? { query.first { $0.name == name }?.value }
}

/// An answer.
package struct ServerResponse: Sendable {
    package var status: Int
    package var fields: [(name: String, value: String)] = []
    package var body: [UInt8] = []
    /// A part of a file, sent in place of the body.
    package var file: FileSlice?
    /// What the application notes for itself; it is never sent.
    package var note: (any Sendable)?

    package init(status: Int, fields: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// An answer with a body in JSON.
    package static func json(_ status: Int = 200, _ body: [UInt8]) -> ServerResponse {
        ServerResponse(status: status, fields: [("Content-Type", "application/json;charset=UTF-8")], body: body)
    }

    /// An answer without a body.
    package static func empty(_ status: Int) -> ServerResponse { ServerResponse(status: status) }

    /// A page as the platform's edge servers answer, outside of the API.
    package static func html(_ status: Int, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, fields: [("Content-Type", "text/html;charset=iso-8859-1")], body: Array(text.utf8))
    }
}

/// What the server does with a request.
package struct ServerReply: Sendable {
    /// How the answer leaves.
    package enum Delivery: Sendable, Hashable {
        /// In full.
        case whole
        /// Only so many bytes of the body, then the connection is closed.
        case truncated(Int)
        /// Not at all: the connection is closed.
        case close
        /// Not at all: the connection is reset.
        case reset
    }

    package var response: ServerResponse
    package var delivery = Delivery.whole
    package var delay = Duration.zero

    package init(_ response: ServerResponse) {
        self.response = response
    }
}

/// The answer to a request, or where it is made.
package enum ServerAnswer: Sendable {
    case ready(ServerReply)
    /// Made on another thread, so that the server's thread can serve other connections.
    case later(WorkLane, @Sendable () -> ServerAnswer)
    /// Made when something happens: the function is called once, and calls the other one once, at any time.
    case promised(@Sendable (_ deliver: @escaping @Sendable (ServerAnswer) -> Void) -> Void)

    /// The same answer with its reply changed, now or later.
    package func map(_ change: @escaping @Sendable (ServerReply) -> ServerReply) -> ServerAnswer {
        switch self {
        case .ready(let reply): .ready(change(reply))
        case .later(let lane, let work): .later(lane) { work().map(change) }
        case .promised(let begin):
            .promised { deliver in begin { answer in deliver(answer.map(change)) } }
        }
    }
}

extension ServerResponse {
    /// An answer with an object in JSON.
    package static func object(_ status: Int = 200, _ body: (inout JSONWriter) -> Void) -> ServerResponse {
        var writer = JSONWriter()
        writer.object(body)
        return .json(status, writer.bytes)
    }

    /// An answer with a list in JSON.
    package static func list<Items: Sequence>(
        _ items: Items, status: Int = 200, _ each: (inout JSONWriter, Items.Element) -> Void
    ) -> ServerResponse {
        var writer = JSONWriter()
        writer.list(items, each)
        return .json(status, writer.bytes)
    }
}

extension JSONWriter {
    /// Writes an object.
    package mutating func object(_ body: (inout JSONWriter) -> Void) {
        beginObject()
        body(&self)
        endObject()
    }

    /// Writes a list.
    package mutating func list<Items: Sequence>(_ items: Items, _ each: (inout JSONWriter, Items.Element) -> Void) {
        beginArray()
        for item in items { each(&self, item) }
        endArray()
    }

    /// Writes an object of texts.
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
}
