// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTransport
import Testing

@testable import RestSDK

@Suite("Building HTTP requests")
struct RequestBuilderTests {
    private let builder = RequestBuilder(RestClient.Configuration(apiVersion: APIVersion(66), userAgent: "tests/1"))
    private let instance = Origin(scheme: .https, host: "example.my.salesforce.com")

    private func target(_ request: RestRequest) throws -> String {
        try builder.request(for: request, instance: instance).url.target
    }

    @Test(
        "paths of the factories",
        arguments: [
            (RestRequest.versions, "GET", "/services/data"),
            (.limits, "GET", "/services/data/v66.0/limits"),
            (.resources, "GET", "/services/data/v66.0"),
            (.objects, "GET", "/services/data/v66.0/sobjects"),
            (.object("Account"), "GET", "/services/data/v66.0/sobjects/Account"),
            (.layout("Account"), "GET", "/services/data/v66.0/ui-api/layout/Account"),
            (
                .layout("Account", formFactor: "Small", layoutType: "Compact", mode: "Edit", recordTypeID: "012"),
                "GET",
                "/services/data/v66.0/ui-api/layout/Account?formFactor=Small&layoutType=Compact&mode=Edit&recordTypeId=012"
            ),
            (.userInfo, "GET", "/services/oauth2/userinfo"),
            (.singleAccess(to: "/lightning"), "POST", "/services/oauth2/singleaccess"),
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
            (.upsert("A", externalID: "Id", "001", [:]), "PATCH", "/services/data/v66.0/sobjects/A/Id/001"),
            (.upsert("A", externalID: "Id", nil, [:]), "POST", "/services/data/v66.0/sobjects/A/Id"),
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

    @Test("every line of a name that the caller repeats is sent, and none of the client's own")
    func repeatedFields() throws {
        var request = RestRequest.limits
        request.fields.append("Accept", "application/json;q=0.9")
        request.fields.append("Sforce-Call-Options", "client=a")
        request.fields.append("accept", "text/plain")
        let built = try builder.request(for: request, instance: instance)
        #expect(built.fields.values(of: "Accept") == ["application/json;q=0.9", "text/plain"])
        #expect(built.fields.map(\.name) == ["User-Agent", "Accept", "Sforce-Call-Options", "accept"])
    }

    @Test(
        "a whole URL of the instance is taken as it is",
        arguments: [
            "https://example.my.salesforce.com/services/x?page=1",
            "HTTPS://EXAMPLE.my.salesforce.com:443/services/x?page=1",
        ])
    func wholeURL(url: String) throws {
        #expect(try target(RestRequest(resource: .serverPath(url))) == "/services/x?page=1")
    }

    @Test("items join the query that a path has already, in their order; without either there is no question mark")
    func joinedQuery() throws {
        let items = [RestRequest.QueryItem("b", "1"), RestRequest.QueryItem("a", "2 3")]
        #expect(try target(RestRequest(resource: .serverPath("/x?page=10"), query: items)) == "/x?page=10&b=1&a=2%203")
        #expect(try target(RestRequest(resource: .data(["x"]), query: items)) == "/services/data/v66.0/x?b=1&a=2%203")
        #expect(try target(RestRequest(resource: .serverPath("/x?page=10"))) == "/x?page=10")
    }

    @Test("an error names the path of a whole URL, and never what stands before it")
    func summary() {
        let path = RestRequest(resource: .serverPath("https://example.com/a?b=c"))
        let password = RestRequest(resource: .serverPath("https://me:secret@example.com/a"))
        #expect(builder.summary(of: path).path == "/a")
        #expect(builder.summary(of: password).path.isEmpty)
    }

    @Test("conditions are written in GMT and English, to the second")
    func conditions() throws {
        let date = Date(timeIntervalSince1970: 784_111_777.9)
        let request = RestRequest.limits.ifModifiedSince(date).ifUnmodifiedSince(date)
            .ifMatch("\"a\"", "W/\"b\"").ifNoneMatch("\"c\"")
        let fields = try builder.request(for: request, instance: instance).fields
        #expect(fields["If-Modified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields["If-Unmodified-Since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(fields["If-Match"] == "\"a\", W/\"b\"")
        #expect(fields["If-None-Match"] == "\"c\"")
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
