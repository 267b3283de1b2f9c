// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestSDK

@Suite("Building HTTP requests")
struct RequestBuilderTests {
    private let builder = RequestBuilder(apiVersion: APIVersion(66), userAgent: "tests/1")
    private let instance = Origin(scheme: .https, host: "example.my.salesforce.com")

    private func target(_ request: RestRequest) throws -> String {
        try builder.request(for: request, instance: instance).url.target
    }

    @Test(
        "paths of the factories",
        arguments: [
            (RestRequest.versions, "GET", "/services/data"),
            (.limits, "GET", "/services/data/v66.0/limits"),
            (.objects, "GET", "/services/data/v66.0/sobjects"),
            (.describe("Account"), "GET", "/services/data/v66.0/sobjects/Account/describe"),
            (.query("SELECT Id FROM Account"), "GET", "/services/data/v66.0/query?q=SELECT%20Id%20FROM%20Account"),
            (.queryAll("SELECT Id FROM A"), "GET", "/services/data/v66.0/queryAll?q=SELECT%20Id%20FROM%20A"),
            (.nextPage("/services/data/v66.0/query/0r8xx0-2000"), "GET", "/services/data/v66.0/query/0r8xx0-2000"),
            (.create("Account", ["Name": "A"]), "POST", "/services/data/v66.0/sobjects/Account"),
            (
                .retrieve("Account", id: "001000000000001AAA"), "GET",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA"
            ),
            (
                .retrieve("Account", id: "001000000000001AAA", fields: ["Id", "Name"]), "GET",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA?fields=Id%2CName"
            ),
            (
                .update("Account", id: "001000000000001AAA", ["Name": "A"]), "PATCH",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA"
            ),
            (.upsert("A", externalID: "E__c", "x/y z", [:]), "PATCH", "/services/data/v66.0/sobjects/A/E__c/x%2Fy%20z"),
            (
                .delete("Account", id: "001000000000001AAA"), "DELETE",
                "/services/data/v66.0/sobjects/Account/001000000000001AAA"
            ),
        ] as [(RestRequest, String, String)])
    func paths(request: RestRequest, method: String, expected: String) throws {
        let built = try builder.request(for: request, instance: instance)
        #expect(built.method.rawValue == method)
        #expect(built.url.target == expected)
    }

    @Test("a path that the server gave is taken as it is; query items go after its own, in their order")
    func serverPath() throws {
        let userInfo = RestRequest(resource: .serverPath("/services/oauth2/userinfo"))
        #expect(try target(userInfo) == "/services/oauth2/userinfo")
        var page = RestRequest(resource: .serverPath("/services/data/v66.0/parameterizedSearch?q=A%20B"))
        #expect(try target(page) == "/services/data/v66.0/parameterizedSearch?q=A%20B")
        page.query = [.init("sobject", "Account"), .init("sobject", "Contact & Co")]
        #expect(
            try target(page)
                == "/services/data/v66.0/parameterizedSearch?q=A%20B&sobject=Account&sobject=Contact%20%26%20Co")
        page.resource = .data(["search"])
        #expect(try target(page) == "/services/data/v66.0/search?sobject=Account&sobject=Contact%20%26%20Co")
    }

    @Test("a plus sign in a query value is escaped, a space is never a plus sign")
    func plus() throws {
        let soql = SOQL(raw: "SELECT Id FROM A WHERE D > 2013-01-01T00:00:00.000+0000")
        #expect(try target(.query(soql)).hasSuffix("D%20%3E%202013-01-01T00%3A00%3A00.000%2B0000"))
    }

    @Test("a body goes with its content type, and a caller's header wins over the client's")
    func fields() throws {
        let request = RestRequest.create("Account", ["Name": "Ä"]).field("User-Agent", "mine")
        let built = try builder.request(for: request, instance: instance)
        #expect(built.fields["content-type"] == "application/json; charset=UTF-8")
        #expect(built.fields["user-agent"] == "mine")
        #expect(built.fields.values(of: "User-Agent").count == 1)
        #expect(built.body == .bytes(Array(#"{"Name":"Ä"}"#.utf8)))
    }

    @Test("the batch size goes into the query options, within the server's bounds")
    func batchSize() throws {
        let built = try builder.request(for: .query("SELECT Id FROM A", batchSize: 250), instance: instance)
        #expect(built.fields["Sforce-Query-Options"] == "batchSize=250")
    }

    @Test("API versions are read in the forms people write", arguments: ["66", "66.0", "v66.0"])
    func version(text: String) {
        #expect(APIVersion(text) == APIVersion(66))
    }

    @Test("what is no API version is refused", arguments: ["", "v", "66.1", "0", "-3", "66.0.0", "latest", "1000"])
    func noVersion(text: String) {
        #expect(APIVersion(text) == nil)
    }
}
