// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What happens to the next few of those that come, after some of them have passed.
package final class Countdown<Subject, Action: Sendable>: Sendable {
    private struct Rule {
        let action: Action
        let matches: @Sendable (Subject) -> Bool
        var skip: Int
        var remaining: Int
    }

    private let rules = Mutex<[Rule]>([])

    package init() {}

    /// Adds what happens to the next `count` that match, after `skip` of them.
    package func add(
        _ action: Action, next count: Int, skipping skip: Int, _ matches: @escaping @Sendable (Subject) -> Bool
    ) {
        rules.withLock {
            $0.append(Rule(action: action, matches: matches, skip: max(0, skip), remaining: max(0, count)))
        }
    }

    /// Removes everything that has not happened yet.
    package func clear() { rules.withLock { $0.removeAll() } }

    /// Whether something would happen now.
    package func isAwaited(by subject: Subject) -> Bool {
        rules.withLock { $0.contains { $0.skip == 0 && $0.remaining > 0 && $0.matches(subject) } }
    }

    /// What happens now, which is used up.
    package func take(for subject: Subject) -> Action? {
        rules.withLock { rules in
            for index in rules.indices where rules[index].matches(subject) {
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

/// The faults that coming requests will have.
package typealias FaultRules = Countdown<ServerRequest, FaultAction>

extension FaultRules {
    /// Adds a fault for the next `count` requests whose target has the path, after `skip` of them.
    package func add(_ action: FaultAction, next count: Int, matching path: String, method: String?, skipping skip: Int)
    {
        add(action, next: count, skipping: skip) { request in
            guard method.map({ $0 == request.method }) ?? true else { return false }
            return path.isEmpty || request.target.contains(path)
                || request.path.map { "/" + $0.segments.joined(separator: "/") }?.contains(path) == true
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
