// SPDX-License-Identifier: Apache-2.0

import LocalOrg
import RestSDK

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The org that a query goes to.
struct Connection {
    let client: RestClient
    private let org: LocalOrg?

    /// The org of the environment when it names one, else an embedded one that lives as long as the connection.
    static func open(timeoutSeconds: Int?) async throws -> Connection {
        var configuration = RestClientConfiguration(userAgent: "soql/\(SDKVersion.current)")
        if let timeoutSeconds { configuration.timeout = .seconds(timeoutSeconds) }
        let environment = ProcessInfo.processInfo.environment
        if let url = environment["SF_INSTANCE_URL"], let token = environment["SF_ACCESS_TOKEN"], !url.isEmpty,
            !token.isEmpty
        {
            let client = try RestClient(instanceURL: url, accessToken: Secret(token), configuration: configuration)
            return Connection(client: client, org: nil)
        }
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
        return Connection(client: client, org: org)
    }

    func close() async {
        await org?.stop()
    }
}
