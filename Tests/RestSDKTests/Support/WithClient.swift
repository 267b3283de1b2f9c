// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK

/// Gives the test an org of its own, which ends with it, and a client that logs in there when it first asks.
func withClient(_ body: (RestClient, LocalOrg) async throws -> Void) async throws {
    let org = try await LocalOrg.start()
    let client = try RestClient(
        loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
    do {
        try await body(client, org)
    } catch {
        await org.stop()
        throw error
    }
    await org.stop()
}
