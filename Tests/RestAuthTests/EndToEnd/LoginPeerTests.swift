// SPDX-License-Identifier: Apache-2.0

import LoginPeers
import RestAuth
import Testing

@Suite("Logins at servers that others wrote", .serialized, .timeLimit(.minutes(3)))
struct LoginPeerTests {
    @Test("Authlib") func authlib() async throws { try await check(.authlib) }

    @Test("django-oauth-toolkit") func django() async throws { try await check(.django, [.post]) }

    @Test("Glewlwyd") func glewlwyd() async throws { try await check(.glewlwyd, [.basic]) }

    /// Every grant that the server offers, twice in a row on one port, under both names of this machine, with rotation,
    /// introspection and revocation; each way to authenticate at the quick server, all of them in the figure
    /// `logins.failed`.
    private func check(_ kind: LoginPeer.Kind, _ ways: [LoginPeer.Way] = LoginPeer.Way.allCases) async throws {
        let openssl = try OpenSSL()
        let key = try openssl.key("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048")
        let publicKey = try openssl.key("pkey -in key.pem -pubout", "public.pem")
        let peer = try LoginPeer(kind, key: publicKey)
        defer { peer.stop() }
        for scenario in peer.scenarios(key: try JWTBearerGrant.PrivateKey(pem: Secret(key)), ways: ways) {
            do { try await scenario.run() } catch { Issue.record("\(scenario.name): \(error)") }
        }
    }
}
