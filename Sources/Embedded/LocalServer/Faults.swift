// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Makes an embedded server misbehave.
public final class Faults: Sendable {
    /// The state of a server that a test can reset.
    package struct Memory: Sendable {
        let tokens: TokenIssuer
        let forgetCodes: @Sendable () -> Void
        let forgetCursors: @Sendable () -> Void
        package var expireNonces: @Sendable () -> Void = {}

        /// Collects the state, by default only with the codes of the tokens.
        package init(
            _ tokens: TokenIssuer, forgetCodes: (@Sendable () -> Void)? = nil,
            forgetCursors: @escaping @Sendable () -> Void
        ) {
            self.tokens = tokens
            self.forgetCodes = forgetCodes ?? { tokens.forgetCodes() }
            self.forgetCursors = forgetCursors
        }
    }

    let requests = Countdown<ServerRequest, Fault>()
    /// The failing entries of coming batches, by the paths that they write.
    package let entries: Countdown<String, Void>
    private let memory: Memory

    package init(_ memory: Memory, entries: Countdown<String, Void> = Countdown()) {
        (self.memory, self.entries) = (memory, entries)
    }

    /// Applies a fault to coming requests.
    ///
    /// Faults for the same requests apply one after another, in the order they were added.
    ///
    /// - Parameters:
    ///   - fault: the fault.
    ///   - count: the number of requests with the fault.
    ///   - path: a part of the raw target or of its decoded path (`/query`, `/files/upload`). An empty string matches
    ///     every request.
    ///   - method: the method of the requests, or `nil` for all methods.
    ///   - skip: the number of matching requests that pass first.
    public func add(
        _ fault: Fault, next count: Int = 1, matching path: String = "", method: String? = nil, skipping skip: Int = 0
    ) {
        requests.add(fault, next: count, skipping: skip, Self.matching(path, method: method))
    }

    private static func matching(_ path: String, method: String?) -> @Sendable (ServerRequest) -> Bool {
        { request in
            guard method.map({ $0 == request.method }) ?? true else { return false }
            return path.isEmpty || request.target.contains(path)
                || request.path.map { "/" + $0.segments.joined(separator: "/") }?.contains(path) == true
        }
    }

    /// Applies a fault to all matching requests, instead of the one that was switched on before, or no fault if `nil`.
    package func turn(on fault: Fault?, matching path: String) {
        requests.removeSwitch()
        if let fault { requests.add(fault, next: .max, isSwitch: true, Self.matching(path, method: nil)) }
    }

    /// Whether a fault is switched on.
    package var hasSwitch: Bool { requests.hasSwitch }

    /// Removes all faults that have not happened yet.
    public func clear() {
        requests.clear()
        entries.clear()
    }

    /// Expires all access tokens, as at the end of a session.
    public func expireAccessTokens() { memory.tokens.expireAccessTokens() }

    /// Revokes all refresh tokens.
    public func revokeRefreshTokens() { memory.tokens.revokeRefreshTokens() }

    /// Invalidates all authorization codes and device codes that have not been exchanged.
    public func forgetCodes() { memory.forgetCodes() }

    /// Expires all nonces for the proofs of bound tokens, so that the next proof is rejected with a new nonce.
    public func expireNonces() { memory.expireNonces() }

    /// Invalidates all cursors.
    ///
    /// An org responds to requests for next pages with `INVALID_QUERY_LOCATOR`, a Dropbox server with `reset`.
    public func forgetCursors() { memory.forgetCursors() }
}

/// One way for an embedded server to misbehave.
public struct Fault: Sendable, Hashable {
    private enum Action: Sendable, Hashable {
        case respond(status: Int, contentType: String, body: [UInt8], fields: [String: String])
        case close
        case reset
        case delay(Duration)
        case truncate(Int)
        case mislabel(String)
        case closeAfterHandling
        case hold
    }

    private let action: Action

    /// Responds with any body, for example an HTML page instead of JSON.
    public static func body(
        _ body: String, status: Int = 200, contentType: String = "text/html;charset=utf-8",
        fields: [String: String] = [:]
    ) -> Fault {
        response(status, contentType, Array(body.utf8), fields)
    }

    /// Responds to a request of an OAuth endpoint with an OAuth error (RFC 6749 §5.2) instead of handling it.
    public static func oauth(
        _ error: String, description: String = "", status: Int = 400, fields: [String: String] = [:]
    ) -> Fault {
        response(status, "application/json;charset=UTF-8", OAuthRejection(error, description).response.body, fields)
    }

