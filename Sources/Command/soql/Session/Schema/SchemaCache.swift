// SPDX-License-Identifier: Apache-2.0

import RestSDK
import Synchronization

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
        opened = Task.detached { ObjectDescription.Catalog(try await client(), storage: storage) }
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
                state.schema.descriptions[description.name.lowercased()] = description
            } else {
                state.wanted.remove(name.lowercased())
            }
        }
    }
}
