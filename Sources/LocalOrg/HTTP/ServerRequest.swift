// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// A request as it arrived.
struct ServerRequest: Sendable {
    /// The method's token as sent.
    let method: String
    /// The raw request target: path and query, percent-encoded.
    let target: String
    /// The protocol version, `HTTP/1.1`.
    let version: String
    var fields: HTTPFields
    var body: [UInt8] = []
    /// The target taken apart and decoded; `nil` for one that is not well-formed.
    ///
    /// What a target is, is asked here: the raw text has many spellings.
    let path: RequestPath?

    init(method: String, target: String, version: String = "HTTP/1.1", fields: HTTPFields, body: [UInt8] = []) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.body = body
        path = RequestPath(target)
    }

    /// Whether a body is announced.
    var hasBody: Bool { fields["Transfer-Encoding"] != nil || (fields["Content-Length"] ?? "0") != "0" }

    /// The announced length of the body in bytes, `nil` for none; what is no number of ours is the greatest.
    var announcedLength: Int? {
        fields["Content-Length"].map { Int(outside: $0, in: .bytes) ?? NumberRange.bytes.bounds.upperBound }
    }

    /// The media type of the body without parameters, in lower case.
    var mediaType: String? {
        fields["Content-Type"].map { value in
            let type = value.prefix { $0 != ";" }
            return type.split(separator: " ").joined().lowercased()
        }
    }
}

/// An answer.
struct ServerResponse: Sendable {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// What the journal keeps of a login beside the status.
    var oauth: JournalEntry.OAuth?

    /// An answer with a body in JSON.
    static func json(_ status: Int = 200, _ body: [UInt8]) -> ServerResponse {
        ServerResponse(status: status, fields: [("Content-Type", "application/json;charset=UTF-8")], body: body)
    }

    /// An answer without a body.
    static func empty(_ status: Int) -> ServerResponse { ServerResponse(status: status) }

    /// A page as the platform's edge servers answer, outside of the API.
    static func html(_ status: Int, _ text: String) -> ServerResponse {
        ServerResponse(
            status: status, fields: [("Content-Type", "text/html;charset=iso-8859-1")], body: Array(text.utf8))
    }
}

/// What the server does with a request.
struct ServerReply: Sendable {
    /// How the answer leaves.
    enum Delivery: Sendable, Hashable {
        /// In full.
        case whole
        /// Only so many bytes of the body, then the connection is closed.
        case truncated(Int)
        /// Not at all: the connection is closed.
        case close
        /// Not at all: the connection is reset.
        case reset
    }

    var response: ServerResponse
    var delivery = Delivery.whole
    var delay = Duration.zero

    init(_ response: ServerResponse) {
        self.response = response
    }
}

/// The answer to a request, or where it is made.
enum ServerAnswer: Sendable {
    case ready(ServerReply)
    /// At the side, so that the server's thread goes on with other connections.
    case later(WorkLane, @Sendable () -> ServerAnswer)

    /// The same answer with its reply changed, now or later.
    func map(_ change: @escaping @Sendable (ServerReply) -> ServerReply) -> ServerAnswer {
        switch self {
        case .ready(let reply): .ready(change(reply))
        case .later(let lane, let work): .later(lane) { work().map(change) }
        }
    }

    /// The reply, all of it made on this thread.
    func finished() -> ServerReply {
        var answer = self
        while true {
            switch answer {
            case .ready(let reply): return reply
            case .later(_, let work): answer = work()
            }
        }
    }
}

/// What becomes of a request whose header has arrived.
enum Admission: Sendable {
    /// It is answered without its body, and the connection ends if there is one.
    case refused(ServerResponse)
    /// Its body is read, up to so many bytes.
    case accepted(mostBody: Int)
}

/// The application behind the server.
///
/// Its methods are called on the server's threads, several at a time.
protocol ServerApplication: AnyObject, Sendable {
    /// Looks at a request before its body is read.
    func admit(_ request: ServerRequest) -> Admission
    /// Answers a request whose body was read.
    func answer(_ request: ServerRequest) -> ServerAnswer
    /// Ends what goes on at the side as soon as can be; the server stops.
    func interrupt()
    /// Hears of a request that the server gave up while its body came.
    func note(_ request: ServerRequest, status: Int)
}
