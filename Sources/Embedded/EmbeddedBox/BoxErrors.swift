// SPDX-License-Identifier: Apache-2.0

import DropboxAPI
import LocalServer
import RestJSON
import StoneRuntime

/// An error that any route may throw: a status with a text or with a tagged error.
///
/// A route can also throw the error that the specs describe for it, which becomes a response with status 409.
struct BoxRejection: Error, Sendable {
    let status: Int
    let body: [UInt8]
    let type: String
    var retryAfter: UInt64?

    /// Returns an error with a sentence, as for requests that cannot be read.
    static func text(_ status: Int, _ text: String) -> BoxRejection {
        BoxRejection(status: status, body: Array(text.utf8), type: "text/plain; charset=utf-8")
    }

    static func error(_ status: Int, _ error: some StoneType) -> BoxRejection {
        BoxRejection(status: status, body: ErrorBody.bytes(of: error), type: "application/json")
    }

    static func badInput(_ route: String, _ reason: String) -> BoxRejection {
        .text(400, "Error in call to API function \"\(route)\": \(reason)")
    }

    static func unauthorized(_ error: Auth.AuthError) -> BoxRejection { .error(401, error) }

    static func rateLimited(_ reason: Auth.RateLimitReason, retryAfter: UInt64) -> BoxRejection {
        var rejection = BoxRejection.error(429, Auth.RateLimitError(reason: reason, retryAfter: retryAfter))
        rejection.retryAfter = retryAfter
        return rejection
    }

    /// The database or a file of the test server cannot be used.
    static let broken = BoxRejection.text(500, "The server cannot read or write its files.")

    var response: ServerResponse {
        var response = ServerResponse(status: status, fields: [("Content-Type", type)], body: body)
        if let retryAfter { response.fields.append(("Retry-After", String(retryAfter))) }
        return response
    }
}

/// Runs the body and converts its errors of one type into another error.
func wrapping<Result, Inner: Error, Outer: Error>(
    _ wrap: (Inner) -> Outer, _ body: () throws -> Result
) throws -> Result {
    do { return try body() } catch let error as Inner { throw wrap(error) }
}

/// `{"error_summary", "error"}` around an error of the specs.
enum ErrorBody {
    static func bytes(of error: some StoneType) -> [UInt8] {
        guard let json = try? error.json(), let error = try? JSONValue(parsing: json) else { return Array("{}".utf8) }
        let body: JSONValue = ["error_summary": JSONValue(summary(of: error)), "error": error]
        return body.bytes()
    }

    /// The tags from the outside in, and a suffix that clients must not rely on, as in `path/not_found/..`.
    static func summary(of error: JSONValue) -> String {
        var tags: [String] = []
        var next: JSONValue? = error
        while let value = next, let tag = value[".tag"]?.string {
            tags.append(tag)
            // A struct with an error names it `reason`.
            next = value[tag] ?? value["reason"]
        }
        return tags.joined(separator: "/") + "/.."
    }
}
