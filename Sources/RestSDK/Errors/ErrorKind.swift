// SPDX-License-Identifier: Apache-2.0

/// The kinds of failure by the names that the Dropbox SDKs give them, for apps that are written around those.
///
/// Each failure has exactly one kind:
///
/// | kind | what it stands for |
/// |---|---|
/// | ``routeError`` | ``CallError/route(_:requestID:)`` |
/// | ``internalServerError`` | ``RestError/Code/server`` |
/// | ``badInputError`` | ``RestError/Code/api`` with status 400, or with a status of success |
/// | ``authError`` | ``RestError/Code/unauthorized``, ``RestError/Code/refreshFailed``, ``RestError/Code/noAccount`` |
/// | ``accessError`` | ``RestError/Code/forbidden`` |
/// | ``rateLimitError`` | ``RestError/Code/rateLimited`` |
/// | ``httpError`` | ``RestError/Code/notFound``, ``RestError/Code/redirected``, 416, and every other status |
/// | ``clientError`` | what happened on this side: no answer, no sending, or an answer that could not be read |
public enum ErrorKind: String, Sendable, Hashable, CaseIterable {
    /// A failure of the call's own, typed.
    case routeError
    /// The server failed.
    case internalServerError
    /// The server refused the request for its content.
    case badInputError
    /// There is no valid session.
    case authError
    /// The user may not do this.
    case accessError
    /// Too many requests.
    case rateLimitError
    /// Any other status that is no success.
    case httpError
    /// No answer came, none was asked for, or it could not be read.
    case clientError
}

extension RestError {
    /// The failure's kind by the names of the Dropbox SDKs; never ``ErrorKind/routeError``.
    public var kind: ErrorKind {
        switch code {
        case .server: .internalServerError
        case .api where status.map { $0 == 400 || (200..<300).contains($0) } ?? true: .badInputError
        case .unauthorized, .refreshFailed, .noAccount: .authError
        case .forbidden: .accessError
        case .rateLimited: .rateLimitError
        case .notFound, .redirected, .rangeNotSatisfiable, .api: .httpError
        case .tooLarge where status.map { $0 >= 300 } ?? false: .httpError
        default: .clientError
        }
    }
}

extension CallError {
    /// The failure's kind by the names of the Dropbox SDKs.
    public var kind: ErrorKind {
        switch self {
        case .route: .routeError
        case .rest(let error): error.kind
        }
    }
}
