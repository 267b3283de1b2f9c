// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestBase
import RestJSON
import RestTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RestError {
    /// The recommended action for the error, in one or two sentences for people.
    ///
    /// If a write was applied or may have been applied, the advice never says to send it again unchecked.
    public var advice: String {
        let remedy = faults.lazy.compactMap(\.advice).first ?? remedy
        return switch outcome {
        case .unknown: "Check whether the write was applied before you send it again." + afterWriting(remedy)
        case .applied: "Do not send it again. The write was applied." + afterWriting(remedy)
        case .notApplied, nil: remedy
        }
    }

    /// The remedy after a sentence about the write, or nothing if the remedy is to send the call again.
    private func afterWriting(_ remedy: String) -> String {
        let sendsAgain = remedy.hasBytes("ry again") || remedy.hasBytes(prefix: "Wait")
        return sendsAgain || code == .cancelled ? "" : " \(remedy)"
    }

    /// The scope that the access token lacks, as reported by a Stone API.
    private var missingScope: String? {
        guard let error = bodyRoot?["error"], error[".tag"]?.string == "missing_scope" else { return nil }
        return error["required_scope"]?.string.map { $0.bounded }
    }

    private var remedy: String {
        switch code {
        case .cancelled: "Nothing is wrong. The call was cancelled."
        case .timedOut: "Try again, or give the call more time with RestRequest.timeout(_:)."
        case .notConnected: "Check the instance URL and the network, then try again."
        case .proxyUnauthorized: "Check the user name and password of the proxy."
        case .transport: "Try again. If it keeps happening, check the proxies between this machine and the server."
        case .tls where message.hasBytes("pinned"):
            "Compare the pins with the server's public key. If the server has a new key, pin its digest."
        case .tls: "Check the server's certificate, and the clock and the trusted CAs of this machine."
        case .unauthorized where missingScope != nil: "Log in again, and ask for the scope \(missingScope ?? "")."
        case .unauthorized where response?.requiresDPoPNonce == true:
            "Send it again. The server requires a newer nonce in the proof."
        case .unauthorized: "Log in again with a session that may use the REST API."
        case .loginFailed:
            (underlying as? OAuthError)?.loginRemedy ?? "Check the login URL, the client id, the secret and the grant."
        case .refreshFailed: (underlying as? OAuthError)?.renewalRemedy ?? "The session is over. Log in again."
        case .noAccount, .loggedOut: "Log in, or choose a linked account."
        case .forbidden: "Ask an administrator for the permission, or log in as another user."
        case .notFound: "Check the id, the object's name and the API version."
        case .rateLimited: retryAfter.map { "Wait \($0), then try again." } ?? "Wait, then try again."
        case .api: "Fix the request as the server says."
        case .server: "Try again later."
        case .changesForgotten: "Read all records again, then follow the changes from RestError.changesPosition."
        case .circuitOpen: "Try again later. The client checks automatically whether the server is available."
        case .redirected where (underlying as? RedirectPolicy.Rejection) == .otherOriginData:
            "Check the instance URL. The server points to another one, whose data is not the org's. If the call reads the "
                + "content of a file, set RestRequest.expectation to .anything."
        case .redirected: "Check the instance URL. The server points to another URL."
        case .decoding: "Compare your type with the body of the response in RestError.body."
        case .invalidRequest: "Fix the argument named above. Nothing was sent."
        case .rangeNotSatisfiable: "Request a range within the resource. Content-Range contains its length."
        case .bodyChanged: "Send the call again, and do not change the file while it is sent."
        case .bodySource: "Fix the source of the request body. RestError.underlying is the error that it threw."
        case .file: "Check the file, its permissions and the free space on its disk."
        case .tooLarge: "Make the request or the response smaller, or raise the limit."
        case .shutDown: "Create a new client. This one was shut down."
        default: "Look at RestError.underlying."
        }
    }
}

extension OAuthError {
    /// The advice for an error that does not concern the login itself, or `nil` if the server rejected the login.
    fileprivate var passingRemedy: String? {
        switch code {
        case .secretUnavailable: "Unlock the store of the client secret, then try again."
        case .storeUnavailable: "Check the directory or Keychain of the logins, then try again."
        case .unexpectedContentType, .invalidResponse:
            "Check the login URL and the proxies between this machine and the login server, then try again."
        default: nil
        }
    }

    /// The advice for a renewal that failed, or `nil` if the session is over for another reason.
    fileprivate var renewalRemedy: String? {
        switch code {
        case .invalidGrant:
            "Log in again. The refresh token has expired without use, was revoked, or was replaced by a newer one."
        case .invalidDPoPProof: "Check the clock of this machine, then try again."
        case .dpopNonceRequired: "Try again. The server requires a newer nonce in the proof."
        default: passingRemedy
        }
    }

