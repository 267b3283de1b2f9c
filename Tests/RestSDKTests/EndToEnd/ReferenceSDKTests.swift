// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestSDK
import RestTesting
import RestTransport
import Simulation
import Testing

/// The behaviors of the Salesforce Mobile SDK that no other suite covers.
///
/// docs/reference-sdk.md lists all of them.
@Suite("Behaviors of the Salesforce Mobile SDK")
struct ReferenceSDKTests {
    @Test("the list of versions is an array and needs no token, and resources and limits are objects")
    func discovery() async throws {
        try await withClient { client, org in
            #expect(try await client.send(.versions).payload.array?.isEmpty == false)
            let entry = try #require(org.journal.entries.first { $0.target == "/services/data" })
            #expect(entry.field("Authorization") == nil)
            #expect(try await client.send(.resources).payload["query"]?.string == "/services/data/v66.0/query")
            #expect(try await client.send(.plainLimits).payload["DailyApiRequests"]?["Max"]?.int != nil)
        }
    }

    @Test("a community is the instance with another URL, and custom headers are sent there too")
    func communities() async throws {
        let stub = StubTransport()
        for _ in 0..<4 { stub.enqueue("{}") }
        let community = RestRequest.Service.Address(
            origin: Origin(scheme: .https, host: "partners.example.com"), basePath: "/portal/services/data/v66.0")
        let other = RestRequest.Service.service("other")
        let base = RestRequest.Service.Address(
            origin: Origin(scheme: .https, host: "files.example.com"), basePath: "/custom/services/data/v1.0")
        let client = try RestClient.of(stub) { $0.services = [.instance: community, other: base] }
        let id = "0DB000000000001AAA"
        _ = try await client.send(.files(page: 2, community: id).field("X-Own", "1").field("Content-Type", "text/x"))
        _ = try await client.send(.plainLimits)
        _ = try await client.send(.nextPage("/services/data/v66.0/query/0r8-2000"))
        _ = try await client.send(RestRequest(resource: .data(["a"]), service: other))
        #expect(
            stub.requests.map(\.url.description) == [
                "https://partners.example.com/portal/services/data/v66.0/connect/communities/\(id)/files/users/me?page=2",
                "https://partners.example.com/portal/services/data/v66.0/limits",
                "https://partners.example.com/services/data/v66.0/query/0r8-2000",
                "https://files.example.com/custom/services/data/v1.0/a",
            ])
        #expect(stub.requests[0].fields["X-Own"] == "1" && stub.requests[0].fields["Content-Type"] == "text/x")
        #expect(stub.requests.allSatisfy { $0.fields["Authorization"] == "Bearer token" })
    }

    @Test("a path of the server is used unchanged, and nothing is repeated in it")
    func endpoints() async throws {
        try await withClient { client, _ in
            let version = try await client.send(RestRequest(resource: .serverPath("/services/data/v66.0/limits")))
            #expect(version.payload["DailyApiRequests"] != nil)
            let page = try await client.send(.query("SELECT Id FROM Account LIMIT 1"))
            let url = try #require(page.payload["records"]?[0]?["attributes"]?["url"]?.string)
            let record = try await client.send(RestRequest(resource: .serverPath(url)))
            #expect(record.payload["Id"] == page.payload["records"]?[0]?["Id"])
        }
    }

    @Test("an unknown resource or id is a 404, and a string that is not an id is never sent")
    func absent() async throws {
        try await withClient { client, org in
            let requests: [RestRequest] = [
                RestRequest(resource: .data(["no", "such", "resource"])),
                .retrieve("Account", id: "001000000000999AAA"),
                .retrieve("Nothing__c", id: "001000000000999AAA"),
            ]
            for request in requests {
                let error = await #expect(throws: RestError.self) { try await client.send(request) }
                #expect(error?.code == .notFound && error?.status == 404 && error?.body.isEmpty == false)
            }
            let before = org.journal.entries.count
            let error = await #expect(throws: RestError.self) {
                try await client.send(.retrieve("Account", id: "bogus"))
            }
            #expect(error?.code == .invalidRequest && org.journal.entries.count == before)
        }
    }

    @Test("a body of bytes has its length and type, reads and deletes have no body, and the client sends its name")
    func bodies() async throws {
        try await withClient { client, org in
            org.apex.handle("/echo") { request in ApexResponse(body: request.body, contentType: "text/plain") }
            var request = RestRequest.apex(["echo"], method: .post).field("Content-Type", "text/plain; charset=x")
            request.body = .bytes(Array("hello".utf8))
            request.expectation = .anything
            #expect(try await client.send(request).body == Array("hello".utf8))
            let id = try await client.send(.create([Record.Draft("Account", ["Name": "B"])])).get()[0]
            _ = try await client.send(.delete("Account", id: id))
            let entries = org.journal.entries
            let echo = try #require(entries.last { $0.target.hasSuffix("/echo") })
            #expect(echo.field("Content-Length") == "5" && echo.field("Content-Type") == "text/plain; charset=x")
            #expect(echo.field("User-Agent")?.hasPrefix("RestSDK/") == true)
            let delete = try #require(entries.last { $0.method == "DELETE" })
            #expect(delete.field("Content-Type") == nil && delete.body.isEmpty)
            let create = try #require(entries.last { $0.target.hasSuffix("/composite/sobjects") })
            #expect(create.field("Content-Type")?.hasPrefix("application/json") == true)
        }
    }

    @Test("an upsert by an unknown field is a 404, and by Id it creates without a value and updates with a value")
    func upserts() async throws {
        try await withClient { client, _ in
            await expectFailure(.notFound) {
                try await client.send(.upsert("Account", externalID: "bogusField__c", "x", ["Name": "A"]))
            }
            let made = try await client.send(.upsert("Account", externalID: "Id", nil, ["Name": "Upserted"]))
            let id = try #require(made.payload["id"]?.string)
            _ = try await client.send(.upsert("Account", externalID: "Id", id, ["Site": "Here"]))
            let read = try await client.send(.retrieve("Account", id: id, fields: ["Name", "Site"]))
            #expect(read.payload["Name"] == "Upserted" && read.payload["Site"] == "Here")
        }
    }

    @Test("a layout can be requested with every combination of its parameters")
    func layouts() throws {
        let client = try RestClient.of(StubTransport())
        for factor in [nil, "Large", "Medium", "Small"] as [String?] {
            for type in [nil, "Compact", "Full"] as [String?] {
                for mode in [nil, "Create", "Edit", "View"] as [String?] {
                    for record in [nil, "012000000000000AAA"] as [String?] {
                        let request = try client.httpRequest(
                            for: .layout(
                                "Account", formFactor: factor, layoutType: type, mode: mode, recordTypeID: record))
                        let items = [
                            ("formFactor", factor), ("layoutType", type), ("mode", mode), ("recordTypeId", record),
                        ]
                        let query = items.compactMap { name, value in value.map { "\(name)=\($0)" } }.joined(
                            separator: "&")
                        #expect(request.url.query ?? "" == query)
                        #expect(request.url.path == "/services/data/v66.0/ui-api/layout/Account")
                    }
                }
            }
        }
    }

    @Test("every behavior has its row in the list, and every test in a row exists")
    func list() throws {
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let list = try String(contentsOf: root.appendingPathComponent("docs/reference-sdk.md"), encoding: .utf8)
        let rows = list.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { row -> (Int, Substring)? in
            let cells = row.split(separator: "|", maxSplits: 2)
            return cells.count == 3 ? Int(cells[0].filter { $0 != " " }).map { ($0, cells[2]) } : nil
        }
        #expect(rows.map(\.0) == Array(1...108))
        var sources: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: root.appendingPathComponent("Tests").path)
        where path.hasSuffix("Tests.swift") {
            let text = try String(contentsOf: root.appendingPathComponent("Tests/\(path)"), encoding: .utf8)
            sources[String(path.split(separator: "/").last?.dropLast(6) ?? ""), default: ""] += text
        }
        for (number, cell) in rows {
            var suite = ""
            var count = 0
            for name in cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter({
                $0.offset % 2 == 1
            }) {
                let words = name.element.split(separator: ": ", maxSplits: 1).map(String.init)
                let isSuite = words[0].hasSuffix("Tests")
                if isSuite { suite = words[0] }
                guard isSuite || words[0].contains(" ") || words[0].hasSuffix("…") else { continue }
                let title = isSuite ? words.dropFirst().first : words[0]
                let source = sources[suite] ?? ""
                #expect(!source.isEmpty, "\(number): there is no suite '\(suite)'")
                if let title {
                    let begin = title.hasSuffix("…") ? String(title.dropLast()) : title
                    #expect(source.contains("\"\(begin)"), "\(number): \(suite) has no test '\(title)'")
                }
                count += 1
            }
            #expect(count > 0 || cell.contains("the same"), "\(number): no test is named")
        }
    }
}
