// SPDX-License-Identifier: Apache-2.0

import RestBase
import RestJSON
import RestSDK

/// Something that can be asked of an org.
///
/// A verb, a command of the session and a tool of a language model are front ends of it.
struct Operation: Sendable {
    /// What an operation does to the org.
    enum Effect {
        case reads, adds, changes, removes
    }

    let name: String
    /// What it does, in lower case and without a full stop.
    let summary: String
    /// What a language model must know before it uses the operation.
    let advice: String
    let effect: Effect
    /// What it takes: operands in the order of the words of a command line, and options.
    let parameters: [Option]
    /// Asks the org; an operation that changes records gives the request to be sent.
    let run: @Sendable (Arguments, OrgAccess) async throws -> Outcome

    init(
        _ name: String, _ summary: String, advice: String = "", effect: Effect = .reads, _ parameters: [Option],
        run: @escaping @Sendable (Arguments, OrgAccess) async throws -> Outcome
    ) {
        (self.name, self.summary, self.advice, self.effect) = (name, summary, advice, effect)
        (self.parameters, self.run) = (parameters, run)
    }

    /// The parameters that a command line gives as words.
    var operands: [Option] { parameters.filter { !$0.name.hasBytes(prefix: "-") } }

    /// Returns a copy of the operation with parameters that one front end adds.
    func adding(_ parameters: [Option]) -> Operation {
        Operation(name, summary, advice: advice, effect: effect, self.parameters + parameters, run: run)
    }
}

/// The org as operations see it.
struct OrgAccess: Sendable {
    let client: RestClient
    /// The descriptions that were kept; without them the org is asked.
    var catalog: ObjectDescription.Catalog?
    /// The query to explain as it was written, if its parameters are bound.
    var query: QueryScript.Query?

    /// The descriptions of all objects in brief, in the org's order.
    func objects() async throws(RestError) -> [ObjectDescription.Summary] {
        guard let catalog else { return try await client.send(.objects) }
        return try await catalog.objects()
    }

    /// The description of an object.
    func object(_ name: String) async throws(RestError) -> ObjectDescription {
        guard let catalog else { return try await client.send(.describe(name)) }
        return try await catalog.object(name)
    }
}

/// What an operation gives.
enum Outcome: Sendable {
    case objects([ObjectDescription.Summary])
    case object(ObjectDescription)
    case rows(Listing)
    /// One record, and the fields to show.
    case record(JSONObject, columns: [String])
    case found([Record])
    case pages(QueryPages)
    /// A change of a record, which is not made yet.
    case change(RestRequest)

    /// The outcome as rows for people.
    var listing: Listing {
        switch self {
        case .objects(let objects): Listing(objects)
        case .object(let object): Listing(object.fields)
        case .rows(let listing): listing
        case .record(let record, let columns): Listing([record], columns: columns)
        case .found(let records): Listing(found: records)
        case .pages, .change: Listing([], columns: [])
        }
    }
}
