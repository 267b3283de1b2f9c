// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK

/// What Dropbox says of a failed call beside the route's own failure, in its eight kinds.
///
/// The status decides the kind, whatever the body is: a refusal whose body is a page, or says something that this
/// version does not know, has no value. The error that it was read from has the rest: `requestID`, `errorSummary`,
/// `userMessage`, `retryAfter`, `status` and the raw `body`.
///
/// ```swift
/// } catch {
///     if case .auth(.missingScope(let scope))? = error.rest.dropbox { ask(for: scope.requiredScope) }
/// }
/// ```
public enum DropboxFault: Error, Sendable, Hashable {
    /// The request is not one that the route takes (400); the server's own words.
    case badInput(String)
    /// The token was refused (401), or has ended and cannot be renewed.
    case auth(Auth.AuthError?)
    /// The user or the team may not call the route (403).
    case access(Auth.AccessError?)
    /// The path root was refused (422).
    case pathRoot(Common.PathRootError?)
    /// Too many calls (429); `RestError.retryAfter` says how long to wait.
    case rateLimit(Auth.RateLimitError?)
    /// The server failed (5xx); its status.
    case server(status: Int)
    /// Any other refusal; its status. One of 409 is the route's own failure, where that could be read.
    case http(status: Int)
    /// There was no refusal: no connection, no file, an answer of another shape.
    case client(RestError.Code)
}

extension DropboxFault {
    /// The scope that the token lacks, such as `files.content.write`; `nil` when it lacks none.
    public var missingScope: String? {
        if case .auth(.missingScope(let error)) = self { error.requiredScope } else { nil }
    }

    /// The kind of fault, a fixed label.
    public var kind: String {
        switch self {
        case .badInput: "badInput"
        case .auth: "auth"
        case .access: "access"
        case .pathRoot: "pathRoot"
        case .rateLimit: "rateLimit"
        case .server: "server"
        case .http: "http"
        case .client: "client"
        }
    }
}

extension DropboxFault: CustomStringConvertible {
    /// The fault in a few words, for people and logs.
    public var description: String {
        switch self {
        case .badInput(let text): "\(kind): \(text)"
        case .auth(let error): Self.text(kind, error)
        case .access(let error): Self.text(kind, error)
        case .pathRoot(let error): Self.text(kind, error)
        case .rateLimit(let error): Self.text(kind, error)
        case .server(let status), .http(let status): "\(kind): status \(status)"
        case .client(let code): "\(kind): \(code)"
        }
    }

    private static func text(_ kind: String, _ error: (some CustomStringConvertible)?) -> String {
        error.map { "\(kind): \($0)" } ?? kind
    }
}
