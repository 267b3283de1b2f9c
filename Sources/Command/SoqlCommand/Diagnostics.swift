// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestBase
import RestBulk
import RestEvents
import RestSDK
import RestSync

/// Reports errors on standard error, and chooses the exit status.
enum Diagnostics {
    /// The messages of an error, without control characters.
    static func lines(of error: any Error) -> [String] { report(of: error).lines.map(\.singleLine) }

    static func report(_ error: any Error) -> ExitStatus {
        let (lines, status) = report(of: error)
        for line in lines { StandardOutput.note(line) }
        return status
    }

    private static func report(of error: any Error) -> (lines: [String], ExitStatus) {
        func failure(_ message: String, _ status: ExitStatus = .failure) -> (lines: [String], ExitStatus) {
            (["soql: \(message)"], status)
        }
        switch error {
        case let error as UsageError: return failure("\(error.message)\nTry 'soql --help'.", .usage)
        case let error as CommandFailure: return failure(error.description.singleLine, error.status)
        case let failure as QueryFailure:
            let (lines, status) = report(of: failure.error)
            let isPartial = failure.isPartial && status == .failure
            return (lines + [failure.excerpt].compactMap(\.self), isPartial ? .partial : status)
        case let reported as Reported: return ([], reported.status)
        case is CancellationError: return failure("interrupted", .interrupted)
        case let error as BulkError where error.code == .cancelled: return failure("interrupted", .interrupted)
        case let error as BulkError:
            if let rest = error.rest, error.code == .request { return report(of: rest) }
            return failure(error.description.singleLine)
        case let error as EventError where error.code == .cancelled: return failure("interrupted", .interrupted)
        case let error as EventError:
            if let rest = error.reported as? RestError { return report(of: rest) }
            let lines = [error.description, error.remedy].compactMap(\.self).map { "soql: \($0)".singleLine }
            return (lines, error.exitStatus)
        case let error as SyncError:
            if let rest = error.rest { return report(of: rest) }
            return failure(error.message.singleLine, error.exitStatus)
        case let error as RestError where error.code == .cancelled: return failure("interrupted", .interrupted)
        case let error as RestError:
            let faults = error.faults.map { "\($0.errorCode): \(text(of: $0))" }
            let lines = faults.isEmpty ? ["\(error.code.rawValue): \(error.message)"] : faults
            return ((lines + [error.remedy].compactMap(\.self)).map { "soql: \($0)".singleLine }, status(of: error))
        case let error as OAuthError:
            return failure("login failed: \(error.code.rawValue): \(error.message)".singleLine, error.exitStatus)
        case let error as AccountManager.Error:
            return failure(error.message.singleLine, error.code == .store ? .failure : .authentication)
        case let error as StartError: return failure("the embedded org cannot start: \(error.message)")
        case let error as PartialResult: return failure("the result is incomplete: \(error.message)", .partial)
        case is StandardOutput.ReaderGone: return ([], .success)
        case let error as StandardOutput.WriteFailed:
            return failure("the output cannot be written: \(systemMessage(error.code))")
        default: return failure("\(error)")
        }
    }

    fileprivate static func status(of error: RestError) -> ExitStatus {
        switch error.code {
        case .loginFailed, .refreshFailed: (error.underlying as? OAuthError)?.exitStatus ?? .authentication
        case let code: code.needsLogin ? .authentication : .failure
        }
    }

    /// The message without the excerpt of the query that Salesforce puts above it, because the caret shows the position
    /// better.
    private static func text(of fault: APIFault) -> String {
        guard fault.position != nil else { return fault.message }
        return fault.message.lines.last { !$0.isEmpty }.map(String.init) ?? fault.message
    }
}

extension OAuthError {
    /// The exit status of a failed login or renewal: rejected, unless the server or the store of the logins is
    /// unavailable.
    fileprivate var exitStatus: ExitStatus {
        switch code {
        case .cancelled: .interrupted
        case .timedOut, .unreachable, .serverUnavailable, .unexpectedContentType, .invalidResponse, .storeUnavailable:
            .failure
        default: .authentication
        }
    }
}

extension EventError {
    fileprivate var exitStatus: ExitStatus {
        switch code {
        case .argument: .usage
        case .unauthorized, .loggedOut: .authentication
        default: .failure
        }
    }

    /// The user's next step, or `nil` if the error already contains it.
    fileprivate var remedy: String? {
        switch code {
        case .invalidPosition:
            "Events were missed. Read the records again, then use --missing earliest or --missing latest."
        case .unauthorized, .loggedOut: "Log in again with 'soql login'."
        case .forbidden, .unknownChannel, .limit: advice
        default: nil
        }
    }
}

extension SyncError {
    fileprivate var exitStatus: ExitStatus {
        switch code {
        case .store, .inUse, .busy: .failure
        default: .usage
        }
    }
}

extension RestError {
    /// The user's next step, or `nil` if the error already contains it.
    fileprivate var remedy: String? {
        switch code {
        case .timedOut: "Try again, or give each request more time with --timeout."
        case .refreshFailed where Diagnostics.status(of: self) == .failure,
            .loginFailed where Diagnostics.status(of: self) == .failure:
            advice
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
    /// The server rejected the request or failed, or another run-time error occurred.
    case failure = 1
    /// The command line is invalid.
    case usage = 2
    /// There is no login, or it was rejected, while a login server that does not respond or fails is a ``failure``.
    case authentication = 3
    /// A part of the work was done.
    case partial = 4
    /// Interrupted (Control-C).
    case interrupted = 130
}
