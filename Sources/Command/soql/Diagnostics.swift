// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestBulk
import RestSDK

/// Reports on standard error what went wrong, and chooses the exit status.
enum Diagnostics {
    static func report(_ error: any Error) -> ExitStatus {
        switch error {
        case let error as UsageError:
            StandardOutput.note("soql: \(error.message)\nTry 'soql --help'.")
            return .usage
        case let failure as CommandFailure:
            StandardOutput.note("soql: \(failure.description)".singleLine)
            return failure.status
        case let failure as QueryFailure:
            return report(failure)
        case let reported as Reported:
            return reported.status
        case let error as BulkError:
            return report(error)
        case is CancellationError:
            StandardOutput.note("soql: interrupted")
            return .interrupted
        case let error as RestError:
            return report(error)
        case let error as OAuthError:
            return report(error)
        case let error as AccountManager.Error:
            StandardOutput.note("soql: \(error.message)".singleLine)
            return error.code == .store ? .failure : .authentication
        case let error as LocalOrgError:
            StandardOutput.note("soql: the embedded org cannot start: \(error.message)")
            return .failure
        case let error as PartialResult:
            StandardOutput.note("soql: the result is not complete: \(error.message)")
            return .partial
        case is StandardOutput.ReaderGone:
            return .success
        case let error as StandardOutput.WriteFailed:
            StandardOutput.note("soql: the output cannot be written: \(systemMessage(error.code))")
            return .failure
        default:
            StandardOutput.note("soql: \(error)")
            return .failure
        }
    }

    private static func report(_ failure: QueryFailure) -> ExitStatus {
        let status = report(failure.error)
        if let excerpt = failure.excerpt { StandardOutput.note(excerpt) }
        return failure.isPartial && status == .failure ? .partial : status
    }

    private static func report(_ error: RestError) -> ExitStatus {
        if error.code == .cancelled {
            StandardOutput.note("soql: interrupted")
            return .interrupted
        }
        for fault in error.faults {
            StandardOutput.note("soql: \(fault.errorCode): \(text(of: fault))".singleLine)
        }
        if error.faults.isEmpty { StandardOutput.note("soql: \(error.code.rawValue): \(error.message)".singleLine) }
        if let remedy = error.remedy { StandardOutput.note("soql: \(remedy)".singleLine) }
        return status(of: error)
    }

    fileprivate static func status(of error: RestError) -> ExitStatus {
        switch error.code {
        case .loginFailed, .refreshFailed: (error.underlying as? OAuthError)?.exitStatus ?? .authentication
        case let code: code.needsLogin ? .authentication : .failure
        }
    }

    private static func report(_ error: BulkError) -> ExitStatus {
        if error.code == .cancelled {
            StandardOutput.note("soql: interrupted")
            return .interrupted
        }
        if let failure = error.rest, error.code == .request { return report(failure) }
        StandardOutput.note("soql: \(error.description)".singleLine)
        return .failure
    }

    private static func report(_ error: OAuthError) -> ExitStatus {
        StandardOutput.note("soql: the login failed: \(error.code.rawValue): \(error.message)".singleLine)
        return error.exitStatus
    }
}

extension OAuthError {
    /// The exit status of a login that failed so, whether it is the first one or a renewal: it was refused, unless the
    /// server cannot be reached or has trouble, or the store of the logins cannot be read now.
    fileprivate var exitStatus: ExitStatus {
        switch code {
        case .cancelled: .interrupted
        case .timedOut, .unreachable, .serverUnavailable, .unexpectedContentType, .invalidResponse, .storeUnavailable:
            .failure
        default: .authentication
        }
    }
}

extension Diagnostics {
    /// The platform puts a quotation of the query above the message; the caret shows the place better.
    private static func text(of fault: APIFault) -> String {
        guard fault.position != nil else { return fault.message }
        return fault.message.lines.last { !$0.isEmpty }.map(String.init) ?? fault.message
    }
}

extension RestError {
    /// What the user of this command can do; `nil` where the error says it already.
    fileprivate var remedy: String? {
        switch code {
        case .timedOut: "Try again, or give each request more time with --timeout."
        case .refreshFailed where Diagnostics.status(of: self) == .failure: advice
        case .unauthorized, .refreshFailed, .loginFailed, .loggedOut, .noAccount:
            "Log in again with 'soql login', or set SF_ACCESS_TOKEN to a token that is still valid."
        case .rateLimited, .notConnected, .tls, .proxyUnauthorized, .forbidden, .server, .transport: advice
        case .api where faults.contains { $0.errorCode == .queryTimeout }:
            "Make the query more selective, or run it as a job with --bulk."
        default: nil
        }
    }
}

/// The exit code of the process.
enum ExitStatus: Int32 {
    /// Everything was printed.
    case success = 0
    /// The server refused or failed, or something went wrong at run time.
    case failure = 1
    /// The command line cannot be understood.
    case usage = 2
    /// There is no login, or it was refused. A login server that does not answer, or fails, is a ``failure``.
    case authentication = 3
    /// Some of the work was done, and some was not.
    case partial = 4
    /// Interrupted (Control-C).
    case interrupted = 130
}
