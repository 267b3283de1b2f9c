// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

/// Makes a box misbehave.
public final class BoxFaults: Sendable {
    let rules = FaultRules()
    private let tokens: TokenIssuer
    private let stores: BoxStores

    init(tokens: TokenIssuer, stores: BoxStores) {
        self.tokens = tokens
        self.stores = stores
    }

    /// Applies a fault to coming requests.
    ///
    /// Faults that match the same requests apply one after another, in the order they were added.
    ///
    /// - Parameters:
    ///   - fault: what goes wrong.
    ///   - count: how many requests it applies to.
    ///   - path: a part of the target, such as `/files/upload` or `/oauth2/token`; empty for every request.
    ///   - method: the method it applies to, or `nil` for all.
    ///   - skip: how many matching requests pass without the fault first.
    public func add(
        _ fault: BoxFault, next count: Int = 1, matching path: String = "", method: String? = nil,
        skipping skip: Int = 0
    ) {
        rules.add(fault.action, next: count, matching: path, method: method, skipping: skip)
    }

    /// Removes every fault that has not happened yet.
    public func clear() {
        rules.clear()
        stores.ground.contention.clear()
    }

    /// Fails single entries of batches by `too_many_write_operations`: of `finish_batch`, of moves, copies and
    /// deletions.
    ///
    /// - Parameters:
    ///   - count: how many entries fail.
    ///   - path: a part of the path that an entry writes; empty for every entry.
    ///   - skip: how many matching entries pass first.
    public func contendWrites(next count: Int = 1, matching path: String = "", skipping skip: Int = 0) {
        let part = path.lowercased()
        stores.ground.contention.add((), next: count, skipping: skip) { part.isEmpty || $0.contains(part) }
    }

    /// Expires every access token given out so far; requests with one get `expired_access_token`.
    public func expireAccessTokens() { tokens.expireAccessTokens() }

    /// Revokes every refresh token given out so far.
    public func revokeRefreshTokens() { tokens.revokeRefreshTokens() }

    /// Makes every cursor given out so far invalid; requests with one get `reset`.
    public func resetCursors() {
        for store in stores.all { _ = try? store.transaction { $0.facts.epoch += 1 } }
    }
}

/// One way for a box to misbehave, for tests of clients.
public struct BoxFault: Sendable, Hashable {
    let action: FaultAction

    /// Answers 429 with `Retry-After`, as for too many requests.
    public static func rateLimited(retryAfter: Int = 1) -> BoxFault {
        refusal(.rateLimited(.tooManyRequests, retryAfter: UInt64(clamping: retryAfter)))
    }

    /// Answers 429 with `Retry-After`, as for too many writes at once.
    public static func tooManyWriteOperations(retryAfter: Int = 1) -> BoxFault {
        refusal(.rateLimited(.tooManyWriteOperations, retryAfter: UInt64(clamping: retryAfter)))
    }

    /// Answers 401, as for an access token whose time is over.
    public static let expiredAccessToken = refusal(.unauthorized(.expiredAccessToken))

    /// Answers 403, as for a feature that the account does not have.
    public static let accessDenied = refusal(.error(403, Auth.AccessError.invalidAccountType(.feature)))

    /// Answers 401, as for a user whom the team has suspended.
    public static let userSuspended = refusal(.unauthorized(.userSuspended))

    /// Answers 409 with an error in JSON, such as `{".tag": "reset"}`; the request is not handled.
    ///
    /// - Parameters:
    ///   - json: the route's error.
    ///   - summary: its tags.
    ///   - userMessage: a text for the user, in English.
    /// - Returns: the fault.
    public static func routeError(
        _ json: String, summary: String = "fault/..", userMessage: String? = nil
    ) -> BoxFault {
        let error = (try? JSONValue(parsing: Array(json.utf8))) ?? .null
        let message: JSONValue? = userMessage.map { ["text": JSONValue($0), "locale": "en"] }
        let body: JSONValue =
            message.map { ["error_summary": JSONValue(summary), "error": error, "user_message": $0] }
            ?? ["error_summary": JSONValue(summary), "error": error]
        return .body(
            String(decoding: body.bytes(), as: UTF8.self), status: 409, contentType: "application/json")
    }

    /// Tells a client of an upload session that its offset is wrong and that this is the right one.
    public static func incorrectOffset(correct: Int) -> BoxFault {
        let offset = Files.UploadSessionOffsetError(correctOffset: UInt64(clamping: correct))
        return refusal(.error(409, Files.UploadSessionAppendError.incorrectOffset(offset)))
    }

    /// Answers with this status and a text instead of handling the request.
    public static func status(_ status: Int, _ text: String = "", fields: [String: String] = [:]) -> BoxFault {
        .body(text, status: status, contentType: "text/plain; charset=utf-8", fields: fields)
    }

    /// Answers with any body.
    public static func body(
        _ body: String, status: Int, contentType: String = "text/html; charset=utf-8", fields: [String: String] = [:]
    ) -> BoxFault {
        BoxFault(action: .respond(status: status, contentType: contentType, body: Array(body.utf8), fields: fields))
    }

    /// Closes the connection without an answer; the request is not handled.
    public static let close = BoxFault(action: .close)
    /// Handles the request, a write included, and closes the connection without an answer.
    public static let closeAfterHandling = BoxFault(action: .closeAfterHandling)
    /// Resets the connection (RST); the request is not handled.
    public static let reset = BoxFault(action: .reset)
    /// Handles the request at once and delays the answer.
    public static func delay(_ duration: Duration) -> BoxFault { BoxFault(action: .delay(duration)) }
    /// Handles the request and sends only so many bytes of the body.
    public static func truncate(after bytes: Int) -> BoxFault { BoxFault(action: .truncate(bytes)) }

    private static func refusal(_ refusal: BoxRefusal) -> BoxFault {
        let wait = refusal.retryAfter.map { ["Retry-After": String($0)] } ?? [:]
        return BoxFault(
            action: .respond(
                status: refusal.status, contentType: refusal.type, body: refusal.body, fields: wait))
    }
}
