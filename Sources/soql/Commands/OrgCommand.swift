// SPDX-License-Identifier: Apache-2.0

import LocalOrg

/// Runs the embedded org in the foreground until it is interrupted.
struct OrgCommand {
    let options: OrgOptions

    func run() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.port = options.port
        configuration.storage = options.dataFile.map { .file($0) } ?? .memory
        configuration.records = options.records
        let org = try await LocalOrg.start(configuration)
        StandardOutput.note("The embedded org listens on \(org.instanceURL). Connect with:")
        try StandardOutput.write(connection(to: org))
        StandardOutput.note("Press Control-C to stop it.")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        await org.stop()
    }

    /// Lines for a shell, so that `soql` and other tools find the org in their environment.
    private func connection(to org: LocalOrg) -> String {
        """
        export SF_INSTANCE_URL=\(org.instanceURL)
        export SF_ACCESS_TOKEN='\(org.issueCredential().accessToken)'
        export SF_LOGIN_URL=\(org.instanceURL)
        export SF_CLIENT_ID=\(org.clientID)
        export SF_CLIENT_SECRET=\(org.clientSecret)
        export SF_USERNAME=\(org.username)
        export SF_PASSWORD=\(org.password)

        """
    }
}
