// SPDX-License-Identifier: Apache-2.0

import RestSDK
import SOQLCheck
import Synchronization

/// The org of a session, connected in the background and off the main actor, which usually waits for keys.
@MainActor
final class SessionOrg {
    /// The state of an org after it was chosen.
    private struct Opening {
        let name: String
        let connection: Task<Connection, any Error>
        let schema: SchemaCache

        init(_ org: ChosenOrg) {
            name = org.name
            let connection = Task { try await org.connect() }
            self.connection = connection
            let storage = org.account?.descriptionsDirectory.map { ObjectDescription.Catalog.Storage.folder($0) }
            schema = SchemaCache(client: { try await connection.value.client }, storage: storage ?? .memory)
        }
    }

    private var arguments: Arguments
    private var opening: Opening?
    private(set) var accounts: [String] = []

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// Chooses the org, prints notes about the choice above the first prompt, and starts to connect.
    func begin() async throws { _ = try await begun() }

    private func begun() async throws -> Opening {
        if let opening { return opening }
        let opening = Opening(try await Connection.choose(arguments))
        opening.schema.begin()
        self.opening = opening
        accounts = (try? await Accounts.open(arguments.configuration).manager.accounts.map(\.id)) ?? []
        return opening
    }

    /// The information for completion, or `nil` before the org is chosen.
    var schema: SchemaCache? { opening?.schema }
    var name: String { opening?.name ?? "soql" }

    func client() async throws -> RestClient { try await begun().connection.value.client }

    func catalog() async throws -> ObjectDescription.Catalog { try await begun().schema.catalog() }

    /// Switches to the org of another login, or keeps the current org if that fails.
    func connect(to account: String) async throws {
        var other = arguments
        (other[.account], other[.targetOrg], other[.sample], other[.local]) = (account, nil, nil, nil)
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
    /// The directory of the cached descriptions, or `nil` if the login's org and user are unknown.
    fileprivate var descriptionsDirectory: String? {
        guard let organizationID, let userID else { return nil }
        return SessionFiles.descriptions(of: "\(organizationID)-\(userID)")
    }
}

/// The information about an org for completion, loaded in the background without blocking callers.
final class SchemaCache: Sendable {
    private struct State {
        var schema = CompletionSchema()
        /// The requested objects in lower case, so that none is requested twice.
        var wanted: Set<String> = []
        var hasWantedChannels = false
        /// The names of the objects as spelled by the org, by name in lower case.
        var names: [String: String] = [:]
    }

    private let client: @Sendable () async throws -> RestClient
    private let opened: Task<ObjectDescription.Catalog, any Error>
    private let state = Mutex(State())

    /// Creates a cache for an org that may not be connected yet.
    init(
        client: @escaping @Sendable () async throws -> RestClient, storage: ObjectDescription.Catalog.Storage
    ) {
        self.client = client
        opened = Task { ObjectDescription.Catalog(try await client(), storage: storage) }
    }

    /// Waits for the connection, and returns the descriptions.
    func catalog() async throws -> ObjectDescription.Catalog { try await opened.value }

    /// The current information.
    var schema: CompletionSchema { state.withLock(\.schema) }

    /// Requests the list of objects, ignoring errors because the query will report them.
    func begin() {
        Task {
            guard let objects = try? await catalog().objects() else { return }
            let names = objects.filter(\.isQueryable).map(\.name)
            let index = NameIndex(names)
            let channels = EventChannels.names(of: objects)
            let spelled = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
            state.withLock { state in
                state.schema.objects = index
                if state.schema.channels.isEmpty { state.schema.channels = channels }
                state.names = spelled
            }
        }
    }

    /// Requests the channels that are records, once.
    func wantChannels() {
        let isFirst = state.withLock { state in
            defer { state.hasWantedChannels = true }
            return !state.hasWantedChannels
        }
        guard isFirst else { return }
        Task {
            guard let objects = try? await catalog().objects(), let client = try? await client() else { return }
            let channels = await EventChannels.all(objects, of: client)
            state.withLock { $0.schema.channels = channels }
        }
    }

    /// Requests the descriptions of objects, each once.
    func want(_ objects: Set<String>) {
        for object in objects {
            let folded = object.lowercased()
            // Before the list is available, any name may be an object. Afterward, incomplete names are skipped.
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
