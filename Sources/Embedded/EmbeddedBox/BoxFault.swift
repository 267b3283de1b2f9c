// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
public import LocalServer
import RestJSON
import StoneRuntime

extension Faults {
    /// Fails single entries of batches with `too_many_write_operations`: of `finish_batch`, of moves, copies and
    /// deletions.
    ///
    /// - Parameters:
    ///   - count: the number of entries that fail.
    ///   - path: a part of the path that an entry writes. An empty string matches every entry.
    ///   - skip: the number of matching entries that pass first.
    public func contendWrites(next count: Int = 1, matching path: String = "", skipping skip: Int = 0) {
        let part = path.lowercased()
        entries.add((), next: count, skipping: skip) { part.isEmpty || $0.contains(part) }
    }
}

extension Fault {
    /// Responds with 429 and `Retry-After`, as for too many requests.
    public static func rateLimited(retryAfter: Int = 1) -> Fault {
        rejection(.rateLimited(.tooManyRequests, retryAfter: UInt64(clamping: retryAfter)))
    }

    /// Responds with 429 and `Retry-After`, as for too many simultaneous writes.
    public static func tooManyWriteOperations(retryAfter: Int = 1) -> Fault {
        rejection(.rateLimited(.tooManyWriteOperations, retryAfter: UInt64(clamping: retryAfter)))
    }

    /// Responds with 401, as for an expired access token.
    public static let expiredAccessToken = rejection(.unauthorized(.expiredAccessToken))

    /// Responds with 403, as for a feature that the account does not have.
    public static let accessDenied = rejection(.error(403, Auth.AccessError.invalidAccountType(.feature)))

    /// Responds with 401, as for a user who is suspended by the team.
    public static let userSuspended = rejection(.unauthorized(.userSuspended))

    /// Responds with 409 and an error in JSON, such as `{".tag": "reset"}`, without handling the request.
    ///
    /// - Parameters:
    ///   - json: the route's error.
    ///   - summary: the tags of the error.
    ///   - userMessage: a text for the user, in English.
    /// - Returns: the fault.
    public static func routeError(
        _ json: String, summary: String = "fault/..", userMessage: String? = nil
    ) -> Fault {
        let error = (try? JSONValue(parsing: Array(json.utf8))) ?? .null
        var body: JSONObject = ["error_summary": JSONValue(summary), "error": error]
        if let userMessage { body["user_message"] = ["text": JSONValue(userMessage), "locale": "en"] }
        return .response(409, "application/json", JSONValue(body).bytes())
    }

    /// Responds with the error for a wrong offset in an upload session, and with this correct offset.
    public static func incorrectOffset(correct: Int) -> Fault {
        let offset = Files.UploadSessionOffsetError(correctOffset: UInt64(clamping: correct))
        return rejection(.error(409, Files.UploadSessionAppendError.incorrectOffset(offset)))
    }

    private static func rejection(_ rejection: BoxRejection) -> Fault {
        let wait = rejection.retryAfter.map { ["Retry-After": String($0)] } ?? [:]
        return .response(rejection.status, rejection.type, rejection.body, wait)
    }
}