    fileprivate var loginRemedy: String {
        if let passingRemedy { return passingRemedy }
        return switch code {
        case .invalidClient, .invalidClientID: "Check that client id and secret belong to this login server."
        case .unauthorizedClient, .unsupportedGrantType:
            "Allow this kind of login for the client at the server, or use another grant."
        case .invalidGrant: "Check the user and password, key or refresh token of the grant."
        case .dpopUnsupported: "Let the server bind the client's tokens with DPoP, or log in without DPoP."
        case .invalidDPoPProof: "Check the clock of this machine, then log in again."
        case .invalidTarget: "Check the audience and resource of the token exchange."
        case .invalidScope: "Request only scopes that the client is allowed."
        default: "Check the login URL, client id, secret and grant."
        }
    }
}

extension APIFault {
    /// The advice for codes that are more specific than the error's ``RestError/code``.
    var advice: String? {
        switch errorCode {
        case .malformedQuery:
            position.map { "Fix the query at row \($0.row), column \($0.column)." } ?? "Fix the query."
        case .invalidField: "Check the name of the field and whether the user may see it."
        case .invalidType: "Check the name of the object and whether the user may see it."
        case .invalidQueryLocator: "Run the query again. The server no longer keeps its pages."
        case .queryTimeout: "Make the query more selective, or ask for fewer records."
        case .unableToLockRow: "Try again. Another transaction held the record."
        case .requestLimitExceeded where message.hasBytes("Concurrent"): "Wait until long calls to this org finish."
        case .requestLimitExceeded: "Wait. The org has used up its calls for 24 hours."
        case .apiDisabledForOrg, .apiCurrentlyDisabled: "Ask an administrator to enable the API for this user."
        case .duplicateValue, .duplicatesDetected: "Update the record that already exists."
        case .requiredFieldMissing:
            "Set " + (fields.isEmpty ? "the required fields" : fields.joined(separator: ", ")) + "."
        case .entityIsDeleted: "The record is in the recycle bin. Restore it, or use another one."
        default: nil
        }
    }
}

extension RestError: LocalizedError {
    /// The error and its request, used by `localizedDescription`.
    public var errorDescription: String? { description }

    /// The same text as ``advice``.
    public var recoverySuggestion: String? { advice }
}

extension RestError {
    /// The kind of an error: an open set whose labels are fixed and safe as metric names.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The label.
        public var description: String { rawValue }

        /// The call was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The call did not finish before its deadline.
        public static let timedOut = Code(rawValue: "timedOut")
        /// No connection to the server could be opened, so the last attempt sent nothing.
        ///
        /// ``RestError/outcome`` covers all attempts. If the call was a write, an earlier attempt may have been
        /// applied.
        public static let notConnected = Code(rawValue: "notConnected")
        /// The proxy requires or rejected a login, so nothing was sent to the server, and the call is not retried.
        public static let proxyUnauthorized = Code(rawValue: "proxyUnauthorized")
        /// The connection failed before the response was complete, or the server did not speak HTTP.
        ///
        /// A failure to connect also has this code if the transport cannot rule out that part of the request was sent.
        public static let transport = Code(rawValue: "transport")
        /// TLS failed, and the call is not retried.
        public static let tls = Code(rawValue: "tls")
        /// The server rejected the session (401), and the token was already renewed or cannot be renewed.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The client's first login failed, so it never had a token.
        ///
        /// Fix the credentials. ``RestError/underlying`` is the `OAuthError`.
        public static let loginFailed = Code(rawValue: "loginFailed")
        /// The session has expired and the token could not be renewed.
        ///
        /// The user must log in again. ``RestError/underlying`` is the `OAuthError`.
        public static let refreshFailed = Code(rawValue: "refreshFailed")
        /// There is no current account, or the client's account was unlinked, so the user must log in.
        public static let noAccount = Code(rawValue: "noAccount")
        /// The user is not allowed to do this (403).
        public static let forbidden = Code(rawValue: "forbidden")
        /// The resource or record does not exist (404).
        public static let notFound = Code(rawValue: "notFound")
        /// There were too many requests: status 429, or 403 with `REQUEST_LIMIT_EXCEEDED`.
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// The server rejected the content of the request for the reasons in ``RestError/faults``.
        public static let api = Code(rawValue: "api")
        /// The server failed (5xx).
        public static let server = Code(rawValue: "server")
        /// The server responded with a redirect that is not followed.
        public static let redirected = Code(rawValue: "redirected")
        /// The response is not JSON, or has an unexpected form.
        public static let decoding = Code(rawValue: "decoding")
        /// An argument is invalid, and nothing was sent.
        ///
        /// The message names the argument. If a stream is not as long as declared, this error can also occur after a
        /// part of the body was sent.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A local file could not be read or written for the reasons in ``RestError/systemErrors``.
        public static let file = Code(rawValue: "file")
        /// The request body changed: a file was modified while it was sent, or differs from the first attempt.
        ///
        /// The server did not receive a complete body, and the call is not retried.
        public static let bodyChanged = Code(rawValue: "bodyChanged")
        /// The source of a streamed request body threw an error, which is ``RestError/underlying``.
        ///
        /// The server did not receive a complete body, and the call is not retried.
        public static let bodySource = Code(rawValue: "bodySource")
        /// The resource has no bytes in the requested range (416).
        public static let rangeNotSatisfiable = Code(rawValue: "rangeNotSatisfiable")
        /// The request or the response exceeds a size limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The circuit breaker is open because the server kept failing, and nothing was sent.
        public static let circuitOpen = Code(rawValue: "circuitOpen")
        /// The server no longer has the changes since the position.
        ///
        /// Read all records again, then follow the changes from ``RestError/changesPosition``.
        public static let changesForgotten = Code(rawValue: "changesForgotten")
        /// The client was shut down.
        public static let shutDown = Code(rawValue: "shutDown")
        /// The account was logged out during the call, and later calls fail with ``noAccount``.
        public static let loggedOut = Code(rawValue: "loggedOut")

