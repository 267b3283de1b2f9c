// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestBulk
import RestSDK

/// Reports on standard error what went wrong, and chooses the exit status.
enum Diagnostics {
    /// A failed query with its text, so that the place of the error can be shown.
    struct QueryFailure: Error {
        let error: RestError
        let query: String
    }

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
        case let error as LogoutCommand.Incomplete:
            for message in error.messages { StandardOutput.note("soql: \(message)".singleLine) }
            return .failure
        case let error as LocalOrgError:
            StandardOutput.note("soql: the embedded org cannot start: \(error.message)")
            return .failure
        case let error as PartialResult:
            StandardOutput.note("soql: the result is not complete: \(error.message)")
            return .failure
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
        if let position = failure.error.faults.first?.position, let caret = Caret(at: position, in: failure.query) {
            StandardOutput.note(caret.text)
        }
        return status
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
        return error.code.needsLogin ? .authentication : .failure
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
        switch error.code {
        case .cancelled: return .interrupted
        case .timedOut, .unreachable, .serverUnavailable: return .failure
        default: return .authentication
        }
    }
}

extension Diagnostics {
    /// The platform puts a quotation of the query above the message; the caret shows the place better.
    private static func text(of fault: APIFault) -> String {
        guard fault.position != nil else { return fault.message }
        return fault.message.split(whereSeparator: \.isNewline).last.map(String.init) ?? fault.message
    }
}

/// The line of a query with the error, and a caret under its column.
struct Caret {
    let text: String

    /// `nil` when the query has no such place.
    ///
    /// The column counts Unicode scalars, as the platform does.
    init?(at position: APIFault.Position, in query: String) {
        let lines = query.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(position.row - 1) else { return nil }
        let line = lines[position.row - 1]
        guard (1...line.unicodeScalars.count + 1).contains(position.column) else { return nil }
        // Tabs stay tabs, so that the caret is under its column whatever their width.
        let before = String(line.unicodeScalars.prefix(position.column - 1))
        let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: String($0).columnWidth) }.joined()
        text = "  \(line)\n  \(indent)^"
    }
}
