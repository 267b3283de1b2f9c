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
    /// What can be done about it, in a sentence or two for the person who reads the error.
    ///
    /// A write that may have been applied, or was, is never to be tried again just so: the advice says to look first.
    public var advice: String {
        let remedy = faults.lazy.compactMap(\.advice).first ?? remedy
        return switch outcome {
        case .unknown: "Check whether the write was applied before you send it again." + afterWriting(remedy)
        case .applied: "Do not send it again. The write was applied." + afterWriting(remedy)
        case .notApplied, nil: remedy
        }
    }

    /// The remedy once more, after what was said of the write; nothing where it says to send the call again.
    private func afterWriting(_ remedy: String) -> String {
        let sendsAgain = remedy.hasBytes("ry again") || remedy.hasBytes(prefix: "Wait")
        return sendsAgain || code == .cancelled ? "" : " \(remedy)"
    }

    /// The scope that the access token lacks, by the error of a Stone API.
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
        case .tls: "Check the server's certificate, and the clock and the trusted authorities of this machine."
        case .unauthorized where missingScope != nil: "Log in again, and ask for the scope \(missingScope ?? "")."
        case .unauthorized: "Log in again with a session that may use the REST API."
        case .loginFailed:
            (underlying as? OAuthError)?.loginRemedy ?? "Check the login URL, the client id, the secret and the grant."
        case .refreshFailed: (underlying as? OAuthError)?.passingRemedy ?? "The session is over. Log in again."
        case .noAccount, .loggedOut: "Log in, or choose a linked account."
        case .forbidden: "Ask an administrator for the permission, or log in as another user."
        case .notFound: "Check the id, the object's name and the API version."
        case .rateLimited: retryAfter.map { "Wait \($0), then try again." } ?? "Wait, then try again."
        case .api: "Fix the request as the server says."
        case .server: "Try again later."
        case .changesForgotten: "Read all records again, then follow the changes from RestError.changesPosition."
        case .circuitOpen: "Try again later. The client checks by itself whether the server is back."
        case .redirected where (underlying as? RedirectPolicy.Refusal) == .otherOriginData:
            "Check the instance URL. The server points to another one, whose data is not the org's. If the call reads the "
                + "content of a file, set RestRequest.expectation to .anything."
        case .redirected: "Check the instance URL. The server points to another address."
        case .decoding: "Compare your type with the body of the answer in RestError.body."
        case .invalidRequest: "Fix the argument named above. Nothing was sent."
        case .rangeNotSatisfiable: "Ask for a range within the resource; Content-Range tells its length."
        case .bodyChanged: "Send the call again, and leave the file alone while it is sent."
        case .bodySource: "Fix the source of the request body. RestError.underlying is the error that it threw."
        case .file: "Check the file, its permissions and the free space on its disk."
        case .tooLarge: "Make the request or the answer smaller, or raise the limit."
        case .shutDown: "Make a new client. This one was shut down."
        default: "Look at RestError.underlying."
        }
    }
}

extension OAuthError {
    /// What to do about an error that says nothing about the login itself; `nil` for a refusal.
    fileprivate var passingRemedy: String? {
        switch code {
        case .secretUnavailable: "Unlock the place where the client's secret is kept, then try again."
        case .storeUnavailable: "Check the directory or Keychain of the logins, then try again."
        case .unexpectedContentType, .invalidResponse:
            "Check the login URL and the proxies between this machine and the login server, then try again."
        default: nil
        }
    }

    /// What to change after a first login that failed so.
    fileprivate var loginRemedy: String {
        if let passingRemedy { return passingRemedy }
        return switch code {
        case .invalidClient, .invalidClientID: "Check client id and secret, and that they are of this login server."
        case .unauthorizedClient, .unsupportedGrantType:
            "Allow this kind of login for the client at the server, or use another grant."
        case .invalidGrant: "Check what the grant is made of: user and password, key, or refresh token."
        case .invalidScope: "Ask for scopes that the client may have."
        default: "Check the login URL, client id, secret and grant."
        }
    }
}

