// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The faults that coming requests will have.
package final class FaultRules: Sendable {
    private struct Rule {
        let path: String
        let method: String?
        let action: FaultAction
        var skip: Int
        var remaining: Int

        func matches(_ request: ServerRequest) -> Bool {
            guard method.map({ $0 == request.method }) ?? true else { return false }
            return path.isEmpty || request.target.contains(path)
                || request.path.map { "/" + $0.segments.joined(separator: "/") }?.contains(path) == true
        }
    }

    private let rules = Mutex<[Rule]>([])

    package init() {}

    /// Adds a fault for the next `count` requests whose target has the path, after `skip` of them.
    package func add(_ action: FaultAction, next count: Int, matching path: String, method: String?, skipping skip: Int)
    {
        rules.withLock {
            $0.append(Rule(path: path, method: method, action: action, skip: max(0, skip), remaining: max(0, count)))
        }
    }

    /// Removes every fault that has not happened yet.
    package func clear() { rules.withLock { $0.removeAll() } }

    /// Whether the request would have a fault now.
    package func isAwaited(by request: ServerRequest) -> Bool {
        rules.withLock { $0.contains { $0.skip == 0 && $0.remaining > 0 && $0.matches(request) } }
    }

    /// The fault of the request, which is used up for it.
    package func take(for request: ServerRequest) -> FaultAction? {
        rules.withLock { rules in
            for index in rules.indices where rules[index].matches(request) {
                if rules[index].skip > 0 {
                    rules[index].skip -= 1
                    continue
                }
                guard rules[index].remaining > 0 else { continue }
                rules[index].remaining -= 1
                let action = rules[index].action
                if rules[index].remaining == 0 { rules.remove(at: index) }
                return action
            }
            return nil
        }
    }
}

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
