// SPDX-License-Identifier: Apache-2.0

import RestSDK

/// The org of a session: it is reached in the background, so that nobody waits for it before it is needed.
@MainActor
final class SessionOrg {
    private var options: ConnectionOptions
    private var opening: Task<Connection, any Error>
    /// What completion knows of it; `nil` until it was reached.
    private(set) var schema: SchemaCache?
    /// What the prompt calls it.
    private(set) var name = "soql"
    /// The names of the logins.
    private(set) var accounts: [String] = []

    init(_ options: ConnectionOptions) {
        self.options = options
        opening = Task { try await Connection.open(options) }
        Task { try? await learn() }
    }

    /// The client of the org.
    func client() async throws -> RestClient { try await opening.value.client }

    /// The descriptions of the org's objects.
    func catalog() async throws -> ObjectDescription.Catalog {
        if schema == nil { try await learn() }
        if let schema { return schema.catalog }
        return ObjectDescription.Catalog(try await client())
    }

    /// Goes on at the org of another login; the session stays at this one when that does not work.
    func connect(to account: String) async throws {
        var other = options
        (other.account, other.usesSample) = (account, false)
        let connection = try await Connection.open(other)
        await close()
        (options, opening, schema) = (other, Task { connection }, nil)
        try await learn()
    }

    func close() async {
        opening.cancel()
        if let connection = try? await opening.value { await connection.close() }
    }

    /// Learns the org's name and objects, once it is reached.
    private func learn() async throws {
        let connection = try await opening.value
        guard schema == nil else { return }
        name = options.account ?? name
        let schema = SchemaCache(ObjectDescription.Catalog(connection.client))
        schema.begin()
        self.schema = schema
    }
}
