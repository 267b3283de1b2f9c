// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Composite requests")
struct CompositeTests {
    private func post(
        _ requests: String, allOrNone: Bool = false, _ client: OrgClient
    ) throws -> RawClient.Response {
        let body = #"{"allOrNone":\#(allOrNone),"compositeRequest":[\#(requests)]}"#
        return try client.send("POST", "\(OrgClient.data)/composite", body: body)
    }

    private func request(_ id: String, _ method: String, _ path: String, _ body: String? = nil) -> String {
        let tail = body.map { #","body":\#($0)"# } ?? ""
        return #"{"method":"\#(method)","url":"\#(OrgClient.data)\#(path)","referenceId":"\#(id)"\#(tail)}"#
    }

    private func statuses(_ response: RawClient.Response) -> [Int] {
        response.json["compositeResponse"]?.array?.compactMap { $0["httpStatusCode"]?.int } ?? []
    }

    @Test("later requests use values of earlier ones in paths, bodies and queries, and the whole counts as one call")
    func references() async throws {
        let client = try await OrgClient.start()
        let query = "SELECT+Name,(SELECT+LastName+FROM+Contacts)+FROM+Account+WHERE+Id='@{account.id}'"
        let response = try post(
            [
                request("account", "POST", "/sobjects/Account", #"{"Name":"Composite & Co"}"#),
                request(
                    "contact", "POST", "/sobjects/Contact",
                    #"{"LastName":"of @{account.id}","AccountId":"@{account.id}"}"#),
                request("page", "GET", "/query/?q=\(query)"),
                request("again", "GET", "/query?q=SELECT+Id+FROM+Account+WHERE+Name='@{page.records[0].Name}'"),
                request("change", "PATCH", "/sobjects/Account/@{again.records[0].Id}", #"{"Site":"Here"}"#),
            ].joined(separator: ","), client)
        #expect(response.status == 200)
        #expect(statuses(response) == [201, 201, 200, 200, 204])
        let results = response.json["compositeResponse"]
        let id = try #require(results?[0]?["body"]?["id"]?.string)
        #expect(results?[0]?["httpHeaders"]?["Location"]?.string == "\(OrgClient.data)/sobjects/Account/\(id)")
        #expect(results?[0]?["referenceId"]?.string == "account")
        let contact = results?[2]?["body"]?["records"]?[0]?["Contacts"]?["records"]?[0]
        #expect(contact?["LastName"]?.string == "of \(id)")
        #expect(results?[3]?["body"]?["records"]?[0]?["Id"]?.string == id)
        #expect(results?[4]?["body"]?.isNull == true)
        #expect(response.field("Sforce-Limit-Info") == "api-usage=1/15000")
        #expect(try client.get("/sobjects/Account/\(id)").json["Site"]?.string == "Here")
    }

    @Test("a query that is too long for a URL is answered inside a composite request")
    func longQuery() async throws {
        let client = try await SharedOrg.client
        let names = (0..<2_000).map { "'Name number \($0)'" }.joined(separator: ",")
        let soql = "SELECT Id FROM Account WHERE Name IN (\(names))"
        #expect(try client.query(soql).status == 414)
        let text = soql.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        let response = try post(request("long", "GET", "/query?q=\(text)"), client)
        #expect(statuses(response) == [200])
        #expect(response.json["compositeResponse"]?[0]?["body"]?["totalSize"]?.int == 0)
    }

    @Test("with all-or-none, one error undoes the other requests and identifies the failed one")
    func allOrNone() async throws {
        let client = try await OrgClient.start()
        let requests = [
            request("first", "POST", "/sobjects/Account", #"{"Name":"Undone"}"#),
            request("second", "POST", "/sobjects/Account", #"{"Colour":"x"}"#),
            request("third", "POST", "/sobjects/Account", #"{"Name":"Never"}"#),
        ].joined(separator: ",")
        let all = try post(requests, allOrNone: true, client)
        #expect(all.status == 200)
        #expect(statuses(all) == [400, 400, 400])
        let codes = all.json["compositeResponse"]?.array?.compactMap { $0["body"]?[0]?["errorCode"]?.string }
        #expect(codes == ["PROCESSING_HALTED", "INVALID_FIELD", "PROCESSING_HALTED"])
        let count = "SELECT COUNT() FROM Account WHERE Name IN ('Undone','Never')"
        #expect(try client.query(count).json["totalSize"]?.int == 0)
        #expect(statuses(try post(requests, client)) == [201, 400, 201])
        #expect(try client.query(count).json["totalSize"]?.int == 2)
    }

    @Test("with all-or-none, everything is kept if there is no error")
    func kept() async throws {
        let client = try await OrgClient.start()
        let requests = [
            request("first", "POST", "/sobjects/Account", #"{"Name":"Kept"}"#),
            request("second", "GET", "/sobjects/Account/@{first.id}?fields=Name"),
        ].joined(separator: ",")
        let response = try post(requests, allOrNone: true, client)
        #expect(statuses(response) == [201, 200])
        #expect(response.json["compositeResponse"]?[1]?["body"]?["Name"]?.string == "Kept")
        #expect(try client.query("SELECT COUNT() FROM Account WHERE Name = 'Kept'").json["totalSize"]?.int == 1)
    }

    @Test("a reference to an unknown, a failed or a later request halts only the request with the reference")
    func danglingReferences() async throws {
        let client = try await SharedOrg.client
        let response = try post(
            [
                request("bad", "POST", "/sobjects/Account", #"{"Colour":"x"}"#),
                request("failed", "GET", "/sobjects/Account/@{bad.id}"),
                request("later", "GET", "/sobjects/Account/@{last.id}"),
                request("member", "GET", "/sobjects/Account/@{last.records[x].id}"),
                request("open", "GET", "/sobjects/Account/@{bad.id"),
                request("last", "GET", "/sobjects/@{last.id}"),
            ].joined(separator: ","), client)
        #expect(statuses(response) == [400, 400, 400, 400, 400, 400])
        for index in 1..<6 {
            let fault = response.json["compositeResponse"]?[index]?["body"]?[0]
            #expect(fault?["errorCode"]?.string == "PROCESSING_HALTED")
            #expect(fault?["message"]?.string?.hasPrefix("Invalid reference specified.") == true)
        }
    }

    @Test("25 requests are accepted, and a nested composite request results in status 400")
    func limits() async throws {
        let client = try await SharedOrg.client
        func list(_ count: Int, _ path: String) -> String {
            (0..<count).map { request("r\($0)", "GET", path) }.joined(separator: ",")
        }
        #expect(statuses(try post(list(25, "/limits"), client)) == Array(repeating: 200, count: 25))
        let inner = request("a", "POST", "/composite", #"{"compositeRequest":[]}"#)
        #expect(statuses(try post(inner, client)) == [400])
        #expect(try client.get("/composite/nothing").status == 404)
    }

    @Test("a batch answers each request, and halts on errors if requested")
    func batch() async throws {
        let client = try await OrgClient.start()
        let requests = """
            {"method":"POST","url":"v66.0/sobjects/Account","richInput":{"Name":"Batch"}},
            {"method":"GET","url":"/v66.0/limits"},
            {"method":"GET","url":"/services/data/v66.0/query?q=SELECT+Nope+FROM+Account"},
            {"method":"GET","url":"v66.0/sobjects"}
            """
        for (halts, last) in [(true, 412), (false, 200)] {
            let response = try client.send(
                "POST", "\(OrgClient.data)/composite/batch",
                body: #"{"haltOnError":\#(halts),"batchRequests":[\#(requests)]}"#)
            #expect(response.status == 200)
            #expect(response.json["hasErrors"]?.bool == true)
            let statuses = response.json["results"]?.array?.compactMap { $0["statusCode"]?.int }
            #expect(statuses == [201, 200, 400, last])
        }
        #expect(try client.get("/limits").field("Sforce-Limit-Info") == "api-usage=10/15000")
    }
}

@Suite("Options of requests")
struct OptionTests {
    @Test(
        "an option of the wrong type is rejected, not replaced with the default",
        arguments: [
            ("POST", "/composite", #"{"allOrNone":1,"compositeRequest":[{record}]}"#),
            ("POST", "/composite", #"{"allOrNone":"yes","compositeRequest":[{record}]}"#),
            ("POST", "/composite/sobjects", #"{"allOrNone":[],"records":[{"attributes":{"type":"Account"}}]}"#),
            ("POST", "/composite/batch", #"{"haltOnError":0,"batchRequests":[{"method":"GET","url":"v66.0/limits"}]}"#),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert","lineEnding":5}"#),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert","columnDelimiter":true}"#),
            ("POST", "/jobs/ingest", #"{"object":"Account","operation":"insert","contentType":["CSV"]}"#),
            ("POST", "/jobs/query", #"{"operation":"query","query":5}"#),
        ])
    func types(method: String, path: String, body: String) async throws {
        let client = try await SharedOrg.client
        let record = #"{"method":"GET","url":"\#(OrgClient.data)/limits","referenceId":"a"}"#
        let response = try client.send(
            method, OrgClient.data + path, body: body.replacing("{record}", with: record))
        #expect(response.status == 400 && response.errorCode == "JSON_PARSER_ERROR", "\(response.text)")
    }

    @Test("a flag may be a boolean or a string, as in Salesforce", arguments: ["true", "\"true\""])
    func flags(value: String) async throws {
        let client = try await OrgClient.start()
        let records = #"[{"attributes":{"type":"Account"},"Name":"Flagged"},{"attributes":{"type":"Account"}}]"#
        let response = try client.send(
            "POST", "\(OrgClient.data)/composite/sobjects", body: #"{"allOrNone":\#(value),"records":\#(records)}"#)
        #expect(response.json[0]?["success"]?.bool == false)
        #expect(try client.query("SELECT COUNT() FROM Account WHERE Name = 'Flagged'").json["totalSize"]?.int == 0)
    }
}

@Suite("The limits of composite requests")
struct CompositeLimitTests {
    private func post(_ requests: [String], _ client: OrgClient) throws -> JSONValue {
        let body = #"{"compositeRequest":[\#(requests.joined(separator: ","))]}"#
        return try client.send("POST", "\(OrgClient.data)/composite", body: body).json["compositeResponse"] ?? .null
    }

    private func part(_ id: String, _ method: String, _ path: String, _ more: String = "") -> String {
        #"{"method":"\#(method)","url":"\#(OrgClient.data)\#(path)","referenceId":"\#(id)"\#(more)}"#
    }

    @Test("repeated references to a long string are rejected before they are expanded, and other requests are answered")
    func resolvedSize() async throws {
        let client = try await OrgClient.start()
        let long = String(repeating: "x", count: 30_000)
        let id = try client.create("Account", #"{"Name":"Long","Description":"\#(long)"}"#)
        let references = Array(repeating: #""@{a.Description}""#, count: 20_000).joined(separator: ",")
        let response = try post(
            [
                part("a", "GET", "/sobjects/Account/\(id)?fields=Description"),
                part("b", "POST", "/sobjects/Account", #","body":{"Name":[\#(references)]}"#),
                part("c", "POST", "/sobjects/Account", #","body":{"Name":"Short"}"#),
            ], client)
        #expect(response.array?.compactMap { $0["httpStatusCode"]?.int } == [200, 413, 201])
        #expect(response[1]?["body"]?[0]?["errorCode"]?.string == "REQUEST_TOO_LARGE")
    }

    @Test("references in a URL count with the maximum length that they can have there")
    func resolvedTarget() async throws {
        let client = try await OrgClient.start()
        let long = String(repeating: "é", count: 10_000)
        let id = try client.create("Account", #"{"Name":"Long","Description":"\#(long)"}"#)
        let many = String(repeating: "@{a.Description}", count: 100)
        let response = try post(
            [
                part("a", "GET", "/sobjects/Account/\(id)?fields=Description"),
                part("b", "GET", "/sobjects/Account/\(many)"),
                part("c", "GET", "/sobjects/Account/@{a.Description}"),
            ], client)
        #expect(response.array?.compactMap { $0["httpStatusCode"]?.int } == [200, 413, 413])
    }

    @Test("the URL of a subrequest has the same limit as that of a request, and only queries may be longer")
    func targets() async throws {
        let client = try await SharedOrg.client
        let long = String(repeating: "a", count: 16_384)
        let response = try post(
            [
                part("a", "GET", "/sobjects/Account/\(long)"), part("b", "GET", "/search?q=FIND+%7B\(long)%7D"),
                part("c", "GET", "/limits?query=\(long)"), part("d", "GET", "/query?q=\(long)"),
                part("e", "GET", "/query?q=\(String(repeating: long, count: 20))"),
            ], client)
        #expect(response.array?.compactMap { $0["httpStatusCode"]?.int } == [414, 414, 414, 400, 414])
        #expect(response[3]?["body"]?[0]?["errorCode"]?.string == "MALFORMED_QUERY")
        let batch = try client.send(
            "POST", "\(OrgClient.data)/composite/batch",
            body: #"{"batchRequests":[{"method":"GET","url":"v66.0/sobjects/Account/\#(long)"}]}"#)
        #expect(batch.json["results"]?[0]?["statusCode"]?.int == 414)
    }

    @Test("the headers of a subrequest have the same limits as those of a request, and must be well-formed")
    func fields() async throws {
        let client = try await SharedOrg.client
        let many = (0..<101).map { #""X-\#($0)":"y""# }.joined(separator: ",")
        let response = try post(
            [
                part("a", "GET", "/limits", #","httpHeaders":{"X-Long":"\#(String(repeating: "a", count: 17_000))"}"#),
                part("b", "GET", "/limits", #","httpHeaders":{\#(many)}"#),
                part("c", "GET", "/limits", #","httpHeaders":{"X":"a\r\nY: b"}"#),
                part("d", "GET", "/limits", #","httpHeaders":{"X Y":"a"}"#),
                part("e", "GET", "/limits", #","httpHeaders":{"X-Y":"a"}"#),
            ], client)
        #expect(response.array?.compactMap { $0["httpStatusCode"]?.int } == [431, 431, 431, 431, 200])
    }
}
