// SPDX-License-Identifier: Apache-2.0

public import DropboxAPI
public import RestSDK
import StoneRuntime

/// The reason for a failed call other than the route's own error, in Dropbox's eight kinds.
///
/// The HTTP status determines the kind. If the body is not JSON or has an unknown error, the associated value is `nil`.
/// The underlying error has all details: `requestID`, `errorSummary`, `userMessage`, `retryAfter`, `status` and the raw
/// `body`.
///
/// ```swift
/// } catch {
///     if case .auth(.missingScope(let scope))? = error.rest.dropbox { ask(for: scope.requiredScope) }
/// }
/// ```
public enum DropboxFault: Error, Sendable, Hashable {
    /// The request is invalid for the route (400), with the server's message.
    case badInput(String)
    /// The token was rejected (401), or has expired and cannot be renewed.
    case auth(Auth.AuthError?)
    /// The user or the team is not allowed to call the route (403).
    case access(Auth.AccessError?)
    /// The path root was rejected (422).
    case pathRoot(Common.PathRootError?)
    /// Too many calls (429). Wait for `RestError.retryAfter`.
    case rateLimit(Auth.RateLimitError?)
    /// A server error (5xx), with its status.
    case server(status: Int)
    /// Any other error response, with its status. 409 is usually the route's own error.
    case http(status: Int)
    /// No error response: for example, no connection, a file error or an unexpected response.
    case client(RestError.Code)
}

extension DropboxFault {
    /// The missing scope of the token, such as `files.content.write`, or `nil` for any other reason.
    public var missingScope: String? {
        if case .auth(.missingScope(let error)) = self { error.requiredScope } else { nil }
    }

    /// A fixed label for the kind.
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
    /// A short description for people and logs.
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
    /// The error as one of Dropbox's eight kinds.
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

    private func told<Value: StoneType>() -> Value? {
        bodyRoot?["error"].flatMap { try? Value(json: $0) }
    }
}

extension CallError {
    /// The underlying error, with status, request id, body and all other details.
    public var rest: RestError {
        switch self {
        case .route(_, let error), .rest(let error): error
        }
    }
}

extension RestError.Code {
    /// The transferred content differs from the source by its content hash, so transfer it again.
    public static let contentHash = RestError.Code(rawValue: "contentHash")

    /// The journal of an upload cannot be used.
    ///
    /// Another process uses it, it belongs to another user, it is not a journal, or the disk is full.
    public static let journal = RestError.Code(rawValue: "journal")

    /// The file at the destination of a download exists and must not be overwritten.
    ///
    /// Choose another path, or allow the download to overwrite the file.
    public static let fileExists = RestError.Code(rawValue: "fileExists")
}
