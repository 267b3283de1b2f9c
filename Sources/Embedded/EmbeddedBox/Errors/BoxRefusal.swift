// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

/// A refusal that any route may give: a status, and either a text or an error with a tag.
struct BoxRefusal: Error, Sendable {
    let status: Int
    /// The body, and its type.
    let body: [UInt8]
    let type: String
    var retryAfter: UInt64?

    /// A sentence, as for requests that cannot be understood.
    static func text(_ status: Int, _ text: String) -> BoxRefusal {
        BoxRefusal(status: status, body: Array(text.utf8), type: "text/plain; charset=utf-8")
    }

    /// An error of the specs.
    static func error(_ status: Int, _ error: some StoneType) -> BoxRefusal {
        BoxRefusal(status: status, body: ErrorBody.bytes(of: error), type: "application/json")
    }

    /// An error that the generated types do not have.
    static func tagged(_ status: Int, _ error: JSONValue) -> BoxRefusal {
        BoxRefusal(status: status, body: ErrorBody.bytes(of: error), type: "application/json")
    }

    /// A request that is not understood.
    static func badInput(_ route: String, _ reason: String) -> BoxRefusal {
        .text(400, "Error in call to API function \"\(route)\": \(reason)")
    }

    static func unauthorized(_ error: Auth.AuthError) -> BoxRefusal { .error(401, error) }

    static func rateLimited(_ reason: Auth.RateLimitReason, retryAfter: UInt64) -> BoxRefusal {
        var refusal = BoxRefusal.error(429, Auth.RateLimitError(reason: reason, retryAfter: retryAfter))
        refusal.retryAfter = retryAfter
        return refusal
    }

    /// The database or a file of the box cannot be used.
    static let broken = BoxRefusal.text(500, "The box cannot read or write its files.")

    var response: ServerResponse {
        var response = ServerResponse(status: status, fields: [("Content-Type", type)], body: body)
        if let retryAfter { response.fields.append(("Retry-After", String(retryAfter))) }
        return response
    }
}
