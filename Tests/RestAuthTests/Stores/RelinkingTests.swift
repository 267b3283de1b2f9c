// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestTransport
import Simulation
import Testing

@testable import RestAuth

#if os(Linux) || os(macOS)
/// `auth.crossed` and `auth.lost` of the benchmarks are the long form.
@Suite("Processes that use a key while its user changes")
struct RelinkingTests {
    @Test("no call comes with another user's token, and no login is lost")
    func relinking() async throws {
        let folder = try StoreFolder()
        var configuration = LocalOrgConfiguration(accessTokenLifetime: .milliseconds(60), refreshRotation: .strict)
        configuration.journalCapacity = 200_000
        let orgs = [try await LocalOrg.start(configuration), try await LocalOrg.start(configuration)]
        let users = orgs.map {
            KeyRelinking.Org(
                instance: $0.instanceURL, clientID: $0.clientID, clientSecret: $0.clientSecret, username: $0.username,
                password: $0.password)
        }
        let path = folder.path(of: "store")
        async let first: Void = use(users, path)
        async let second: Void = use(users, path)
        await #expect(processExitsWith: .success) { [users = users as [KeyRelinking.Org], path = path as String] in
            try await KeyRelinking(orgs: users, folder: path).link(rounds: 30)
        }
        _ = await (first, second)
        #expect(try await KeyRelinking(orgs: users, folder: path).lost == 0)
        for org in orgs {
            let meant = org.journal.entries.compactMap { $0.field(KeyRelinking.label) }
            #expect(!meant.isEmpty && meant.allSatisfy { $0 == org.instanceURL })
            #expect(org.journal.entries.contains { $0.pathHasSuffix("/token") && $0.status == 200 })
        }
        #expect(secrets(orgs[0]).isDisjoint(with: secrets(orgs[1])))
        for org in orgs { await org.stop() }
    }

    private func use(_ users: [KeyRelinking.Org], _ path: String) async {
        await #expect(processExitsWith: .success) { [users = users as [KeyRelinking.Org], path = path as String] in
            try await KeyRelinking(orgs: users, folder: path).use()
        }
    }

    /// The fingerprints of all tokens that the org has seen.
    private func secrets(_ org: LocalOrg) -> Set<String> {
        Set(
            org.journal.entries.flatMap { entry in
                let form = entry.pathHasSuffix("/token") ? String(decoding: entry.body, as: UTF8.self) : ""
                let refresh = form.split(separator: "&").filter { $0.hasPrefix("refresh_token=") }.map { String($0) }
                return refresh + [entry.field("Authorization")].compactMap(\.self)
            })
    }
}
#endif
