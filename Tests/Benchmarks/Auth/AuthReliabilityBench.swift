// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTransport

/// An org, and a directory with one login that this process and its children share.
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

    func login() throws -> Credential {
        let issued = org.issueCredential()
        return Credential(
            accessToken: Secret(issued.accessToken), refreshToken: Secret(issued.refreshToken),
            instance: try HTTPURL(parsing: org.instanceURL).origin)
    }

    func renew() async throws { try await AuthWorker(folder: folder).renew() }

    /// The number of token requests that the org rejected.
    var rejections: Int {
        org.journal.entries.filter { $0.pathHasSuffix("/token") && $0.status != 200 }.count
    }

    func child(_ settings: [String: String]) async -> Int32 {
        var environment = [AuthWorker.directoryVariable: folder]
        for (name, value) in settings { environment[AuthWorker.variable(name)] = value }
        return await runArea("auth", environment)
    }

    func close() async {
        await org.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
