// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalOrg
import RestTransport
import Testing

@testable import soql

/// Whatever is typed, the session stays.
@Suite("Random keys in a session", .timeLimit(.minutes(2)))
struct RandomKeysTests {
    private static let keys = [
        "\u{1B}[A", "\u{1B}[B", "\u{1B}[C", "\u{1B}[D", "\t", "\r", "\u{7F}", "\u{3}", "\u{12}", "\u{17}", "\u{B}",
        "\u{19}", "\u{1B}[200~a\rb\u{1B}[201~", "\u{1B}[200~", "\u{1B}[3~", "SELECT ", " FROM Account", "'", ";",
        "\\d ",
        "\\?\r", "é", "日本", "👩‍👩‍👧", "\u{1B}", "\u{1B}x", "\u{1B}b", "\u{1}", "\u{5}", "\u{14}", "\u{1F}", "\u{16}",
    ]

    /// A key: half of the time one of those that do something, else any byte but those that leave, stop or hold.
    private static func key(_ generator: inout SplitMix64) -> [UInt8] {
        if Bool.random(using: &generator) { return Array(keys[Int.random(in: keys.indices, using: &generator)].utf8) }
        let byte = UInt8.random(in: 0...255, using: &generator)
        return [0, 4, 0x13, 0x1A, 0x1C].contains(byte) ? [0x20] : [byte]
    }

    @Test("thousands of random keys do not end it, and it answers afterwards", arguments: [1, 2, 3] as [UInt64])
    func random(seed: UInt64) async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "soql-keys-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: home) }
        let org = try await LocalOrg.start()
        let session = try TerminalSession(
            [],
            environment: [
                "HOME": home, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "", "VISUAL": "true", "NO_COLOR": "1",
                "SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken,
            ])
        try session.wait(for: "=> ")
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            session.type(bytes: Self.key(&generator))
            session.takeWhatIsThere()
        }
        // Whatever is open is closed, also a paste.
        try session.press(
            "\u{1B}[201~\u{3}\u{3}SELECT COUNT() FROM Account WHERE Name LIKE '%nk%';\r", until: "COUNT()\r",
            clearingWith: "\u{3}")
        session.type("\u{3}\u{4}")
        session.finish()
        #expect(session.process.terminationStatus == 0)
        await org.stop()
    }
}
