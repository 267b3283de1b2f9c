// SPDX-License-Identifier: Apache-2.0

import LoginPeers
import Testing

@Suite("soql at authorization servers that others wrote", .serialized, .timeLimit(.minutes(3)))
struct LoginPeerCommandTests {
    @Test("Authlib") func authlib() async throws { try await check(.authlib) }

    @Test("django-oauth-toolkit") func django() async throws { try await check(.django) }

    @Test("Glewlwyd") func glewlwyd() async throws { try await check(.glewlwyd) }

    /// Logins, queries and logouts, with tokens that live three seconds.
    private func check(_ kind: LoginPeer.Kind) async throws {
        let peer = try LoginPeer(kind, lifetime: 3)
        defer { peer.stop() }
        // One way each is enough here; the figure `logins.failed` has all of them.
        let way: LoginPeer.Way = kind == .django ? .post : .basic
        let scenarios = peer.commandScenarios(Command.executable, lifetime: 3, ways: [way])
        // They wait for tokens to end, which they can do side by side.
        await withTaskGroup { group in
            for scenario in scenarios {
                group.addTask {
                    do { try await scenario.run() } catch { Issue.record("\(scenario.name): \(error)") }
                }
            }
        }
    }
}
