// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestSDK
import RestTesting
import Simulation
import Testing

@Suite("Invalid input")
struct BadInputTests {
    /// A call that cannot be sent, and the argument that the error must name.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let argument: String
        let request: RestRequest
        var configuration = RestClient.Configuration()

        init(
            _ name: String, _ argument: String, _ request: RestRequest,
            _ configuration: RestClient.Configuration = RestClient.Configuration()
        ) {
            (self.name, self.argument, self.request, self.configuration) = (name, argument, request, configuration)
        }

        var testDescription: String { name }
    }

    private static let id = "001000000000001AAA"
    private static let query: SOQL = "SELECT Id FROM Account"

    private static func query(_ condition: String) -> RestRequest {
        .query(SOQL(raw: "SELECT Id FROM A WHERE \(condition)"))
    }

    private static func version(_ number: Int) -> RestClient.Configuration {
        RestClient.Configuration(apiVersion: APIVersion(number))
    }

    private static func stream(retrying: Bool) -> RestRequest {
        var request = RestRequest(method: .post, resource: .data(["x"]), body: .stream(HTTPBody.Source.once { nil }))
        if retrying { request.retryPolicy = RetryPolicy() }
        return request
    }

    private static func composite(_ parts: [(String, RestRequest)]) -> RestRequest {
        var composite = Composite()
        for (name, request) in parts { composite.add(request, as: name) }
        return composite.request
    }

    private static let file = RestRequest(method: .post, resource: .data(["x"]), body: .file(path: "/etc/hosts"))
    private static let injected = RestRequest.create("Account", ["Name": "@{secret.id}"])

    private static func tree(levels: Int) -> Record.Tree {
        Record.Tree(
            "A", as: "r\(levels)", [:], children: levels == 1 ? [:] : ["Children": [tree(levels: levels - 1)]])
    }

    private static let cases: [Case] = [
        Case("an empty query", "soql", .query("")),
        Case("a blank query", "soql", .query(" \n\t")),
        Case("an empty queryAll", "soql", .queryAll("")),
        Case("an empty list for IN", "soql", .query("SELECT Id FROM A WHERE N IN \([String]())")),
        Case("an infinite number", "soql", .query("SELECT Id FROM A WHERE N = \(Double.infinity)")),
        Case("no number", "soql", .query("SELECT Id FROM A WHERE N = \(Decimal.nan)")),
        Case(
            "a day of no calendar", "soql",
            .query("SELECT Id FROM A WHERE D = \(SOQLDate(year: 2023, month: 2, day: 29))")),
        Case(
            "a date of no calendar", "soql", .query("SELECT Id FROM A WHERE D = \(Date(timeIntervalSince1970: 1e15))")),
        Case("a query beyond the server's limit", "soql", query("N = '\(String(repeating: "é", count: 100_000))'")),
        Case(
            "a long query for an old API version", "soql", query("N = '\(String(repeating: "x", count: 17_000))'"),
            version(37)),
        Case("a page that is too small", "batchSize", .query(query, batchSize: 199)),
        Case("a page that is too large", "batchSize", .query(query, batchSize: 2_001)),
        Case("a negative page", "batchSize", .nextPage("/services/data/v66.0/query/0r8-2000", batchSize: -1)),
        Case("an empty id", "id", .retrieve("Account", id: "")),
        Case("a short id", "id", .retrieve("Account", id: "001")),
        Case("an id with a path in it", "id", .update("Account", id: "../../../001000000", [:])),
        Case("an id of 16 characters", "id", .delete("Account", id: "0010000000000012")),
        Case("an id that is not ASCII", "id", .delete("Account", id: "00100000000000É")),
        Case("no object", "type", .create("", [:])),
        Case("a blank object", "type", RestRequest.Typed.describe(" ").request),
        Case("no external id field", "externalID", .upsert("Account", externalID: "", "x", [:])),
        Case("no external id", "value", .upsert("Account", externalID: "E__c", "", [:])),
        Case("an external id that means another path", "path", .upsert("Account", externalID: "E__c", "..", [:])),
        Case("an object that means another path", "path", RestRequest.Typed.describe(".").request),
        Case("a next page that means another path", "path", .nextPage("/services/data/v66.0/%2E./query")),
        Case("a part that means another path", "path", composite([("a", .upsert("A", externalID: "E__c", "..", [:]))])),
        Case("an external id that is nil", "value", .upsert("Account", externalID: "E__c", nil, [:])),
        Case("a condition of no calendar", "date", .plainLimits.ifModifiedSince(Date(timeIntervalSince1970: 1e15))),
        Case("a condition of no number", "date", .plainLimits.ifUnmodifiedSince(Date(timeIntervalSince1970: .nan))),
        Case("an entity tag without quotes", "tags", .plainLimits.ifMatch("abc")),
        Case("no entity tag", "tags", .plainLimits.ifNoneMatch()),
        Case("a page for nobody", "page", .singleAccess(to: "")),
        Case("a login host that nobody named", "service", .userInfo),
        Case("a next page elsewhere", "path", .nextPage("https://evil.example/services/data")),
        Case("a next page over plain http", "path", .nextPage("http://example.my.salesforce.com/services/data")),
        Case("a next page at another port", "path", .nextPage("https://example.my.salesforce.com:8443/services/data")),
        Case("a next page with a user name", "path", .nextPage("https://u@example.my.salesforce.com/services/data")),
        Case("a next page of another host", "path", .nextPage("//evil.example/services/data")),
        Case("a next page that is no path", "path", .nextPage("/a b")),
        Case("no next page", "path", .nextPage("")),
        Case("API version 0", "apiVersion", .plainLimits, version(0)),
        Case("a negative API version", "apiVersion", .plainLimits, version(-66)),
        Case("an API version beyond all", "apiVersion", .plainLimits, version(1_000)),
        Case("collections before version 42", "apiVersion", RestRequest.Typed.delete(ids: [id]).request, version(41)),
        Case("a batch before version 34", "apiVersion", Batch([.plainLimits]).request, version(33)),
        Case(
            "counts as a part before version 40", "apiVersion",
            composite([("a", RestRequest.Typed.recordCounts().request)]), version(39)),
        Case(
            "anonymous Apex that is too long", "code",
            RestRequest.Typed.executeAnonymous(String(repeating: "x", count: 17_000)).request),
        Case(
            "a URL that is too long", "query",
            .retrieve("Account", id: id, fields: Array(repeating: "Name", count: 4_000))),
        Case(
            "a body that is too large", "body",
            RestRequest(
                method: .post, resource: .data(["x"]),
                body: .bytes([UInt8](repeating: 0, count: RestRequest.maximumBodySize + 1)))),
        Case("a reference outside of a composite request", "id", .delete("Account", id: "@{a.id}")),
        Case("a composite request without parts", "parts", composite([])),
        Case("26 parts", "parts", composite((0..<26).map { ("r\($0)", .plainLimits) })),
        Case("six queries", "parts", composite((0..<6).map { ("r\($0)", .query(query)) })),
        Case("a name used twice", "parts.a", composite([("a", .plainLimits), ("a", .plainLimits)])),
        Case("a name with a dash", "reference", composite([("a-b", .plainLimits)])),
        Case("a part that cannot be sent", "parts.a.soql", composite([("a", .query(""))])),
        Case("a part in a part", "parts.a", composite([("a", composite([("b", .plainLimits)]))])),
        Case("a part at the login host", "parts.a", composite([("a", .userInfo)])),
        Case("a part elsewhere", "parts.a.resource", composite([("a", .nextPage("/services/oauth2/userinfo"))])),
        Case("a part that is a file", "parts.a.body", composite([("a", file)])),
        Case("a part with a login", "parts.a.fields", composite([("a", .plainLimits.field("Authorization", "x"))])),
        Case(
            "a reference to a later part", "parts.a",
            composite([("a", .delete("Account", id: "@{b.id}")), ("b", .plainLimits)])),
        Case("a text that the server would take for a reference", "parts.a", composite([("a", injected)])),
        Case("an empty batch", "requests", Batch([]).request),
        Case("26 requests in a batch", "requests", Batch(Array(repeating: .plainLimits, count: 26)).request),
        Case("a field in a batch", "requests[0].fields", Batch([.query(query, batchSize: 200)]).request),
        Case("a reference in a batch", "requests[0]", Batch([.delete("Account", id: "@{b.id}")]).request),
        Case("no records", "records", RestRequest.Typed.create([]).request),
        Case(
            "201 records", "records",
            RestRequest.Typed.create(Array(repeating: Record.Draft("A", [:]), count: 201)).request),
        Case(
            "eleven runs of types", "records",
            RestRequest.Typed.create((0..<11).map { Record.Draft($0.isMultiple(of: 2) ? "A" : "B", [:]) }).request),
        Case(
            "a new record with an id", "records[0].id",
            RestRequest.Typed.create([Record.Draft("A", id: id, [:])]).request),
        Case("a change without an id", "records[0].id", RestRequest.Typed.update([Record.Draft("A", [:])]).request),
        Case(
            "a record without a type", "records[1].type",
            RestRequest.Typed.create([Record.Draft("A", [:]), Record.Draft("", [:])]).request),
        Case(
            "an upsert without a key", "records[0].K__c",
            RestRequest.Typed.upsert("A", externalID: "K__c", [["Name": "x"]]).request),
        Case("201 ids", "ids", RestRequest.Typed.delete(ids: Array(repeating: id, count: 201)).request),
        Case("a wrong id among others", "ids[1]", RestRequest.Typed.delete(ids: [id, "x"]).request),
        Case(
            "2,001 ids to read", "ids",
            RestRequest.Typed.retrieve("A", ids: Array(repeating: id, count: 2_001), fields: ["Id"]).request),
        Case("no fields to read", "fields", RestRequest.Typed.retrieve("A", ids: [id], fields: []).request),
        Case("an empty tree", "records", RestRequest.Typed.createTree([]).request),
        Case("a tree of six levels", "records", RestRequest.Typed.createTree([tree(levels: 6)]).request),
        Case(
            "a tree of six types", "records",
            RestRequest.Typed.createTree([
                Record.Tree(
                    "A", as: "top", [:],
                    children: ["Children": (1...5).map { Record.Tree("B\($0)", as: "r\($0)", [:]) }]
                )
            ]).request),
        Case(
            "a tree of 201 records", "records",
            RestRequest.Typed.createTree((0..<201).map { Record.Tree("A", as: "r\($0)", [:]) }).request),
        Case(
            "a reference in a tree twice", "records",
            RestRequest.Typed.createTree([Record.Tree("A", as: "r", [:]), Record.Tree("A", as: "r", [:])]).request),
        Case(
            "a field of a tree with the name of a list", "records",
            RestRequest.Typed.createTree([
                Record.Tree(
                    "A", as: "r", ["children": "x"], children: ["Children": [Record.Tree("B", as: "s", [:])]])
            ]).request),
        Case(
            "a field of a tree that hides its type", "records",
            RestRequest.Typed.createTree([Record.Tree("A", as: "r", ["Attributes": ["type": "B"]])]).request),
        Case("an empty search", "sosl", RestRequest.Typed.search("").request),
        Case("a search for nothing", "sosl", RestRequest.Typed.search("FIND {\("")}").request),
        Case("a search for signs alone", "sosl", RestRequest.Typed.search("FIND {\("* ?")}").request),
        Case("a search for a list", "sosl", RestRequest.Typed.search("FIND {\(["a", "b"])}").request),
        Case(
            "a search with quotes around a value", "sosl",
            RestRequest.Typed.search("FIND {x} RETURNING A(Id WHERE N = '\("v")')").request),
        Case(
            "a prefix outside of FIND", "sosl",
            RestRequest.Typed.search("FIND {x} RETURNING A(Id WHERE N = \(prefix: "v"))").request),
        Case(
            "a search that is too long", "sosl",
            RestRequest.Typed.search(SOSL(raw: "FIND {\(String(repeating: "x", count: 17_000))}")).request),
        Case("a plain search for nothing", "text", RestRequest.Typed.search(ParameterizedSearch(" -")).request),
        Case(
            "a plain search with an unescapable value", "objects.A.condition",
            RestRequest.Typed.search(ParameterizedSearch("x", objects: [.init("A", condition: "N IN \([String]())")]))
                .request),
        Case(
            "a plain search with a limit of 0", "objects.A.limit",
            RestRequest.Typed.search(ParameterizedSearch("x", objects: [.init("A", limit: 0)])).request),
        Case("a stream that is to be sent twice", "retryPolicy", stream(retrying: true)),
    ]

    @Test("an invalid call is rejected before anything is sent, and the error names the argument", arguments: cases)
    func refused(input: Case) async throws {
        let transport = StubTransport()
        var configuration = input.configuration
        configuration.transport = transport
        let client = try RestClient.of(configuration)
        let error = await expectFailure(.invalidRequest) { try await client.send(input.request) }
        #expect(error?.message.hasPrefix("\(input.argument): ") == true, "\(error?.message ?? "")")
        #expect(error?.outcome == (input.request.isWrite ? .notApplied : nil))
        #expect(transport.requests.isEmpty)
    }

    @Test(
        "a client is not created for an invalid URL, or for plain HTTP to a remote host",
        arguments: [
            "", " ", "example.com", "https://", "https:///x", "https://example.com/path", "https://example.com?q=1",
            "https://u:p@example.com", "ftp://example.com", "http://example.com", "http://127.0.0.1.example.com",
            "http://localhost.example.com", "https://exa mple.com", "https://example.com:99999",
        ])
    func urls(url: String) {
        let instance = #expect(throws: RestError.self) { try RestClient(instanceURL: url, accessToken: "t") }
        #expect(instance?.code == .invalidRequest)
        #expect(instance?.message.hasPrefix("instanceURL: ") == true)
        let login = #expect(throws: RestError.self) { try RestClient(loginURL: url, clientID: "c", clientSecret: nil) }
        #expect(login?.message.hasPrefix("loginURL: ") == true)
    }

    @Test("an instance with plain HTTP is rejected even if it comes with a token")
    func plainInstance() async throws {
        let transport = StubTransport()
        let tokens = TokenManager(
            credential: Credential(accessToken: "t", instance: Origin(scheme: .http, host: "example.com")),
            renewal: .none)
        let client = RestClient(tokens: tokens, configuration: RestClient.Configuration(transport: transport))
        await expectFailure(.invalidRequest) { try await client.send(.plainLimits) }
        #expect(transport.requests.isEmpty)
    }
}
