// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK

/// Says on standard error what went wrong, and chooses the exit status.
enum Diagnostics {
    /// A failed query together with its text, so that the fault can be shown in its place.
    struct QueryFailure: Error {
        let error: RestError
        let query: String
    }

    static func report(_ error: any Error) -> ExitStatus {
        switch error {
        case let error as UsageError:
            StandardOutput.note("soql: \(error.message)\nTry 'soql --help'.")
            return .usage
        case let failure as QueryFailure:
            return report(failure)
        case let error as RestError:
            return report(error)
        case let error as LocalOrgError:
            StandardOutput.note("soql: the embedded org cannot start: \(error.message)")
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
        if let fault = error.faults.first {
            // The platform quotes the query above its message; the caret below shows the place better.
            let message = fault.message.split(separator: "\n").last.map(String.init) ?? fault.message
            StandardOutput.note("soql: \(fault.errorCode): \(message)")
        } else {
            StandardOutput.note("soql: \(error.code.rawValue): \(error.message)")
        }
        return error.code == .refreshFailed || error.code == .unauthorized ? .authentication : .failure
    }
}

/// The line of a query that is at fault, with a caret under the column.
struct Caret {
    let text: String

    init?(at position: APIFault.Position, in query: String) {
        let lines = query.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(position.row - 1) else { return nil }
        let line = lines[position.row - 1]
        guard (1...line.count + 1).contains(position.column) else { return nil }
        // Tabs stay tabs, so that the caret stands under its column whatever their width.
        let indent = line.prefix(position.column - 1).map { $0 == "\t" ? "\t" : " " }.joined()
        text = "  \(line)\n  \(indent)^"
    }
}
