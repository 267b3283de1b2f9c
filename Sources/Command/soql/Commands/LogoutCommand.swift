// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// Ends one login or all, here and at the server.
struct LogoutCommand: Command {
    let options: LogoutOptions

    /// Some logins were removed here, but are still valid at a server that could not be reached.
    struct Incomplete: Error {
        let messages: [String]
    }

    func run() async throws {
        Traces.leave()
        let accounts = try await Accounts.open()
        var reports: [Result<AccountManager.UnlinkReport, AccountManager.Error>] = []
        if options.isAll {
            reports = await accounts.manager.unlinkAll(isRevoking: options.isRevoking)
        } else {
            let id = try unreadable(in: accounts) ?? accounts.find(options.account).id
            reports = [.success(try await accounts.manager.unlink(id, isRevoking: options.isRevoking))]
        }
        let failures = reports.compactMap { Self.tell($0) }
        guard failures.isEmpty else { throw Incomplete(messages: failures) }
    }

    /// A login that cannot be read can still be ended by its name.
    private func unreadable(in accounts: Accounts) -> String? {
        options.account.flatMap { accounts.manager.unreadable[$0] == nil ? nil : $0 }
    }

    /// Reports what happened to a login.
    ///
    /// - Returns: what went wrong.
    private static func tell(_ result: Result<AccountManager.UnlinkReport, AccountManager.Error>) -> String? {
        switch result {
        case .failure(let error): return error.message
        case .success(let report):
            guard case .pending(_, let error) = report.revocation else {
                StandardOutput.note("Logged out of '\(report.id)'.".singleLine)
                return nil
            }
            return "'\(report.id)' is logged out here, but the server could not be told "
                + "(\(error.message)); end its session there"
        }
    }
}
