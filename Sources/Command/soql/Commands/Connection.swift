// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestSDK
import Synchronization

/// The org that a command asks.
///
/// Other verbs use it so:
///
/// ```swift
/// let connection = try await Connection.open(options)
/// let limits = try await connection.withClient { client in try await client.send(.limits) }
/// await connection.close()
/// ```
struct Connection: Sendable {
    /// The client, which changes when the server turns out to be older.
    private final class Holder: Sendable {
        let client: Mutex<RestClient>
        init(_ client: RestClient) { self.client = Mutex(client) }
    }

    private let holder: Holder
    private let org: LocalOrg?
    private let configuration: RestClient.Configuration
    /// Whether the newest version that both sides know is looked for.
    private let findsVersion: Bool
    /// Makes a client of the same org with another configuration.
    private let remake: @Sendable (RestClient.Configuration) throws -> RestClient

    /// Whether the org is the embedded one, with sample data.
    var isEmbedded: Bool { org != nil }

    /// The client for the newest version of the API that is known to fit.
    var client: RestClient { holder.client.withLock(\.self) }

    init(
        _ options: ConnectionOptions, _ configuration: RestClient.Configuration, org: LocalOrg? = nil,
        remake: @escaping @Sendable (RestClient.Configuration) throws -> RestClient
    ) throws {
        holder = Holder(try remake(configuration))
        (self.org, self.configuration, self.remake) = (org, configuration, remake)
        findsVersion = options.apiVersion == nil
    }

    /// Runs calls; should the server not know the version of the API, they run once more with one that it knows.
    ///
    /// - Parameter body: the calls; an error `.notFound` out of it must mean that nothing was done.
    /// - Returns: what the calls give.
    /// - Throws: what the calls throw.
    func withClient<Result>(_ body: (RestClient) async throws -> Result) async throws -> Result {
        do {
            return try await body(client)
        } catch let error as RestError where error.code == .notFound {
            guard let version = await olderVersion() else { throw error }
            try use(version)
            return try await body(client)
        }
    }

    /// The newest version that both sides know, where it is older than the one in use and none was chosen.
    ///
    /// - Returns: `nil` also when the server does not list its versions.
    func olderVersion() async -> APIVersion? {
        guard findsVersion, let answer = try? await client.send(.versions) else { return nil }
        let versions = answer.payload.array?.compactMap { $0["version"]?.string.flatMap { APIVersion($0) } } ?? []
        return versions.filter { $0 <= .current }.max().flatMap { $0 < client.apiVersion ? $0 : nil }
    }

    /// Uses another version from now on.
    private func use(_ version: APIVersion) throws {
        StandardOutput.note("soql: the server supports API version \(version) at most; using that")
        var configuration = configuration
        configuration.apiVersion = version
        let client = try remake(configuration)
        holder.client.withLock { $0 = client }
    }

    /// Ends the embedded org, if it is the one.
    func close() async {
        await org?.stop()
    }
}
