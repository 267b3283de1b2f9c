// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTesting
import Terminals

@testable import soql

/// A home and an org, at which sessions are started.
final class SessionStart: Sendable {
    let home: TemporaryFolder
    let org: LocalOrg

    init() async throws {
        home = try TemporaryFolder()
        org = try await LocalOrg.start()
    }

    /// What a session of this home and org is told.
    var environment: [String: String] {
        [
            "HOME": home.path, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "", "NO_COLOR": "1",
            "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
        ]
    }

    /// Starts a session and waits for its prompt.
    func session(
        _ arguments: String..., environment more: [String: String] = [:], size: Screen = Screen(columns: 80, rows: 24)
    ) throws -> TerminalSession {
        let all = environment.merging(more) { $1 }
        let session = try TerminalSession(arguments, environment: all, in: home.path, size: size, leads: true)
        try session.wait(for: "=> ")
        return session
    }

    /// Leaves a session.
    ///
    /// - Returns: whether it ended by itself and well.
    func leave(_ session: TerminalSession) -> Bool {
        session.type("\u{4}")
        session.finish()
        return session.process.terminationReason == .exit && session.process.terminationStatus == 0
    }
}
