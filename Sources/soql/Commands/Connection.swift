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
        let url = try variable("SF_INSTANCE_URL", with: "SF_ACCESS_TOKEN")
        let token = try variable("SF_ACCESS_TOKEN", with: "SF_INSTANCE_URL")
        if let url, let token {
            return Connection(client: try client(at: url, token: Secret(token), configuration), org: nil)
        }
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret),
            configuration: configuration)
        return Connection(client: client, org: org)
    }

    /// The value of a variable that makes sense only together with another: one alone is a mistake, and must not lead to the
    /// sample data of the embedded org.
    private static func variable(_ name: String, with other: String) throws(UsageError) -> String? {
        func value(_ name: String) -> String? {
            ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        guard let text = value(name) else { return nil }
        guard value(other) != nil else { throw UsageError("\(name) is set but \(other) is not; set both or none") }
        return text
    }

    private static func client(
        at url: String, token: Secret, _ configuration: RestClientConfiguration
    ) throws(UsageError) -> RestClient {
        do {
            return try RestClient(instanceURL: url, accessToken: token, configuration: configuration)
        } catch {
            throw UsageError("SF_INSTANCE_URL makes no sense: \(error.message)")
        }
    }

    func close() async {
        await org?.stop()
    }
}
