// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

@Suite("The HTTP server")
struct ServerTests {
    @Test("only the version list needs no session and has no Sforce-Limit-Info header")
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
            "/services/data/v69.0", "/services/data/v66/limits", "/x", "/console", "/services",
        ] {
            let response = try client.send("GET", path)
            #expect(response.status == 404)
            #expect(response.errorCode == "NOT_FOUND")
        }
    }

    @Test("requests to every name of the loopback host, and from the org's own pages, are answered")
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

    @Test("a link from another site leads only to the login page, in every encoding of its path")
    func links() async throws {
        let client = try await SharedOrg.client
        let fields = ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"]
        for (path, isOpen) in [
            ("/setup/connect", true), ("/setup/%63onnect", true), ("/setup/connect/?x=y", true),
            ("/setup/connects", false),
            ("/services/data", false), ("/services/data?/setup/connect", false),
        ] {
            let response = try client.send("GET", path, fields: fields, token: .some(nil))
            #expect((response.status == 200) == isOpen && (response.status == 403) != isOpen, "\(path)")
        }
    }

    @Test("a URL that is too long is answered in HTML, as by Salesforce's edge servers")
    func limits() async throws {
        let client = try await SharedOrg.client
        let long = try client.get("/query?q=" + String(repeating: "a", count: 17_000))
        #expect(long.status == 414 && long.text.contains("Bad Message 414"))
    }

    @Test("chunked bodies, persistent connections, HEAD and pretty printing are supported")
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
        let headResponse = try raw.receive(hasBody: false)
        #expect(headResponse.status == 200)
        #expect(Int(headResponse.field("Content-Length") ?? "0") ?? 0 > 10)
    }

    @Test("the response to an unsupported method names the supported ones")
    func methods() async throws {
        let client = try await SharedOrg.client
        let response = try client.send("PUT", "\(OrgClient.data)/sobjects/Account", body: "{}")
        #expect(response.status == 405)
        #expect(response.errorCode == "METHOD_NOT_ALLOWED")
        #expect(response.json[0]?["message"]?.string == "HTTP Method 'PUT' not allowed. Allowed are GET,HEAD,POST")
        #expect(response.field("Allow") == "GET, HEAD, POST")
    }

    @Test("an unsupported upload is rejected before its body is sent, and the message names the supported types")
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

    @Test("concurrent clients get their own responses")
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
    }
}

@Suite("The number of calls")
struct UsageTests {
    @Test("calls are counted, including those of a batch, and logins are not")
    func counted() async throws {
        let client = try await OrgClient.start()
        for used in 1...3 {
            #expect(try client.get("/sobjects").field("Sforce-Limit-Info") == "api-usage=\(used)/15000")
        }
        #expect(try client.send("GET", "/services/data", token: .some(nil)).status == 200)
        let login = try client.grant("client_credentials")
        #expect(login.status == 200)
        let batch = #"{"batchRequests":[{"method":"GET","url":"v66.0/limits"},{"method":"GET","url":"v66.0/limits"}]}"#
        let response = try client.send("POST", "\(OrgClient.data)/composite/batch", body: batch)
        #expect(response.json["results"]?.array?.count == 2)
        #expect(response.field("Sforce-Limit-Info") == "api-usage=6/15000")
    }

    @Test("a call without a session is not counted")
    func withoutSession() async throws {
        let client = try await OrgClient.start()
        #expect(try client.send("GET", "\(OrgClient.data)/limits", token: "none").status == 401)
        #expect(try client.get("/limits").field("Sforce-Limit-Info") == "api-usage=1/15000")
    }
}

@Suite("TLS")
struct SecurityTests {
    /// Returns the output of curl, which has its own TLS library.
    private func curl(_ arguments: [String]) throws -> String {
        let words = ["curl", "--silent", "--show-error", "--noproxy", "*"]
        let outcome = try RunningProgram.tool(words + arguments)
        return outcome.output + outcome.errors
    }

    private func start(_ names: [String] = []) async throws -> (org: LocalOrg, trust: [String], folder: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = LocalOrgConfiguration()
        configuration.security = OrgSecurity(names: names, certificateFile: folder + "/trusted.pem")
        let org = try await LocalOrg.start(configuration)
        return (org, ["--cacert", folder + "/trusted.pem"], folder)
    }

    @Test("only clients that trust the certificate can connect, at the IP address and at every name of the certificate")
    func names() async throws {
        let (org, trust, folder) = try await start(["org.my.salesforce.com", "*.example.com"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(org.instanceURL == "https://127.0.0.1:\(org.port)")
        #expect(try String(contentsOfFile: folder + "/trusted.pem", encoding: .utf8) == org.certificate)
        for host in ["127.0.0.1", "localhost", "org.my.salesforce.com", "a.example.com"] {
            let url = "https://\(host):\(org.port)/services/data"
            let response = try curl(trust + ["--resolve", "\(host):\(org.port):127.0.0.1", url])
            #expect(response.contains("/services/data/v66.0"), "\(host): \(response)")
        }
        #expect(try curl([org.instanceURL + "/services/data"]).contains("curl: ("))
        let other = "https://other.example.org:\(org.port)/services/data"
        let resolve = ["--resolve", "other.example.org:\(org.port):127.0.0.1", other]
        #expect(try curl(trust + resolve).contains("curl: ("))
        #expect(try curl(["--insecure"] + resolve).contains("MISDIRECTED_REQUEST"))
    }

    @Test("logins, early error responses and large responses work over TLS")
    func calls() async throws {
        let (org, trust, folder) = try await start()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let token = try curl(
            trust + [
                org.instanceURL + "/services/oauth2/token", "--data",
                "grant_type=client_credentials&client_id=\(org.clientID)&client_secret=\(org.clientSecret)",
            ])
        let session = try JSONValue(parsing: Array(token.utf8))
        #expect(session["instance_url"]?.string == org.instanceURL)
        let bearer = ["--header", "Authorization: Bearer \(session["access_token"]?.string ?? "")"]
        let describe = try curl(trust + bearer + [org.instanceURL + "/services/data/v66.0/sobjects/Account/describe"])
        #expect(try JSONValue(parsing: Array(describe.utf8))["name"]?.string == "Account")
        // The session is rejected before the body is read.
        try Data(repeating: UInt8(ascii: " "), count: 1 << 20).write(to: URL(filePath: folder + "/body"))
        let refused = try curl(
            trust + [
                org.instanceURL + "/services/data/v66.0/sobjects/Account", "--data-binary", "@\(folder)/body",
                "--header", "Content-Type: application/json", "--header", "Expect:",
            ])
        #expect(refused.contains("INVALID_SESSION_ID"), "\(refused)")
    }

    @Test("an invalid name is rejected", arguments: ["", "a b", "*", "*.*.com", "a..b", "ü.com", "x,DNS:y"])
    func wrongNames(name: String) async {
        await #expect {
            var configuration = LocalOrgConfiguration()
            configuration.security = OrgSecurity(names: [name])
            await (try LocalOrg.start(configuration)).stop()
        } throws: { ($0 as? StartError)?.code == .certificateRefused }
    }
}
