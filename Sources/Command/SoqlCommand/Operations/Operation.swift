// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestEvents
import RestJSON
import RestSDK

/// An operation that an org provides, used by verbs, session commands and tools of language models.
struct Operation: Sendable {
    /// The effect of an operation on the org.
    enum Effect {
        case reads, adds, changes, removes
    }

    let name: String
    /// The summary in lower case without a full stop.
    let summary: String
    /// Information that a language model needs before it uses the operation.
    let advice: String
    let effect: Effect
    /// The operands in the order of the command line, and the options.
    let parameters: [Option]
    /// Sends requests to the org, or returns the request of an operation that changes records.
    let run: @Sendable (Arguments, OrgAccess) async throws -> Outcome

    init(
        _ name: String, _ summary: String, advice: String = "", effect: Effect = .reads, _ parameters: [Option],
        run: @escaping @Sendable (Arguments, OrgAccess) async throws -> Outcome
    ) {
        (self.name, self.summary, self.advice, self.effect) = (name, summary, advice, effect)
        (self.parameters, self.run) = (parameters, run)
    }

    /// The parameters that are words on the command line.
    var operands: [Option] { parameters.filter { !$0.name.hasBytes(prefix: "-") } }

    /// Returns a copy of the operation with additional parameters for one front end.
    func adding(_ parameters: [Option]) -> Operation {
        Operation(name, summary, advice: advice, effect: effect, self.parameters + parameters, run: run)
    }
}

/// The access of operations to the org.
struct OrgAccess: Sendable {
    let client: RestClient
    /// The cached descriptions, or `nil` to query the org.
    var catalog: ObjectDescription.Catalog?
    /// The query to explain, if its parameters are bound.
    var query: QueryScript.Query?

    func objects() async throws(RestError) -> [ObjectDescription.Summary] {
        guard let catalog else { return try await client.send(.objects) }
        return try await catalog.objects()
    }

    func object(_ name: String) async throws(RestError) -> ObjectDescription {
        guard let catalog else { return try await client.send(.describe(name)) }
        return try await catalog.object(name)
    }
}

/// The result of an operation.
enum Outcome: Sendable {
    case objects([ObjectDescription.Summary])
    case object(ObjectDescription)
    case rows(Listing)
    /// One record, and the fields to show.
    case record(JSONObject, columns: [String])
    case found([Record])
    case pages(QueryPages)
    /// The events that arrived in time, and the channels of which events were missed.
    case events([ReceivedEvent], [EventGap])
    /// A change of a record that has not been sent.
    case change(RestRequest)

    /// The result as rows.
    var listing: Listing {
        switch self {
        case .objects(let objects): Listing(objects)
        case .object(let object): Listing(object.fields)
        case .rows(let listing): listing
        case .record(let record, let columns): Listing([record], columns: columns)
        case .found(let records): Listing(found: records)
        case .pages, .events, .change: Listing([], columns: [])
        }
    }
}
