// SPDX-License-Identifier: Apache-2.0

import Dropbox

/// Says on standard error why a command failed, and chooses the exit code.
struct Diagnostics {
    private let terminal: Terminal

    init(_ terminal: Terminal) {
        self.terminal = terminal
    }

    func report(_ error: any Error) -> ExitStatus {
        switch error {
        case let error as UsageError: return tell("\(error.message)\nTry 'boxsync --help'.", .usage)
        case let error as Failure: return tell(error.message, .failure)
        case let error as AccountManager.Error: return tell(error.message, error.code == .store ? .failure : .login)
        case let error as OAuthError: return report(error)
        case let error as any CallFailure: return report(error.underlying, error.words)
        case let error as RestError: return report(error, error.words)
        case is CancellationError: return tell("held; the same command goes on", .interrupted)
        default: return tell("\(error)", .failure)
        }
    }

    private func report(_ error: RestError, _ text: String) -> ExitStatus {
        if error.code == .cancelled { return tell("interrupted", .interrupted) }
        return tell(text, error.code.needsLogin ? .login : .failure)
    }

    private func report(_ error: OAuthError) -> ExitStatus {
        switch error.code {
        case .cancelled: tell("the login was cancelled", .interrupted)
        case .timedOut, .unreachable, .serverUnavailable: tell("the login failed: \(error.message)", .failure)
        default: tell("the login failed: \(error.message)", .login)
        }
    }

    private func tell(_ text: String, _ status: ExitStatus) -> ExitStatus {
        for line in text.split(separator: "\n") { terminal.warn("boxsync: \(line)") }
        return status
    }
}
