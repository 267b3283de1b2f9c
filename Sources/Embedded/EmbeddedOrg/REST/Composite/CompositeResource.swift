// SPDX-License-Identifier: Apache-2.0

import LocalServer
import RestBase
import RestJSON
import RestTransport
import SOQLStore

/// `/composite`: up to 25 requests, which may use values of earlier responses, optionally all or none.
struct CompositeResource {
    let router: RESTRouter

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("POST")
        let results = try results(try CompositePlan(call.request.body))
        return .object { Self.write(results, &$0) }
    }

    /// Returns the responses to a plan, and keeps nothing if a request of an all-or-none plan fails.
    func results(_ plan: CompositePlan) throws(OrgError) -> [Result] {
        guard plan.isAllOrNone else { return try runTogether(plan) ?? run(plan, router) }
        let results = try router.records.store.database.atomically { database in
            let results = run(plan, router.using(database), stopsAtFailure: true)
            return (results, isKept: !results.contains { $0.response.isFailure })
        }
        guard results.contains(where: { $0.response.isFailure }) else { return results }
        let undone = OrgError.halted(
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

    /// Runs requests that update records in one transaction, each in a savepoint of its own, for speed.
    ///
    /// Returns `nil` for other requests, and if changes were captured, because these show their transactions.
    private func runTogether(_ plan: CompositePlan) throws(OrgError) -> [Result]? {
        guard plan.updatesRecords else { return nil }
        return try router.records.store.database.atomically(within: nil) { database in
            let results = run(plan, router.using(database))
            return database.hasCaptured ? (nil, isKept: false) : (results, isKept: true)
        }
    }

    private func run(_ plan: CompositePlan, _ router: RESTRouter, stopsAtFailure: Bool = false) -> [Result] {
        var references = CompositeReferences()
        var results: [Result] = []
        for request in plan.requests {
            let response = respond(request, &references, router)
            references.add(request.id, response)
            results.append(Result(id: request.id, response: response))
            if stopsAtFailure, response.isFailure { break }
        }
        return results
    }

    private func respond(
        _ request: CompositePlan.Request, _ references: inout CompositeReferences, _ router: RESTRouter
    ) -> ServerResponse {
        do throws(OrgError) {
            let target = try references.resolve(request.target, isTarget: true)
            var body = request.body
            if let given = body { body = try references.resolve(given) }
            let call = SubRequest(method: request.method, target: target, body: body, fields: request.fields)
            return call.respond(by: router)
        } catch {
            return error.response
        }
    }

    static func write(_ results: [Result], _ writer: inout JSONWriter) {
        writer.member("compositeResponse", list: results) { writer, result in
            writer.object { writer in
                writer.member("body", bodyOf: result.response)
                let fields = result.response.fields.filter { $0.name == "Location" }
                writer.member("httpHeaders", object: fields.map { ($0.name, $0.value) })
                writer.member("httpStatusCode", result.response.status)
                writer.member("referenceId", result.id)
            }
        }
    }
}

/// The checked body of a composite request.
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
    /// Whether all requests update records.
    private(set) var updatesRecords = false

    private static let mostQueries = 5
    private static let prefix = "/services/data/v"

    init(_ body: [UInt8]) throws(OrgError) {
        let root = JSONValue(try RecordInput.members(body))
        isAllOrNone = try root.flag("allOrNone")
        guard let list = root["compositeRequest"]?.array, !list.isEmpty else {
            throw .invalidInput("compositeRequest must be a list of requests.")
        }
        guard list.count <= SubRequest.most else {
            throw .invalidInput("A composite request has at most \(SubRequest.most) requests.")
        }
        try add(list)
        updatesRecords = requests.allSatisfy { request in
            let path = request.target.utf8.dropFirst(Self.prefix.utf8.count).drop { $0 != UInt8(ascii: "/") }
            return request.method == "PATCH" && path.starts(with: "/sobjects/".utf8)
        }
        guard !updatesRecords else { return }
        let queries = requests.count {
            SubRequest(method: $0.method, target: $0.target, body: nil).isQueryOrCollection
        }
        guard queries <= Self.mostQueries else {
            throw .invalidInput("A composite request has at most \(Self.mostQueries) queries and collections.")
        }
    }

    /// Reads the nodes of a graph: requests for single records, all or none.
    init(nodesOf graph: JSONValue) throws(OrgError) {
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
            throw .invalidInput("The node \(other.id) must be a request of /sobjects; graphs accept nothing else.")
        }
    }

    private mutating func add(_ list: JSONArray) throws(OrgError) {
        for (index, element) in list.enumerated() { requests.append(try Self.request(element, at: index)) }
        if let id = requests.map(\.id).firstRepeated { throw .repeated("referenceId", id) }
    }

    private static func request(_ value: JSONValue, at index: Int) throws(OrgError) -> Request {
        guard let method = value["method"]?.string, let target = value["url"]?.string,
            target.hasBytes(prefix: prefix)
        else {
            throw .invalidInput(
                "compositeRequest[\(index)] needs a method and a url that begins with \(prefix).")
        }
        let id = value["referenceId"]?.string ?? ""
        guard !id.isEmpty, id.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "_") }) else {
            throw .invalidInput(
                "compositeRequest[\(index)] has the invalid referenceId '\(id.prefix(40))'; use letters, digits and underscores."
            )
        }
        let body = value["body"].flatMap { $0.isNull ? nil : $0 }
        return Request(id: id, method: method, target: target, body: body, fields: fields(value["httpHeaders"]?.object))
    }

    /// Returns the request's own headers except three headers of the outer request.
    private static func fields(_ object: JSONObject?) -> HTTPFields {
        var fields = HTTPFields()
        for (name, value) in object ?? [:]
        where !["accept", "authorization", "content-type"].contains(name.lowercased()) {
            fields.append(name, value.string ?? "")
        }
        return fields
    }
}

