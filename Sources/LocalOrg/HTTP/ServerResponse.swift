// SPDX-License-Identifier: Apache-2.0

import RestJSON

/// An answer.
struct ServerResponse: Sendable {
    var status: Int
    var fields: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// What the application notes for itself; it is never sent.
    var note: (any Sendable)?

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

extension OrgFault {
    /// The refusal as an answer.
    var response: ServerResponse {
        var writer = JSONWriter()
        writer.beginArray()
        writer.beginObject()
        writer.key("message")
        writer.string(message)
        writer.key("errorCode")
        writer.string(code)
        if !fields.isEmpty {
            writer.key("fields")
            writer.beginArray()
            for field in fields { writer.string(field) }
            writer.endArray()
        }
        writer.endObject()
        writer.endArray()
        var response = ServerResponse.json(status, writer.bytes)
        if !allowed.isEmpty { response.fields.append(("Allow", allowed.joined(separator: ", "))) }
        return response
    }
}
