// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK

/// Sends one query, cancels another and lets a third time out, against an embedded org.
@main
enum DelegateApp {
    @MainActor
    static func main() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let list = AccountList(client: client)

        _ = try? await list.load(industry: "Banking").value

        org.faults.add(.delay(.seconds(30)), next: 2, matching: "/query")
        let cancelled = list.load(industry: "Energy")
        cancelled.cancel()
        _ = try? await cancelled.value
        _ = try? await list.load(industry: "Retail", timeout: .milliseconds(200)).value

        await org.stop()
        guard list.callbacks == ["didLoadResponse", "requestDidCancelLoad", "requestDidTimeout"] else {
            throw UnexpectedCallbacks(callbacks: list.callbacks)
        }
    }
}

/// The callbacks were not the three that are expected.
struct UnexpectedCallbacks: Error {
    let callbacks: [String]
}