/// The earlier responses of a composite request for references such as `@{account.id}` or `@{page.records[0].Id}`.
struct CompositeReferences {
    private var values: [String: JSONValue] = [:]
    /// The number of bytes that references may still insert into all requests together.
    ///
    /// A short reference can stand for a long text. Without a limit, a small body could become a huge one.
    private var room: Int

    /// The default limit, because references are meant for IDs and names.
    static let mostBytes = 4 << 20

    init(room: Int = mostBytes) {
        self.room = room
    }

    /// Stores a response, or null for a failed one so that references to it fail.
    mutating func add(_ id: String, _ response: ServerResponse) {
        let value = response.isFailure ? nil : try? JSONValue(parsing: response.body)
        values[id] = value ?? .null
    }

    /// Returns the text with its references replaced by values, which are percent-encoded in a target.
    ///
    /// - Throws: `PROCESSING_HALTED` for an invalid reference, `REQUEST_TOO_LARGE` if the values exceed the limit.
    mutating func resolve(_ text: String, isTarget: Bool) throws(OrgError) -> String {
        var result = ""
        var rest = Substring(text)
        while let start = rest.firstRange(bytes: "@{") {
            result += rest[..<start.lowerBound]
            let inside = rest[start.upperBound...]
            guard let (reference, after) = inside.cut(byte: "}") else { throw Self.invalid(String(inside)) }
            let value = try value(of: String(reference))
            // Percent-encoding makes a value at most three times longer.
            room -= value.utf8.count * (isTarget ? 3 : 1)
            guard room >= 0 else { throw Self.tooLarge }
            result += isTarget ? PercentEncoding.queryComponent(value) : value
            rest = after
        }
        return result + rest
    }

    /// Returns the body with all references replaced.
    mutating func resolve(_ body: JSONValue) throws(OrgError) -> JSONValue {
        if let object = body.object {
            var members: [(key: String, value: JSONValue)] = []
            for (key, value) in object { members.append((key, try resolve(value))) }
            return .init(JSONObject(members: members))
        }
        if let array = body.array {
            var elements: [JSONValue] = []
            for element in array { elements.append(try resolve(element)) }
            return .init(JSONArray(elements))
        }
        guard let text = body.string, text.hasBytes("@{") else { return body }
        return .init(try resolve(text, isTarget: false))
    }

    private func value(of reference: String) throws(OrgError) -> String {
        let steps = reference.split(byte: ".", omittingEmptySubsequences: false)
        guard steps.count > 1, var found = values[String(steps[0])] else { throw Self.invalid(reference) }
        for step in steps.dropFirst() {
            guard let next = Self.member(String(step), of: found) else { throw Self.invalid(reference) }
            found = next
        }
        if let text = found.string ?? found.numberText { return text }
        guard let bool = found.bool else { throw Self.invalid(reference) }
        return bool ? "true" : "false"
    }

    /// Returns the member of a step, `Id` or `records[0]`.
    private static func member(_ step: String, of value: JSONValue) -> JSONValue? {
        let parts = step.split(byte: "[", omittingEmptySubsequences: false)
        guard var found = parts[0].isEmpty ? value : value[String(parts[0])] else { return nil }
        for part in parts.dropFirst() {
            guard let digits = part.removing(suffix: "]"), let index = Int(outside: digits, in: .count),
                let next = found[index]
            else { return nil }
            found = next
        }
        return found
    }

    private static let tooLarge = OrgError(
        "REQUEST_TOO_LARGE", "The values of the references are longer than \(mostBytes >> 20) MB.")

    private static func invalid(_ reference: String) -> OrgError {
        .halted("Invalid reference specified. No value for \(reference.prefix(100)) found.")
    }
}

/// `/composite/graph`: up to 75 graphs with up to 500 nodes together, each saved all or none.
struct GraphResource {
    let router: RESTRouter

    private static let (mostGraphs, mostNodes) = (75, 500)

    func respond(_ call: RESTRouter.Call) throws(OrgError) -> ServerResponse {
        try call.allow("POST")
        guard let list = try RecordInput.members(call.request.body)["graphs"]?.array, !list.isEmpty else {
            throw .invalidInput("graphs must be a list of graphs.")
        }
        guard list.count <= Self.mostGraphs else {
            throw .invalidInput("A request has at most \(Self.mostGraphs) graphs.")
        }
        var graphs: [(id: String, plan: CompositePlan)] = []
        for graph in list {
            guard let id = graph["graphId"]?.string, !id.isEmpty else {
                throw .invalidInput("A graph needs a graphId.")
            }
            graphs.append((id, try CompositePlan(nodesOf: graph)))
        }
        if let id = graphs.map(\.id).firstRepeated { throw .repeated("graphId", id) }
        guard graphs.reduce(0, { $0 + $1.plan.requests.count }) <= Self.mostNodes else {
            throw .invalidInput("A request has at most \(Self.mostNodes) nodes.")
        }
        let composite = CompositeResource(router: router)
        var responses: [(id: String, results: [CompositeResource.Result])] = []
        for graph in graphs { responses.append((graph.id, try composite.results(graph.plan))) }
        return .object { writer in
            writer.member("graphs", list: responses) { writer, response in
                writer.object { writer in
                    writer.member("graphId", response.id)
                    writer.member("graphResponse") { CompositeResource.write(response.results, &$0) }
                    writer.member("isSuccessful", !response.results.contains { $0.response.isFailure })
                }
            }
        }
    }
}