        /// Whether a user must log in: ``unauthorized``, ``refreshFailed``, ``noAccount`` or ``loggedOut``.
        public var needsLogin: Bool { [.unauthorized, .refreshFailed, .noAccount, .loggedOut].contains(self) }
    }
}

extension RestError {
    /// Makes the error of a response whose status is not 2xx, or whose body reports that the call failed.
    ///
    /// - Parameters:
    ///   - response: the response.
    ///   - isWrite: whether the call changes data.
    ///   - outcome: the outcome of the write. If `nil`, the status determines it.
    package init(rejection response: HTTPResponse, isWrite: Bool, outcome: RestError.WriteOutcome? = nil) {
        let status = response.head.status
        let body = ErrorBody(of: response)
        let code = body.soap?.kind ?? Self.code(for: status, body.faults)
        // A SOAP API rejects requests with status 500. Only its SOAP fault shows that the request was rejected.
        let likely: RestError.WriteOutcome = code == .server ? .unknown : .notApplied
        let error = RestError(
            code, Self.message(status, body),
            faults: body.faults, matchingRecords: body.matchingRecords, response: response.head,
            outcome: isWrite ? outcome ?? likely : nil)
        self = error.keeping(response.body, root: body.root)
    }

    private static func code(for status: Int, _ faults: [APIFault]) -> Code {
        switch status {
        case 401: .unauthorized
        case 403 where faults.contains { $0.errorCode == .badOAuthToken }: .unauthorized
        case 403 where faults.contains { $0.errorCode == .requestLimitExceeded }: .rateLimited
        case 403: .forbidden
        case 404: .notFound
        case 413, 414, 431: .tooLarge
        case 416: .rangeNotSatisfiable
        case 429: .rateLimited
        case 301, 302, 303, 307, 308: .redirected
        case 500...: .server
        default: .api
        }
    }

    private static func message(_ status: Int, _ body: ErrorBody) -> String {
        if let first = body.faults.first {
            return body.faults.count == 1 ? "\(first)" : "\(first) (and \(body.faults.count - 1) more errors)"
        }
        if !body.matchingRecords.isEmpty {
            return "the external id matches \(body.matchingRecords.count) records: "
                + body.matchingRecords.prefix(3).joined(separator: ", ") + (body.matchingRecords.count > 3 ? " …" : "")
        }
        let responded =
            "the server responded with status \(status)" + (body.isPage ? " and a page instead of data" : "")
        return body.summary.map { "\(responded): \($0)" } ?? responded
    }
}

extension RestError {
    /// The header fields with the server's request id, in order of preference.
    private static let requestIDFields = ["X-Request-Id", "X-SFDC-Request-Id", "X-Dropbox-Request-Id"]

    static func requestID(in head: HTTPResponse.Head) -> String? {
        for name in requestIDFields { if let id = head.fields[name] { return id } }
        return nil
    }

    /// The delay requested in the body by `retry_after` at its root or below `error`, from 0 seconds to a century.
    var delayInBody: Duration? {
        guard body.count <= Self.maximumBodySize, let root = bodyRoot,
            // bounded: by the longest span, below
            let seconds = (root["retry_after"] ?? root["error"]?["retry_after"])?.double,
            (0...Duration.longest / .seconds(1)).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }
}
