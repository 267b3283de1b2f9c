// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTransport

/// An org, and a folder with one login of it that this process and its children share.
struct AuthBench: Sendable {
    static let account = "shared"

    let org: LocalOrg
    let store: FileCredentialStore
    private let folder: String

    init(rotation: RefreshRotation) async throws {
        org = try await LocalOrg.start(LocalOrgConfiguration(refreshRotation: rotation))
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("auth-\(UUID().uuidString)").path
        store = FileCredentialStore(directory: folder)
        _ = try await store.save(login(), for: Self.account, replacing: nil)
        let settings = [org.instanceURL, org.clientID, org.clientSecret].joined(separator: "\n")
        try Data(settings.utf8).write(to: URL(fileURLWithPath: folder + "/settings"))
    }

    /// A new login of the org's user.
    func login() throws -> Credential {
        let issued = org.issueCredential()
        return Credential(
            accessToken: Secret(issued.accessToken), refreshToken: Secret(issued.refreshToken),
            instance: try HTTPURL(parsing: org.instanceURL).origin)
    }

    /// Renews what the store holds.
    func renew() async throws { try await AuthWorker(folder: folder).renew() }

    /// Token requests that the org refused.
    var refusals: Int {
        org.journal.entries.filter { $0.pathHasSuffix("/token") && $0.status != 200 }.count
    }

    /// Runs this program as a worker on the folder.
    func child(_ settings: [String: String]) async -> Int32 {
        var environment = [AuthWorker.folderVariable: folder]
        for (name, value) in settings { environment[AuthWorker.variable(name)] = value }
        return await runArea("auth", environment)
    }

    func close() async {
        await org.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
