// SPDX-License-Identifier: Apache-2.0

/// What goes wrong with a request.
package enum FaultAction: Sendable, Hashable {
    case respond(status: Int, contentType: String, body: [UInt8], fields: [String: String])
    case close
    case reset
    case delay(Duration)
    case truncate(Int)
    case mislabel(String)
    case closeAfterHandling

    /// The answer to a request that has the fault; `handle` is what would be done without it.
    package func apply(_ handle: () -> ServerAnswer) -> ServerAnswer {
        switch self {
        case .respond(let status, let type, let body, let fields):
            var response = ServerResponse(status: status, body: body)
            if !body.isEmpty { response.fields.append(("Content-Type", type)) }
            response.fields += fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            return .ready(ServerReply(response))
        case .close, .reset:
            var reply = ServerReply(.empty(500))
            reply.delivery = self == .close ? .close : .reset
            return .ready(reply)
        default: return handle().map(spoiled)
        }
    }

    /// The reply with a fault that comes after the request was handled.
    private func spoiled(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        switch self {
        case .delay(let duration): reply.delay = duration
        case .truncate(let count): reply.delivery = .truncated(count)
        case .closeAfterHandling: reply.delivery = .close
        case .mislabel(let type):
            reply.response.fields.removeAll { $0.name == "Content-Type" }
            reply.response.fields.append(("Content-Type", type))
        case .respond, .close, .reset: break
        }
        return reply
    }
}
