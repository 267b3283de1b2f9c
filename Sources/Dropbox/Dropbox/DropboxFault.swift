// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
import StoneRuntime

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

extension RestError {
    /// The failure in Dropbox's eight kinds.
    public var dropbox: DropboxFault {
        if code == .refreshFailed { return .auth(.expiredAccessToken) }
        guard let status, !(200..<300).contains(status) else { return .client(code) }
        switch status {
        case 400: return .badInput(String(decoding: body, as: UTF8.self))
        case 401: return .auth(told())
        case 403: return .access(told())
        case 422: return .pathRoot(told())
        case 429: return .rateLimit(told())
        case 500...: return .server(status: status)
        default: return .http(status: status)
        }
    }

    /// The value of the body's member `error`; `nil` when there is none of that type.
    private func told<Value: StoneType>() -> Value? {
        bodyRoot?["error"].flatMap { try? Value(json: $0) }
    }
}

extension CallError {
    /// The error that every failure of a call is or was read from: status, request id, body and all else.
    public var rest: RestError {
        switch self {
        case .route(_, let error), .rest(let error): error
        }
    }
}

extension RestError.Code {
    /// Other content arrived than was sent, by its content hash; transfer it again.
    public static let contentHash = RestError.Code(rawValue: "contentHash")

    /// The journal of an upload cannot be used: another process has it, it is of another user, it is no journal, or the
    /// disk is full.
    public static let journal = RestError.Code(rawValue: "journal")

    /// There is a file at the place of a download that may not overwrite it; it stays as it is.
    ///
    /// Choose another place, or let the download overwrite it.
    public static let fileExists = RestError.Code(rawValue: "fileExists")
}