    /// Responds with these bytes instead of handling the request.
    package static func response(
        _ status: Int, _ contentType: String, _ body: [UInt8], _ fields: [String: String] = [:]
    ) -> Fault {
        Fault(action: .respond(status: status, contentType: contentType, body: body, fields: fields))
    }

    /// Closes the connection without handling the request.
    public static let close = Fault(action: .close)
    /// Handles the request, including a write, and closes the connection without a response.
    public static let closeAfterHandling = Fault(action: .closeAfterHandling)
    /// Never responds, and leaves the connection open until the server stops.
    public static let hold = Fault(action: .hold)
    /// Resets the connection (RST) without handling the request.
    public static let reset = Fault(action: .reset)
    /// Handles the request immediately and delays the response.
    public static func delay(_ duration: Duration) -> Fault { Fault(action: .delay(duration)) }
    /// Handles the request and sends only the first `bytes` bytes of the body.
    public static func truncate(after bytes: Int) -> Fault { Fault(action: .truncate(bytes)) }
    /// Handles the request and changes the content type of the response.
    public static func mislabel(_ contentType: String) -> Fault { Fault(action: .mislabel(contentType)) }

    /// Returns the response to a request with the fault instead of the result of `handle`.
    func apply(_ handle: () -> ServerAction) -> ServerAction {
        switch action {
        case .respond(let status, let type, let body, let fields):
            var response = ServerResponse(status: status, body: body)
            if !body.isEmpty { response.fields.append(("Content-Type", type)) }
            response.fields += fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
            return .ready(ServerReply(response))
        case .close, .reset:
            var reply = ServerReply(.empty(500))
            reply.delivery = action == .close ? .close : .reset
            return .ready(reply)
        case .hold: return .promised { _ in }
        default: return handle().map(spoiled)
        }
    }

    /// Applies a fault that follows the handling of the request.
    private func spoiled(_ reply: ServerReply) -> ServerReply {
        var reply = reply
        switch action {
        case .delay(let duration): reply.delay = duration
        case .truncate(let count): reply.delivery = .truncated(count)
        case .closeAfterHandling: reply.delivery = .close
        case .mislabel(let type):
            reply.response.fields.removeAll { $0.name == "Content-Type" }
            reply.response.fields.append(("Content-Type", type))
        case .respond, .close, .reset, .hold: break
        }
        return reply
    }
}

/// Actions for the next matching subjects, after some of them have passed.
package final class Countdown<Subject, Action: Sendable>: Sendable {
    private struct Rule {
        let action: Action
        let matches: @Sendable (Subject) -> Bool
        var skip: Int
        var remaining: Int
        /// Whether the action applies until it is removed.
        let isSwitch: Bool
    }

    private let rules = Mutex<[Rule]>([])

    package init() {}

    /// Adds an action for the next `count` matching subjects after `skip` others.
    package func add(
        _ action: Action, next count: Int, skipping skip: Int = 0, isSwitch: Bool = false,
        _ matches: @escaping @Sendable (Subject) -> Bool
    ) {
        let rule = Rule(
            action: action, matches: matches, skip: max(0, skip), remaining: max(0, count), isSwitch: isSwitch)
        rules.withLock { $0.append(rule) }
    }

    func removeSwitch() { rules.withLock { $0.removeAll(where: \.isSwitch) } }

    var hasSwitch: Bool { rules.withLock { $0.contains(where: \.isSwitch) } }

    package func clear() { rules.withLock { $0.removeAll() } }

    /// Whether an action applies to the subject now.
    func isAwaited(by subject: Subject) -> Bool {
        rules.withLock { $0.contains { $0.skip == 0 && $0.remaining > 0 && $0.matches(subject) } }
    }

    /// Removes and returns the action that applies to the subject now.
    package func take(for subject: Subject) -> Action? {
        rules.withLock { rules in
            for index in rules.indices where rules[index].matches(subject) {
                if rules[index].skip > 0 {
                    rules[index].skip -= 1
                    continue
                }
                guard rules[index].remaining > 0 else { continue }
                if !rules[index].isSwitch { rules[index].remaining -= 1 }
                let action = rules[index].action
                if rules[index].remaining == 0 { rules.remove(at: index) }
                return action
            }
            return nil
        }
    }
}
