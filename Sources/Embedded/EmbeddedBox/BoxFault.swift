// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import LocalServer
import RestJSON
import StoneRuntime

extension Faults {
    /// Fails single entries of batches by `too_many_write_operations`: of `finish_batch`, of moves, copies and
    /// deletions.
    ///
    /// - Parameters:
    ///   - count: how many entries fail.
    ///   - path: a part of the path that an entry writes; empty for every entry.
    ///   - skip: how many matching entries pass first.
    public func contendWrites(next count: Int = 1, matching path: String = "", skipping skip: Int = 0) {
        let part = path.lowercased()
        entries.add((), next: count, skipping: skip) { part.isEmpty || $0.contains(part) }
    }
}

extension Fault {
    /// Answers 429 with `Retry-After`, as for too many requests.
    public static func rateLimited(retryAfter: Int = 1) -> Fault {
        refusal(.rateLimited(.tooManyRequests, retryAfter: UInt64(clamping: retryAfter)))
    }

    /// Answers 429 with `Retry-After`, as for too many writes at once.
    public static func tooManyWriteOperations(retryAfter: Int = 1) -> Fault {
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
    ) -> Fault {
        let error = (try? JSONValue(parsing: Array(json.utf8))) ?? .null
        let message: JSONValue? = userMessage.map { ["text": JSONValue($0), "locale": "en"] }
        let body: JSONValue =
            message.map { ["error_summary": JSONValue(summary), "error": error, "user_message": $0] }
            ?? ["error_summary": JSONValue(summary), "error": error]
        return .response(409, "application/json", body.bytes())
    }

    /// Tells a client of an upload session that its offset is wrong and that this is the right one.
    public static func incorrectOffset(correct: Int) -> Fault {
        let offset = Files.UploadSessionOffsetError(correctOffset: UInt64(clamping: correct))
        return refusal(.error(409, Files.UploadSessionAppendError.incorrectOffset(offset)))
    }

    private static func refusal(_ refusal: BoxRefusal) -> Fault {
        let wait = refusal.retryAfter.map { ["Retry-After": String($0)] } ?? [:]
        return .response(refusal.status, refusal.type, refusal.body, wait)
    }
}
