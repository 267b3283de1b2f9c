// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import LocalServer
import RestJSON
import RestSQLite
import RestTesting
import Testing

/// The org that receives the bad requests one after another, with a record that no request may change.
private final class BadRequestStage: Sendable {
    private static let folder = FileManager.default.temporaryDirectory.appending(path: "bad-requests-\(UUID())").path
    private static let started = Task { try await BadRequestStage() }
    static var shared: BadRequestStage { get async throws { try await started.value } }

    private let client: OrgClient
    private let file: String
    /// The id of the record, and its original content.
    private let (canary, song): (String, String)

    private init() async throws {
        file = Self.folder + "/org.db"
        try FileManager.default.createDirectory(atPath: Self.folder, withIntermediateDirectories: true)
        // All tests of the process use the stage, so only the end of the process can remove its directory.
        atexit { try? FileManager.default.removeItem(atPath: BadRequestStage.folder) }
        client = try await OrgClient.start(LocalOrgConfiguration(storage: .file(file)))
        canary = try client.create("Account", #"{"Name":"Canary","ExternalId__c":"canary","Description":"sings"}"#)
        song = try client.get("/sobjects/Account/\(canary)").text
    }

    /// Returns a number that changes with every transaction that writes.
    private func version(_ connection: SQLiteConnection) throws -> Int64 {
        var version: Int64 = -1
        try connection.rows("PRAGMA data_version") { version = $0.integer(0) }
        return version
    }

    /// Sends the bytes of a request, and checks the response, the connection and the org.
    func check(_ request: BadRequest) throws {
        let database = try SQLiteConnection(path: file)
        let before = try version(database)
        let raw = try RawClient(port: client.org.port)
        // A reset after unread input may cut off an error response.
        try? raw.send(Array(filled(request.bytes).utf8))
        let response = try? raw.receive(hasBody: !request.bytes.hasPrefix("HEAD"))
        let isRight = response.map { request.statuses.contains($0.status) } ?? (request.statuses.contains(0))
        #expect(isRight, "\(response.map { "\($0.head)\n\n\($0.text.prefix(300))" } ?? "no answer")")
        if let code = request.code { #expect(response?.errorCode ?? response?.oauthError == code) }
        if let place = request.place {
            #expect(response?.text.contains(place) == true, "\(response?.text.prefix(300) ?? "")")
        }
        if let response { checkConnection(raw, response) }
        #expect(try version(database) == before, "something was stored")
        #expect(try client.get("/sobjects/Account/\(canary)").text == song)
    }

    /// Checks that the connection is closed if the response says so, and otherwise accepts the next request.
    private func checkConnection(_ raw: RawClient, _ response: RawClient.Response) {
        guard response.field("Connection")?.lowercased() != "close" else { return #expect(raw.isClosed()) }
        try? raw.send(Array(filled("GET /services/data HTTP/1.1\r\nHost: {host}\r\n\r\n").utf8))
        let next = try? raw.receive()
        #expect(next?.status == 200 && next?.json.array?.count == 38, "the connection goes on: \(next?.head ?? "")")
    }

    /// Returns the text with the org's values in place of the placeholders, and only the beginning of a very long text.
    private func filled(_ text: String) -> String {
        let size = text.utf8.count < 60_000 ? text.count : 2_000
        let (head, port) = (String(text.prefix(size)), String(client.org.port))
        return head.replacing("{host}", with: "127.0.0.1:\(port)").replacing("{port}", with: port)
            .replacing("{token}", with: client.token).replacing("{data}", with: OrgClient.data)
            .replacing("{id}", with: canary) + text.dropFirst(size)
    }
}

@Suite("Bad requests", .serialized, .timeLimit(.minutes(2)))
struct BadRequestTests {
    @Test("every row of the table has the expected response and stores nothing", arguments: BadRequest.all)
    func table(request: BadRequest) async throws { try await BadRequestStage.shared.check(request) }

    @Test("the org does not listen on another address of this machine")
    func otherAddress() async throws {
        let client = try await SharedOrg.client
        #expect(throws: RawClient.Failure.notConnected) { try RawClient(port: client.org.port, address: 0x7F00_0002) }
        #expect(try client.get("/limits").status == 200)
    }

    @Test(
        "a web page cannot reach the API, a login or a file, with any kind of request that a browser sends",
        arguments: [
            // A script of the page.
            ["Origin: https://page.example", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors"],
            // A form of the page, or of a frame without an origin.
            [
                "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
                "Content-Type: application/x-www-form-urlencoded",
            ],
            // An image, a style sheet or a script that the page includes.
            ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"],
            // Another page of this machine, and a page of the same site.
            ["Origin: http://127.0.0.1:1"], ["Origin: "], ["Sec-Fetch-Site: same-site"],
            ["Origin: https://page.example", "Access-Control-Request-Method: POST"],
            // A WebSocket.
            ["Origin: https://page.example", "Connection: Upgrade", "Upgrade: websocket"],
            // A page whose host name now resolves to this machine.
            ["Host: page.example:{port}"],
        ])
    func webPage(fields: [String]) async throws {
        let client = try await OrgClient.start()
        let before = client.org.journal.count
        for (method, path) in [
            ("GET", "/services/data"), ("GET", "\(OrgClient.data)/query?q=SELECT+Id+FROM+Account"),
            ("POST", "\(OrgClient.data)/sobjects/Account"), ("POST", "/services/oauth2/token"),
            ("POST", "/services/oauth2/authorize"), ("POST", "/services/Soap/u/66.0"),
            ("GET", "/services/apexrest/x"), ("OPTIONS", "\(OrgClient.data)/sobjects/Account"),
        ] {
            let fields = fields.map { $0.replacing("{port}", with: "\(client.org.port)") }
            let host = fields.contains { $0.hasPrefix("Host") } ? [] : ["Host: 127.0.0.1:\(client.org.port)"]
            let body = method == "POST" ? "{}" : ""
            let lines =
                [
                    "\(method) \(path) HTTP/1.1", "Authorization: Bearer \(client.token)",
                    "Content-Length: \(body.count)",
                ]
                + host + fields
            let response = try client.raw(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
            #expect([403, 421].contains(response.status), "\(method) \(path): \(response.status)")
            // The page could not read a response.
            #expect(response.field("Access-Control-Allow-Origin") == nil && response.field("Set-Cookie") == nil)
        }
        #expect(client.org.journal.entries.dropFirst(before).allSatisfy { [403, 421].contains($0.status) })
    }

    private func start(_ change: (inout ServerLimits) -> Void) async throws -> OrgClient {
        var configuration = LocalOrgConfiguration()
        change(&configuration.limits)
        return try await OrgClient.start(configuration)
    }

    private func head(_ client: OrgClient, _ fields: String) -> [UInt8] {
        Array(
            """
            POST \(OrgClient.data)/sobjects/Account HTTP/1.1\r\nHost: localhost:\(client.org.port)\r
            Authorization: Bearer \(client.token)\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n
            """.utf8)
    }

    @Test("a body above the limit is rejected, with or without an announced length")
    func large() async throws {
        let client = try await start { $0.body = 1 << 20 }
        let blank = [UInt8](repeating: 0x20, count: 1_048_577)
        for (fields, body) in [
            ("Content-Length: 1048577", blank),
            ("Transfer-Encoding: chunked", Array("100001\r\n".utf8) + blank + Array("\r\n0\r\n\r\n".utf8)),
        ] {
            let raw = try RawClient(port: client.org.port)
            try raw.send(head(client, fields) + body)
            let response = try raw.receive()
            #expect(response.status == 413 && response.errorCode == "REQUEST_TOO_LARGE" && raw.isClosed())
        }
        // Without a session, the limit of a body is lower.
        let login = try RawClient(port: client.org.port)
        let line = "POST /services/oauth2/token HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n"
        try login.send(Array("\(line)Content-Length: 200000\r\n\r\n".utf8) + blank.prefix(200_000))
        #expect(try login.receive().status == 413)
        #expect(client.org.journal.entries.map(\.status) == [413, 413, 413])
    }

    @Test("a long body without a session gets an error response, at once if the client waits for 100 Continue")
    func refused() async throws {
        let client = try await SharedOrg.client
        let line = "POST \(OrgClient.data)/sobjects/Account HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n"
        for _ in 0..<5 {
            let raw = try RawClient(port: client.org.port)
            try raw.send(Array("\(line)Content-Length: 4000000\r\n\r\n".utf8))
            try raw.send([UInt8](repeating: 0x20, count: 4_000_000))
            #expect(try raw.receive().status == 401)
            #expect(raw.isClosed())
        }
        let raw = try RawClient(port: client.org.port)
        try raw.send(Array("\(line)Content-Length: 4000000\r\nExpect: 100-continue\r\n\r\n".utf8))
        #expect(try raw.receive().status == 401)
        #expect(raw.isClosed())
    }

    @Test("an injected error takes precedence over the session check")
    func faultFirst() async throws {
        let client = try await OrgClient.start()
        client.org.faults.add(.status(503), matching: "/sobjects")
        #expect(try client.send("POST", "\(OrgClient.data)/sobjects/Account", body: "{}", token: "none").status == 503)
        #expect(try client.send("POST", "\(OrgClient.data)/sobjects/Account", body: "{}", token: "none").status == 401)
    }

    @Test("all bodies share one memory budget, and a client that exceeds it gets status 503 and can retry")
    func bodyMemory() async throws {
        let client = try await start { $0.bodyMemory = 1 << 20 }
        let blank = [UInt8](repeating: 0x20, count: 700_000)
        var statuses: [Int] = []
        // The org must have read the first client's bytes before the second client sends, which no client can observe.
        for attempt in 0..<50 where statuses != [400, 503] {
            let (first, second) = (try RawClient(port: client.org.port), try RawClient(port: client.org.port))
            try first.send(head(client, "Content-Length: 700002") + blank)
            try await Task.sleep(for: .milliseconds(5 * attempt))
            try? second.send(head(client, "Content-Length: 700002") + blank + Array("{}".utf8))
            let refused = try second.receive().status
            try? first.send(Array("{}".utf8))
            statuses = [try first.receive().status, refused]
        }
        #expect(statuses == [400, 503])
        #expect(try client.create("Account", #"{"Name":"Room again"}"#).count == 18)
    }

    @Test("an idle connection is closed, and pipelined requests are answered in their order")
    func connections() async throws {
        let client = try await start { $0.idleTime = .seconds(1) }
        let idle = try RawClient(port: client.org.port)
        let raw = try RawClient(port: client.org.port)
        let heads = (0..<1_000).map { number in
            "GET \(OrgClient.data)/sobjects/None\(number) HTTP/1.1\r\nHost: localhost:\(client.org.port)\r\n"
                + "Authorization: Bearer \(client.token)\r\n\r\n"
        }
        // More bytes than the buffers of both sides hold would need a concurrent reader.
        try raw.send(Array(heads.joined().utf8))
        for number in 0..<1_000 { #expect(try raw.receive().text.contains("'None\(number)'")) }
        #expect(idle.isClosed())
    }
}

/// Names that are stored and returned must have no effect.
@Suite("Bad requests: names that are stored")
struct StoredNameTests {
    private static let names = [
        "a\r\nSet-Cookie: x=y", "../../x", "..\\..\\x", "/etc/passwd", "CON", "nul.txt", "a\u{1}b", "\u{202E}txt.exe",
        "a\"b; c=\"d",
        String(repeating: "n", count: 250), "é😀", "%0d%0aX:%20y",
    ]

    @Test("a file's name is data and is not in a header, and its bytes are returned by its id", arguments: names)
    func files(name: String) async throws {
        let client = try await SharedOrg.client
        let text = String(decoding: JSONValue(name).bytes(), as: UTF8.self)
        let quoted = name.replacing("\"", with: "%22").replacing("\r\n", with: " ")
        let body = """
            --b\r\nContent-Disposition: form-data; name="entity_content"\r\nContent-Type: application/json\r\n\r
            {"Title":\(text),"PathOnClient":\(text)}\r\n--b\r
            Content-Disposition: form-data; name="VersionData"; filename="\(quoted)"\r\n\r\n\(Self.content)\r\n--b--\r\n
            """
        let made = try client.send(
            "POST", "\(OrgClient.data)/sobjects/ContentVersion", body: body,
            fields: ["Content-Type: multipart/form-data; boundary=b"])
        #expect(made.status == 201, "\(made.text)")
        let id = made.json["id"]?.string ?? ""
        let read = try client.get("/sobjects/ContentVersion/\(id)?fields=Title")
        #expect(read.json["Title"]?.string == name)
        let file = try client.get("/sobjects/ContentVersion/\(id)/VersionData")
        #expect(file.text == Self.content)
        for response in [made, read, file] {
            #expect(response.field("Set-Cookie") == nil && response.field("X") == nil)
            #expect(response.head.utf8.allSatisfy { $0 < 0x7F && ($0 >= 0x20 || $0 == 0x0D || $0 == 0x0A) })
        }
    }

    private static let content = "a--b\r\n--c\u{0}\r\n--"
}
