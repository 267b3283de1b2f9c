// SPDX-License-Identifier: Apache-2.0

import RestAuth
import RestText
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
