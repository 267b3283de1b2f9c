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

/// Why a route does not give its result: by its own error, or by a refusal that any route may meet.
enum BoxFailure<Problem: Error & Sendable>: Error, Sendable {
    /// The route's own error, as the specs describe it; status 409.
    case route(Problem)
    case refused(BoxRefusal)
}

extension BoxFailure {
    /// The route's own error; a refusal is thrown on.
    func routeError() throws(BoxFailure<Never>) -> Problem {
        switch self {
        case .route(let problem): return problem
        case .refused(let refusal): throw .refused(refusal)
        }
    }

    /// The same failure, its own error wrapped into another one.
    func map<Other>(_ wrap: (Problem) -> Other) -> BoxFailure<Other> {
        switch self {
        case .route(let problem): .route(wrap(problem))
        case .refused(let refusal): .refused(refusal)
        }
    }
}

/// Runs the body; its error becomes a part of another one.
func wrapping<Result, Inner, Outer>(
    _ wrap: (Inner) -> Outer, _ body: () throws(BoxFailure<Inner>) -> Result
) throws(BoxFailure<Outer>) -> Result {
    do throws(BoxFailure<Inner>) {
        return try body()
    } catch {
        throw error.map(wrap)
    }
}

/// `{"error_summary", "error"}` around an error of the specs.
enum ErrorBody {
    static func bytes(of error: some StoneType) -> [UInt8] {
        guard let bytes = try? error.json(), let value = try? JSONValue(parsing: bytes) else { return Array("{}".utf8) }
        return Self.bytes(of: value)
    }

    static func bytes(of error: JSONValue) -> [UInt8] {
        let body: JSONValue = ["error_summary": JSONValue(summary(of: error)), "error": error]
        return body.bytes()
    }

    /// The tags from the outside in, and a mark that is not to be relied on, as in `path/not_found/..`.
    static func summary(of error: JSONValue) -> String {
        var tags: [String] = []
        var next: JSONValue? = error
        while let value = next, let tag = value[".tag"]?.string {
            tags.append(tag)
            // A struct around an error names it `reason`.
            next = value[tag] ?? value["reason"]
        }
        return tags.joined(separator: "/") + "/.."
    }
}
