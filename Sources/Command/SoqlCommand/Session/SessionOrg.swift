// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Synchronization

/// The org of a session: it is reached in the background, so that nobody waits for it before it is needed.
///
/// The main actor waits for keys most of the time, so that what happens meanwhile must not need it.
@MainActor
final class SessionOrg {
    /// What is known of an org once it is chosen.
    private struct Opening {
        let name: String
        let connection: Task<Connection, any Error>
        let schema: SchemaCache

        init(_ org: ChosenOrg) {
            name = org.name
            let connection = Task { try await org.connect() }
            self.connection = connection
            let storage = org.account?.descriptionsFolder.map { ObjectDescription.Catalog.Storage.folder($0) }
            schema = SchemaCache(client: { try await connection.value.client }, storage: storage ?? .memory)
        }
    }

    private var arguments: Arguments
    private var opening: Opening?
    /// The names of the logins.
    private(set) var accounts: [String] = []

    init(_ arguments: Arguments) {
        self.arguments = arguments
    }

    /// Chooses the org and begins to reach it; what is said about the choice stands above the first prompt.
    ///
    /// - Throws: what is wrong with the login, as far as that shows without a request.
    func begin() async throws { _ = try await begun() }

    private func begun() async throws -> Opening {
        if let opening { return opening }
        let opening = Opening(try await Connection.choose(arguments))
        opening.schema.begin()
        self.opening = opening
        accounts = (try? await Accounts.open(arguments.configuration).manager.accounts.map(\.id)) ?? []
        return opening
    }

    /// What completion knows of it; `nil` before the beginning.
    var schema: SchemaCache? { opening?.schema }
    /// What the prompt calls it.
    var name: String { opening?.name ?? "soql" }

    /// The client of the org.
    func client() async throws -> RestClient { try await begun().connection.value.client }

    /// The descriptions of the org's objects.
    func catalog() async throws -> ObjectDescription.Catalog { try await begun().schema.catalog() }

    /// Goes on at the org of another login; the session stays at this one when that does not work.
    func connect(to account: String) async throws {
        var other = arguments
        (other[.account], other[.targetOrg], other[.sample]) = (account, nil, nil)
        let opening = Opening(try await Connection.choose(other))
        _ = try await opening.connection.value
        await close()
        (arguments, self.opening) = (other, opening)
        opening.schema.begin()
    }

    func close() async {
        guard let connection = opening?.connection else { return }
        connection.cancel()
        await (try? connection.value)?.close()
    }
}

extension AccountManager.Account {
    /// Where what the org tells this user is kept; `nil` for a login that is not known to be one user's.
    fileprivate var descriptionsFolder: String? {
        guard let organizationID, let userID else { return nil }
        return SessionFiles.descriptions(of: "\(organizationID)-\(userID)")
    }
}

/// What is known of an org for completion; it fills in the background, and asking it never waits.
final class SchemaCache: Sendable {
    private struct State {
        var schema = CompletionSchema()
        /// What was asked for, so that it is not asked for again: the objects' names in lower case.
        var wanted: Set<String> = []
        /// The objects' names as the org spells them, by the same in lower case.
        var names: [String: String] = [:]
    }

    private let opened: Task<ObjectDescription.Catalog, any Error>
    private let state = Mutex(State())

    /// Makes a cache for an org that may still be on its way.
    init(
        client: @escaping @Sendable () async throws -> RestClient, storage: ObjectDescription.Catalog.Storage
    ) {
        opened = Task { ObjectDescription.Catalog(try await client(), storage: storage) }
    }

    /// The descriptions, once the org is reached.
    func catalog() async throws -> ObjectDescription.Catalog { try await opened.value }

    /// What is known now.
    var schema: CompletionSchema { state.withLock(\.schema) }

    /// Asks for the list of objects.
    ///
    /// A failure is the query's to report: completion is then without names.
    func begin() {
        Task {
            guard let objects = try? await catalog().objects() else { return }
            let names = objects.filter(\.isQueryable).map(\.name)
            let index = NameIndex(names)
            let spelled = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
            state.withLock { state in
                state.schema.objects = index
                state.names = spelled
            }
        }
    }

    /// Asks for the descriptions of objects, each once.
    func want(_ objects: Set<String>) {
        for object in objects {
            let folded = object.lowercased()
            // Until the list has come, any name may be an object's; afterwards what is only half typed is none.
            let name = state.withLock { state -> String? in
                guard state.names.isEmpty || state.names[folded] != nil else { return nil }
                return state.wanted.insert(folded).inserted ? state.names[folded] ?? object : nil
            }
            if let name { Task { await fetch(name) } }
        }
    }

    private func fetch(_ name: String) async {
        let description = try? await catalog().object(name)
        state.withLock { state in
            if let description {
                state.schema.add(description)
            } else {
                state.wanted.remove(name.lowercased())
            }
        }
    }
}