extension APIFault {
    /// What can be done about it, where the code alone says more than the kind of failure does.
    var advice: String? {
        switch errorCode {
        case .malformedQuery:
            position.map { "Fix the query at row \($0.row), column \($0.column)." } ?? "Fix the query."
        case .invalidField: "Check the name of the field and whether the user may see it."
        case .invalidType: "Check the name of the object and whether the user may see it."
        case .invalidQueryLocator: "Run the query again. The server no longer keeps its pages."
        case .queryTimeout: "Make the query more selective, or ask for fewer records."
        case .unableToLockRow: "Try again. Another transaction held the record."
        case .requestLimitExceeded where message.hasBytes("Concurrent"): "Wait until long calls to this org end."
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
    /// What happened and where, as `localizedDescription` gives it.
    public var errorDescription: String? { description }

    /// What can be done about it; the same as ``advice``.
    public var recoverySuggestion: String? { advice }
}

extension RestError {
    /// The kind of a failure: an open set whose labels are fixed and safe as metric names.
    public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
        /// The label.
        public let rawValue: String

        /// Wraps a label.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The label.
        public var description: String { rawValue }

        /// The call was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The call's deadline passed.
        public static let timedOut = Code(rawValue: "timedOut")
        /// No connection to the server could be made, so nothing of the last attempt left this process.
        ///
        /// ``RestError/outcome`` is about all attempts: a write that was sent before may have been applied.
        public static let notConnected = Code(rawValue: "notConnected")
        /// The proxy refused its login, or asked for one; nothing was sent to the server, and it is not asked again.
        public static let proxyUnauthorized = Code(rawValue: "proxyUnauthorized")
        /// The connection failed before the response was complete, or the peer did not speak HTTP; or none could be
        /// made, and the transport cannot tell whether something of the request left all the same.
        public static let transport = Code(rawValue: "transport")
        /// TLS failed; never retried.
        public static let tls = Code(rawValue: "tls")
        /// The server rejected the session (401), and the token was renewed already or cannot be renewed.
        public static let unauthorized = Code(rawValue: "unauthorized")
        /// The client never had a token, because its first login failed: mend what it logs in with.
        ///
        /// ``RestError/underlying`` is the `OAuthError`.
        public static let loginFailed = Code(rawValue: "loginFailed")
        /// The session ended and no new token could be had: log in again.
        ///
        /// ``RestError/underlying`` is the `OAuthError`.
        public static let refreshFailed = Code(rawValue: "refreshFailed")
        /// There is no current account, or the client's account was unlinked: log in.
        public static let noAccount = Code(rawValue: "noAccount")
        /// The user may not do this (403).
        public static let forbidden = Code(rawValue: "forbidden")
        /// There is no such resource or record (404).
        public static let notFound = Code(rawValue: "notFound")
        /// Too many requests: 429, or a 403 with `REQUEST_LIMIT_EXCEEDED`.
        public static let rateLimited = Code(rawValue: "rateLimited")
        /// The server refused the request for its content; ``RestError/faults`` says why.
        public static let api = Code(rawValue: "api")
        /// The server failed (5xx).
        public static let server = Code(rawValue: "server")
        /// The server answered a redirect that is not followed.
        public static let redirected = Code(rawValue: "redirected")
        /// The response is not what was asked for: not JSON, or of another shape.
        public static let decoding = Code(rawValue: "decoding")
        /// An argument cannot be sent; nothing was, except for a stream that turned out not to be as long as it was
        /// said to be.
        ///
        /// The message names it.
        public static let invalidRequest = Code(rawValue: "invalidRequest")
        /// A local file could not be read or written; ``RestError/systemErrors`` say why.
        public static let file = Code(rawValue: "file")
        /// The request body is not what it was: a file changed while it was sent, or a file or a stream is another one
        /// than at the first attempt.
        ///
        /// The server has not got a whole body, and the call is not sent again.
        public static let bodyChanged = Code(rawValue: "bodyChanged")
        /// The source of a streamed request body threw an error, which is ``RestError/underlying``.
        ///
        /// The server has not got a whole body, and the call is not sent again.
        public static let bodySource = Code(rawValue: "bodySource")
        /// The resource has no bytes in the range that was asked for (416).
        public static let rangeNotSatisfiable = Code(rawValue: "rangeNotSatisfiable")
        /// Request or response is larger than the limit.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The circuit breaker is open: the server kept failing, and nothing was sent.
        public static let circuitOpen = Code(rawValue: "circuitOpen")
        /// The server no longer knows what happened since the position: read all records again, then follow the changes
        /// from ``RestError/changesPosition``.
        public static let changesForgotten = Code(rawValue: "changesForgotten")
        /// The client was shut down.
        public static let shutDown = Code(rawValue: "shutDown")
        /// The account was logged out while the call was under way; later calls fail with ``noAccount``.
        public static let loggedOut = Code(rawValue: "loggedOut")

        /// Whether there is no valid session, so that somebody has to log in: ``unauthorized``, ``refreshFailed``,
        /// ``noAccount`` or ``loggedOut``.
        public var needsLogin: Bool { [.unauthorized, .refreshFailed, .noAccount, .loggedOut].contains(self) }
    }
}

extension RestError {
    /// The error that a response stands for whose status is another than 2xx, or whose body says that the call failed.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - isWrite: whether the call changes something.
    ///   - outcome: what is known of a write; by the status when not given.
    package init(refusal response: HTTPResponse, isWrite: Bool, outcome: RestError.WriteOutcome? = nil) {
        let status = response.head.status
        let body = ErrorBody(of: response)
        let code = body.soap?.kind ?? Self.code(for: status, body.faults)
        // A SOAP API refuses with 500, and says by its fault that it did.
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
            return body.faults.count == 1 ? "\(first)" : "\(first) (and \(body.faults.count - 1) more faults)"
        }
        if !body.matchingRecords.isEmpty {
            return "the external id matches \(body.matchingRecords.count) records: "
                + body.matchingRecords.prefix(3).joined(separator: ", ") + (body.matchingRecords.count > 3 ? " …" : "")
        }
        let answered = "the server answered \(status)" + (body.isPage ? " with a page instead of data" : "")
        return body.summary.map { "\(answered): \($0)" } ?? answered
    }
}

/// What failures say in places of their own.
extension RestError {
    /// The fields in which servers name a request, in the order they are asked for.
    private static let requestIDFields = ["X-Request-Id", "X-SFDC-Request-Id", "X-Dropbox-Request-Id"]

    /// The server's id of the request, where it named one.
    static func requestID(in head: HTTPResponse.Head) -> String? {
        requestIDFields.lazy.compactMap { head.fields[$0] }.first
    }

    /// The wait that the body asks for, in seconds: `retry_after` at its root or below `error`.
    ///
    /// More than a century counts as no answer, and so does a time that is past.
    var delayInBody: Duration? {
        guard body.count <= Self.maximumBodySize, let root = bodyRoot,
            // bounded: by the longest span, below
            let seconds = (root["retry_after"] ?? root["error"]?["retry_after"])?.double,
            (0...Duration.longest / .seconds(1)).contains(seconds)
        else { return nil }
        return .seconds(seconds)
    }
}
