// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Terminals
import Testing

@testable import soql

/// Whatever is typed, the session stays.
@Suite("Random keys in a session", .timeLimit(.minutes(2)))
struct RandomKeysTests {
    @Test("thousands of random keys do not end it, and it answers afterwards", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        let stage = try await SessionStart()
        let session = try stage.session(environment: ["VISUAL": "true"])
        var keys = RandomKeys(seed: seed)
        for _ in 0..<1_000 {
            session.type(bytes: keys.next())
            session.takeWhatIsThere()
        }
        // Whatever is open is closed, also a paste.
        try session.press(
            "\u{1B}[201~\u{3}\u{3}SELECT COUNT() FROM Account WHERE Name LIKE '%nk%';\r", until: "COUNT()\r",
            clearingWith: "\u{3}")
        session.type("\u{3}")
        #expect(stage.leave(session), "\(session.text.suffix(2_000))")
        await stage.org.stop()
    }
}
