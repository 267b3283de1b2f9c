// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport

/// `/composite`: up to 25 requests, later ones with values of earlier ones, on request all or none.
struct CompositeResource {
    let router: RESTRouter

    func answer(_ call: RESTRouter.Call) throws(OrgFault) -> ServerResponse {
        try call.allow("GET", "POST")
        return Self.response(try results(try CompositePlan(call.request.body)))
    }

    /// The answers to the requests of a plan; after a failure in an all-or-none plan nothing is kept.
    func results(_ plan: CompositePlan) throws(OrgFault) -> [Result] {
        guard plan.isAllOrNone else { return run(plan, router) }
        let results = try router.records.store.database.atomically { database in
            let results = run(plan, router.using(database), stopsAtFailure: true)
            return (results, isKept: !results.contains { $0.response.isFailure })
        }
        guard results.contains(where: { $0.response.isFailure }) else { return results }
        let undone = OrgFault.halted(
            "The transaction was rolled back since another operation in the same transaction failed.")
        let failed = results.last { $0.response.isFailure }
        return plan.requests.map { request in
            if let failed, failed.id == request.id { return failed }
            return Result(id: request.id, response: undone.response)
        }
    }

    struct Result: Sendable {
        let id: String
        let response: ServerResponse
    }

    private func run(_ plan: CompositePlan, _ router: RESTRouter, stopsAtFailure: Bool = false) -> [Result] {
        var references = CompositeReferences()
        var results: [Result] = []
        for request in plan.requests {
            let response = answer(request, &references, router)
            references.add(request.id, response)
            results.append(Result(id: request.id, response: response))
            if stopsAtFailure, response.isFailure { break }
        }
        return results
    }

    private func answer(
        _ request: CompositePlan.Request, _ references: inout CompositeReferences, _ router: RESTRouter
    ) -> ServerResponse {
        do throws(OrgFault) {
            let target = try references.resolve(request.target, isTarget: true)
            var body = request.body
            if let given = body { body = try references.resolve(given) }
            let call = SubRequest(method: request.method, target: target, body: body, fields: request.fields)
            return call.answer(by: router)
        } catch {
            return error.response
        }
    }

    private static func response(_ results: [Result]) -> ServerResponse {
        var writer = JSONWriter()
        write(results, &writer)
        return .json(200, writer.bytes)
    }

    /// Writes results as the answer has them.
    static func write(_ results: [Result], _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("compositeResponse")
        writer.beginArray()
        for result in results {
            writer.beginObject()
            writer.key("body")
            writer.body(of: result.response)
            writer.key("httpHeaders")
            writer.object(result.response.fields.filter { $0.name == "Location" }.map { ($0.name, $0.value) })
            writer.member("httpStatusCode", result.response.status)
            writer.member("referenceId", result.id)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }
}

/// The body of a composite request, checked.
struct CompositePlan {
    struct Request {
        let id: String
        let method: String
        let target: String
        let body: JSONValue?
        let fields: HTTPFields
    }

    let isAllOrNone: Bool
    private(set) var requests: [Request] = []

    /// A composite request may have only five of these.
    private static let mostQueries = 5

    init(_ body: [UInt8]) throws(OrgFault) {
        let root = JSONValue(try RecordInput.members(body))
        isAllOrNone = try root.flag("allOrNone")
        guard let list = root["compositeRequest"]?.array, !list.isEmpty else {
            throw .invalidInput("compositeRequest must be a list of requests.")
        }
        guard list.count <= SubRequest.most else {
            throw .invalidInput("A composite request has at most \(SubRequest.most) requests.")
        }
        try add(list)
        let queries = requests.count {
            SubRequest(method: $0.method, target: $0.target, body: nil).isQueryOrCollection
        }
        guard queries <= Self.mostQueries else {
            throw .invalidInput("A composite request has at most \(Self.mostQueries) queries and collections.")
        }
    }

    /// The nodes of a graph: single records, all or none of them.
    init(nodesOf graph: JSONValue) throws(OrgFault) {
        isAllOrNone = true
        guard let list = graph["compositeRequest"]?.array, !list.isEmpty else {
            throw .invalidInput("compositeRequest must be a list of requests.")
        }
        try add(list)
        let other = requests.first { request in
            let segments = RequestPath(request.target)?.segments.dropFirst(3) ?? []
            return segments.first != "sobjects" || segments.count < 2
        }
        if let other {
            throw .invalidInput("The node \(other.id) must be a request of /sobjects; graphs take nothing else.")
        }
    }

    private mutating func add(_ list: JSONArray) throws(OrgFault) {
        for (index, element) in list.enumerated() { requests.append(try Self.request(element, at: index)) }
        if let id = requests.map(\.id).firstRepeated { throw .repeated("referenceId", id) }
    }

    private static func request(_ value: JSONValue, at index: Int) throws(OrgFault) -> Request {
        guard let method = value["method"]?.string, let target = value["url"]?.string,
            target.hasBytes(prefix: "/services/data/v")
        else {
            throw .invalidInput(
                "compositeRequest[\(index)] needs a method and a url that begins with /services/data/v.")
        }
        let id = value["referenceId"]?.string ?? ""
        guard !id.isEmpty, id.utf8.allSatisfy(isReferenceByte) else {
            throw .invalidInput(
                "compositeRequest[\(index)] has the referenceId '\(id.prefix(40))'; letters, digits and underscores make one."
            )
        }
        let body = value["body"].flatMap { $0.isNull ? nil : $0 }
        return Request(id: id, method: method, target: target, body: body, fields: fields(value["httpHeaders"]?.object))
    }

    private static func isReferenceByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"): true
        default: false
        }
    }

    /// The request's own fields; these three come from the outer request.
    private static func fields(_ object: JSONObject?) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in object ?? [:]
        where !["accept", "authorization", "content-type"].contains(name.lowercased()) {
            fields.append(name, value.string ?? "")
        }
        return fields
    }
}
