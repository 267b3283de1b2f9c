// SPDX-License-Identifier: Apache-2.0

package import RestJSON

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

extension JSONWriter {
    /// Writes an object of texts.
    package mutating func object(_ pairs: [(String, String)]) {
        beginObject()
        for (name, value) in pairs { member(name, value) }
        endObject()
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
