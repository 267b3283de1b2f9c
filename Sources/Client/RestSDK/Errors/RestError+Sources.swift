// SPDX-License-Identifier: Apache-2.0

import RestAuth
public import RestTransport

extension RestError {
    /// An argument that cannot be sent.
    static func invalidRequest(_ argument: String, _ reason: String, isWrite: Bool = false) -> RestError {
        RestError(.invalidRequest, "\(argument): \(reason)", outcome: isWrite ? .notApplied : nil)
    }

    /// A transport's failure; for a write it says what is known of the outcome.
    init(_ error: TransportError, isWrite: Bool) {
        let outcome: RestError.WriteOutcome? = isWrite ? (error.mayHaveReachedServer ? .unknown : .notApplied) : nil
        self.init(Self.code(of: error), error.message, outcome: outcome, underlying: error.underlying ?? error)
    }

    /// A failure to get a token.
    ///
    /// No API request was sent with it, so no write was applied.
    ///
    /// - Parameters:
    ///   - error: why there is no token.
    ///   - isWrite: whether the call changes something.
    ///   - isFirstLogin: whether there never was a token, so that a refusal ends no session.
    init(_ error: OAuthError, isWrite: Bool, isFirstLogin: Bool) {
        let code: Code =
            switch error.code {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .unreachable: error.transport.map(Self.code(of:)) ?? .notConnected
            case .serverUnavailable: .server
            case .noAccount: .noAccount
            default: isFirstLogin ? .loginFailed : .refreshFailed
            }
        let what = code == .loginFailed ? "the login failed" : "no access token"
        self.init(code, "\(what): \(error)", outcome: isWrite ? .notApplied : nil, underlying: error)
    }

    /// The numbers that library and system gave the failure, outermost first: libcurl's or URLSession's, then `errno`.
    ///
    /// Empty when no transport failed. They are in ``message`` too, for people.
    public var systemErrors: [TransportError.SystemError] {
        switch underlying {
        case let error as TransportError: error.systemErrors
        case let error as OAuthError: error.transport?.systemErrors ?? []
        case let error as RestError: error.systemErrors
        default: []
        }
    }

    private static func code(of error: TransportError) -> Code {
        switch error.code {
        case .cancelled: .cancelled
        case .timedOut: .timedOut
        case .hostNotFound, .notConnected: error.mayHaveReachedServer ? .transport : .notConnected
        case .proxyUnauthorized: .proxyUnauthorized
        case .tls: .tls
        case .tooLarge: .tooLarge
        case .invalidRequest: .invalidRequest
        case .file: .file
        case .bodyChanged: .bodyChanged
        case .bodySource: .bodySource
        case .rangeNotSatisfiable: .rangeNotSatisfiable
        case .shutDown: .shutDown
        default: .transport
        }
    }
}
