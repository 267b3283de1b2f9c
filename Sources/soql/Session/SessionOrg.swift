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

    /// Waits a moment for the org, so that what is said about it stands above the first prompt.
    ///
    /// - Throws: what is wrong with the login, as far as that shows by then.
    func begin() async throws {
        let opening = opening
        try await withThrowingTaskGroup { group in
            group.addTask { _ = try await opening.value }
            group.addTask { try await Task.sleep(for: Self.patience) }
            try await group.next()
            group.cancelAll()
        }
    }

    /// How long the first prompt waits at most.
    private static let patience = Duration.milliseconds(25)

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

    /// The first part of a host's name: `acme` of `https://acme.my.example.com`.
    private static func label(of url: String) -> String {
        let host = url.split(separator: "/").dropFirst().first?.split(separator: ":").first ?? ""
        let isNumber = host.allSatisfy { $0.isNumber || $0 == "." }
        return String(isNumber ? host : host.prefix { $0 != "." }).singleLine
    }

    func close() async {
        opening.cancel()
        if let connection = try? await opening.value { await connection.close() }
    }

    /// Learns the org's name and objects, once it is reached.
    private func learn() async throws {
        let connection = try await opening.value
        guard schema == nil else { return }
        let logins = try await Accounts.open(try options.configuration())
        accounts = logins.manager.accounts.map(\.id)
        var account: LinkedAccount?
        switch try OrgChoice(options) {
        case .sample: name = "sample"
        case .token(let url, _): name = Self.label(of: url)
        case .login(let login):
            name = login
            account = try? logins.find(login)
        case .current:
            account = logins.manager.current
            name = account?.id ?? (connection.isEmbedded ? "sample" : name)
        }
        let storage = account?.descriptionsFolder.map { ObjectDescription.Catalog.Storage.folder($0) } ?? .memory
        let schema = SchemaCache(ObjectDescription.Catalog(connection.client, storage: storage))
        schema.begin()
        self.schema = schema
    }
}

extension LinkedAccount {
    /// Where what the org tells this user is kept; `nil` for a login that is not known to be one user's.
    fileprivate var descriptionsFolder: String? {
        guard let organizationID, let userID else { return nil }
        return SessionFiles.descriptions(of: "\(organizationID)-\(userID)")
    }
}
