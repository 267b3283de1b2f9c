// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTransport
import Terminals

/// Measures whether a session responds and exits correctly after a minute of 1,000 random keys per second.
func sessionKeyFigures() async throws {
    let stage = try SessionStage()
    defer { stage.close() }
    let org = try await LocalOrg.start()
    let session = try stage.start([
        "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
    ])
    try session.wait(for: "=> ")
    var keys = RandomKeys(seed: 1)
    let count = extent(60_000, short: 500)
    let clock = ContinuousClock()
    let begin = clock.now
    for number in 0..<count {
        session.type(bytes: keys.next())
        session.takeWhatIsThere()
        try await clock.sleep(until: begin + .milliseconds(number))
    }
    let time = (clock.now - begin) / .seconds(1)
    let isWhole = isAlive(session)
    await org.stop()
    Figure(
        name: "session.keys.failed", value: isWhole ? 0 : 1, unit: "sessions", relation: .atMost, bound: 0,
        note: "\(count) random keys in \(rounded(time)) s"
    ).print()
}

/// Whether the session responds to a query and then exits with success.
private func isAlive(_ session: TerminalSession) -> Bool {
    let query = "SELECT COUNT() FROM Account WHERE Name LIKE '%nk%';"
    // Closes anything open, including a paste.
    let closing = "\u{1B}[201~\u{3}\u{3}"
    guard (try? session.press("\(closing)\(query)\r", until: "COUNT()\r", clearingWith: "\u{3}")) != nil else {
        return false
    }
    session.type("\u{3}\u{4}")
    session.finish()
    return session.process.terminationReason == .exit && session.process.terminationStatus == 0
}
