// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
import StoneRuntime

/// The kind of a failed call, except for errors of the route itself.
///
/// Only the status decides the kind. The value is `nil` if the body is a web page, or has an error that this version
/// does not support. The `RestError` has the details: `requestID`, `errorSummary`, `userMessage`, `retryAfter`,
/// `status` and the raw `body`.
///
/// ```swift
/// } catch {
///     if case .auth(.missingScope(let scope))? = error.rest.dropbox { ask(for: scope.requiredScope) }
/// }
/// ```
public enum DropboxFault: Error, Sendable, Hashable {
    /// The request is invalid (400), with the server's message.
    case badInput(String)
    /// The token was rejected (401), or has expired and cannot be renewed.
    case auth(Auth.AuthError?)
    /// The user or the team is not allowed to call the route (403).
    case access(Auth.AccessError?)
    /// The path root was rejected (422).
    case pathRoot(Common.PathRootError?)
    /// There were too many calls (429). `RestError.retryAfter` is the time to wait.
    case rateLimit(Auth.RateLimitError?)
    /// The server failed (5xx).
    case server(status: Int)
    /// Any other error status. A 409 appears here only if the route's error could not be read.
    case http(status: Int)
    /// An error without an error status, such as a failed connection, a missing file or an invalid response.
    case client(RestError.Code)
}

extension DropboxFault {
    /// The scope that the token lacks, such as `files.content.write`, or `nil` for other errors.
    public var missingScope: String? {
        if case .auth(.missingScope(let error)) = self { error.requiredScope } else { nil }
    }

    /// The kind as a fixed label.
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
    /// The fault as text, for people and logs.
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
    /// The kind of the error at Dropbox.
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

    /// The value of the body's member `error`, or `nil` if it is missing or has another type.
    private func told<Value: StoneType>() -> Value? {
        bodyRoot?["error"].flatMap { try? Value(json: $0) }
    }
}

extension CallError {
    /// The underlying `RestError`, with status, request id and body.
    public var rest: RestError {
        switch self {
        case .route(_, let error), .rest(let error): error
        }
    }
}

extension RestError.Code {
    /// The content was damaged on its way, as its content hash shows, and must be transferred again.
    public static let contentHash = RestError.Code(rawValue: "contentHash")

    /// The journal of an upload cannot be used.
    ///
    /// Another process uses it, it belongs to another user, the file is not a journal, or the disk is full.
    public static let journal = RestError.Code(rawValue: "journal")

    /// A file exists at the destination of a download that must not overwrite it.
    ///
    /// The file is unchanged. Choose another destination, or let the download overwrite the file.
    public static let fileExists = RestError.Code(rawValue: "fileExists")
}
