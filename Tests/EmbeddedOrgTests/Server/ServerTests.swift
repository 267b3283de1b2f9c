// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("The server on the wire")
struct ServerTests {
    @Test("the version list needs no session and has no limit field; all else has it")
    func versions() async throws {
        let client = try await OrgClient.start()
        let list = try client.send("GET", "/services/data", token: .some(nil))
        #expect(list.status == 200)
        #expect(list.field("Sforce-Limit-Info") == nil)
        #expect(list.field("Content-Type") == "application/json;charset=UTF-8")
        let versions = list.json.array ?? []
        #expect(versions.count == 38)
        #expect(versions.last?["url"]?.string == "/services/data/v68.0")
        #expect(versions.last?["label"]?.string == "Winter '27")
        #expect(versions.first?["label"]?.string == "Summer '14" && versions.first?["version"]?.string == "31.0")
        let retired = try client.send("GET", "/services/data/v30.0/limits")
        #expect(retired.status == 410 && retired.errorCode == "UNSUPPORTED_API_VERSION")
        let root = try client.send("GET", "/services/data/v60.0/")
        #expect(root.json["query"]?.string == "/services/data/v60.0/query")
        #expect(root.field("Sforce-Limit-Info") == "api-usage=1/15000")
        #expect(try client.get("/limits").json["DailyApiRequests"]?["Remaining"]?.int == 14_998)
        for path in [
            "/services/data/v69.0", "/services/data/v66/limits", "/x", "/", "/services",
        ] {
            let answer = try client.send("GET", path)
            #expect(answer.status == 404)
            #expect(answer.errorCode == "NOT_FOUND")
        }
        await client.org.stop()
    }

    @Test("the loopback address in all its spellings, and a page of its own, are answered")
    func ownHosts() async throws {
        let client = try await SharedOrg.client
        for name in ["localhost", "[::1]", "LOCALHOST", "127.0.0.1"] {
            let line = "Host: \(name):\(client.org.port)"
            #expect(try client.raw("GET /services/data HTTP/1.1\r\n\(line)\r\n\r\n").status == 200)
        }
        let own = try client.send(
            "GET", "/services/data", fields: ["Origin: \(client.org.instanceURL)", "Sec-Fetch-Site: none"])
        #expect(own.status == 200)
    }

    @Test("a link from another site leads to the login page in every spelling of it, and nowhere else")
    func links() async throws {
        let client = try await SharedOrg.client
        let fields = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        for (path, isOpen) in [
            ("/setup/connect", true), ("/setup/%63onnect", true), ("/setup/connect/?x=y", true),
            ("/setup/connects", false),
            ("/services/data", false), ("/services/data?/setup/connect", false),
        ] {
            let answer = try client.send("GET", path, fields: fields, token: .some(nil))
            #expect((answer.status == 200) == isOpen && (answer.status == 403) != isOpen, "\(path)")
        }
    }

    @Test("what is too long is answered as the platform's edge does, in HTML")
    func limits() async throws {
        let client = try await SharedOrg.client
        let long = try client.get("/query?q=" + String(repeating: "a", count: 17_000))
        #expect(long.status == 414 && long.text.contains("Bad Message 414"))
    }

    @Test("chunked bodies, kept connections, HEAD and pretty printing")
    func framing() async throws {
        let client = try await SharedOrg.client
        let raw = try RawClient(port: client.org.port)
        let head = "Host: localhost:\(client.org.port)\r\nAuthorization: Bearer \(client.token)\r\n"
        let chunks = #"9\#r\#n{"Name":"\#r\#n10;x=y\#r\#nChunked Limited"\#r\#n1\#r\#n}\#r\#n0\#r\#n\#r\#n"#
        try raw.send(
            Array(
                ("POST \(OrgClient.data)/sobjects/Account HTTP/1.1\r\n\(head)Content-Type: application/json; charset=UTF-8\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n\(chunks)").utf8))
        let created = try raw.receive()
        #expect(created.status == 201)
        try raw.send(Array("HEAD \(OrgClient.data)/limits HTTP/1.1\r\n\(head)\r\n".utf8))
        let headAnswer = try raw.receive(hasBody: false)
        #expect(headAnswer.status == 200)
        #expect(Int(headAnswer.field("Content-Length") ?? "0") ?? 0 > 10)
        try raw.send(Array("GET \(OrgClient.data)/limits HTTP/1.1\r\n\(head)X-PrettyPrint: 1\r\n\r\n".utf8))
        #expect(try raw.receive().text.hasPrefix("{\n  \"DailyApiRequests\""))
    }

    @Test("a wrong method names the right ones")
    func methods() async throws {
        let client = try await SharedOrg.client
        let answer = try client.send("PUT", "\(OrgClient.data)/sobjects/Account", body: "{}")
        #expect(answer.status == 405)
        #expect(answer.errorCode == "METHOD_NOT_ALLOWED")
        #expect(answer.json[0]?["message"]?.string == "HTTP Method 'PUT' not allowed. Allowed are GET,HEAD,POST")
        #expect(answer.field("Allow") == "GET, HEAD, POST")
    }

    @Test("a file is refused at its header, before it is sent, in words that say what is taken")
    func uploads() async throws {
        let client = try await SharedOrg.client
        let raw = try RawClient(port: client.org.port)
        let lines = [
            "POST \(OrgClient.data)/sobjects/ContentVersion HTTP/1.1", "Host: 127.0.0.1:\(client.org.port)",
            "Authorization: Bearer \(client.token)", "Content-Type: image/png",
            "Content-Length: 20000000", "Expect: 100-continue",
        ]
        try raw.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        let refused = try raw.receive(hasBody: true)
        #expect(refused.status == 415 && refused.errorCode == "UNSUPPORTED_MEDIA_TYPE")
        #expect(refused.text.contains("application/json") && !refused.text.contains("no files"))
    }

    @Test("several clients at once get their own answers")
    func parallelClients() async throws {
        let client = try await OrgClient.start()
        let names = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let id = try client.create("Account", #"{"Name":"Parallel \#(number)"}"#)
                    let read = try client.get("/sobjects/Account/\(id)?fields=Name")
                    return read.json["Name"]?.string == "Parallel \(number)"
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(names == Array(repeating: true, count: 24))
        await client.org.stop()
    }
}
