// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import Testing

/// A client of the console with its cookie.
struct ConsoleClient {
    let client: OrgClient
    let cookie: String
    var org: LocalOrg { client.org }

    /// Opens the console of an org like a browser.
    init(_ client: OrgClient) throws {
        self.client = client
        let url = try #require(client.org.makeConsoleURL())
        let entered = try client.send("GET", String(url.dropFirst(client.org.instanceURL.count)), token: .some(nil))
        try #require(entered.status == 303)
        cookie = String(try #require(entered.field("Set-Cookie")).prefix { $0 != ";" })
    }

    static func start(_ configuration: LocalOrgConfiguration = .init()) async throws -> ConsoleClient {
        try ConsoleClient(OrgClient(try await LocalOrg.start(configuration, console: true)))
    }

    func get(_ path: String, fields: [String] = []) throws -> RawClient.Response {
        try client.send("GET", "/console/\(path)", fields: ["Cookie: \(cookie)"] + fields, token: .some(nil))
    }

    @discardableResult
    func post(_ name: String, _ body: String = "{}", fields: [String] = []) throws -> RawClient.Response {
        try client.send(
            "POST", "/console/\(name)", body: body, fields: ["Cookie: \(cookie)"] + fields, token: .some(nil))
    }
}

@Suite("The console of the org")
struct ConsoleTests {
    @Test("a new entry and a new event end a request that waits, and the console's own requests are not in the journal")
    func updates() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.events.changedObjects = ["Account"]
        let console = try await ConsoleClient.start(configuration)
        let first = try console.get("updates?journal=0&event=-1").json
        #expect(first["count"]?.int == 0 && first["events"]?.array?.count == 0)
        let news = Task { try console.get("updates?journal=0&event=0").json }
        try await Task.sleep(for: .milliseconds(50))
        _ = try console.client.create("Account", #"{"Name":"New & <b>bold</b>"}"#)
        var seen = try await news.value
        // The event is committed before the request is in the journal, so it may come alone.
        let events = seen["events"]?.array ?? []
        if seen["count"]?.int == 0 {
            seen = try console.get("updates?journal=0&event=\(events.last?["replay"]?.string ?? "")").json
        }
        let entries = seen["entries"]?.array ?? []
        #expect(entries.count == 1 && seen["count"]?.int == 1)
        #expect(entries.first?["method"] == "POST" && entries.first?["status"]?.int == 201)
        let now = Date().timeIntervalSince1970 * 1_000
        #expect(abs((entries.first?["time"]?.double ?? 0) - now) < 60_000)
        #expect((entries.first?["microseconds"]?.int ?? 0) > 0)
        #expect(events.first?["topic"] == "AccountChangeEvent")
        #expect(events.first?["payload"]?["Name"] == "New & <b>bold</b>")
        #expect(console.org.journal.count == 1)
        let cleared = try console.post("clear")
        #expect(cleared.status == 200 && console.org.journal.count == 0)
        await console.org.stop()
    }

    @Test("a journal without its oldest entries still finds the others by their numbers")
    func dropped() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.journalCapacity = 5
        let console = try await ConsoleClient.start(configuration)
        for number in 1...12 {
            _ = try console.client.get("/limits?n=\(number)")
            let news = try console.get("updates?journal=0&event=-1").json
            let first = max(1, number - 4)
            #expect(news["entries"]?.array?.compactMap { $0["number"]?.int } == Array(first...number))
            #expect(try console.get("request?number=\(number)").status == 200)
            #expect(try console.get("request?number=\(first - 1)").status == 404)
        }
        let target = try console.get("updates?journal=11&event=0").json["entries"]?[0]?["target"]?.string
        #expect(target?.hasSuffix("/limits?n=12") == true)
        await console.org.stop()
    }

    @Test("a request that waits ends when the org stops")
    func stops() async throws {
        let console = try await ConsoleClient.start()
        _ = try console.get("updates?journal=0&event=-1")
        let held = Task { try? console.get("updates?journal=0&event=0").status }
        try await Task.sleep(for: .milliseconds(100))
        let start = ContinuousClock.now
        await console.org.stop()
        #expect(await held.value == nil && ContinuousClock.now - start < .seconds(8))
    }

    @Test("the details of a request have headers and bodies of both sides, with fingerprints instead of secrets")
    func details() async throws {
        let console = try await ConsoleClient.start()
        let client = console.client
        _ = try client.query("SELECT Id FROM Account LIMIT 1")
        let read = try console.get("request?number=1").json
        let lines = (read["request"]?["fields"]?.array ?? []).compactMap { $0[1]?.string }
        #expect(lines.contains("Bearer \(Journal.fingerprint(of: client.token))"))
        #expect(read["response"]?["body"]?.string?.contains(#""totalSize":1"#) == true)
        #expect(read["response"]?["isWhole"]?.bool == true)

        try client.grant("client_credentials")
        let path = "\(OrgClient.data)/sobjects/User/\(client.org.userID)/password"
        try client.send("POST", path, body: #"{"NewPassword":"Very$ecret1","Other":[1,"x"]}"#)
        let generated = try #require(try client.send("DELETE", path).json["NewPassword"]?.string)
        let part = #"{"method":"POST","url":"\#(path)","referenceId":"a","body":{"NewPassword":"Very$ecret1"}}"#
        try client.send("POST", "\(OrgClient.data)/composite", body: #"{"compositeRequest":[\#(part)]}"#)
        for number in 2...5 {
            let text = try console.get("request?number=\(number)").text
            for secret in [client.token, client.org.clientSecret, "Very$ecret1", generated, "access_token\":\"00D"] {
                #expect(!text.contains(secret), "\(number)")
            }
        }
        let parts = try console.get("request?number=5").json["request"]?["body"]?.string ?? ""
        #expect(parts.contains(#""NewPassword":"\#(Journal.fingerprint(of: "Very$ecret1"))""#))
        #expect(client.org.journal.entries[2].body.isEmpty && client.org.journal.entries[2].bodySize > 0)
        for number in ["0", "6", "-1", "x", ""] {
            #expect(try console.get("request?number=\(number)").status == 404)
        }
        await client.org.stop()
    }

    @Test("it reads objects, counts, queries and further pages without a session of the API, a fault or a count")
    func data() async throws {
        let console = try await ConsoleClient.start(LocalOrgConfiguration(records: 300))
        console.org.faults.add(.close, next: 100)
        let path = "services/data/v66.0"
        #expect(try console.get("\(path)/sobjects").json["sobjects"]?.array?.isEmpty == false)
        let counts = try console.get("\(path)/limits/recordCount?sObjects=Account").json
        #expect(counts["sObjects"]?[0]?["count"]?.int == 360)
        let query = "\(path)/query?q=SELECT+Name+FROM+Account"
        let page = try console.get(query, fields: ["Sforce-Query-Options: batchSize=200"]).json
        #expect(page["totalSize"]?.int == 360 && page["records"]?.array?.count == 200)
        let next = try #require(page["nextRecordsUrl"]?.string)
        #expect(try console.get(String(next.dropFirst())).json["records"]?.array?.count == 160)
        let limits = try console.get("\(path)/limits").json["DailyApiRequests"]
        #expect(limits?["Max"]?.int == limits?["Remaining"]?.int)
        #expect(try console.get("\(path)/query?q=SELECT+Nam+FROM+Account").errorCode == "INVALID_FIELD")
        for other in [
            "services", "services/data", "services/apexrest/x", "services/oauth2/token", "x", "services%2Fdata",
        ] {
            #expect(try console.get(other).status == 404, "\(other)")
        }
        // Only a read is possible.
        #expect(try console.post("\(path)/sobjects/Account", #"{"Name":"x"}"#).status == 404)
        await console.org.stop()
    }

    @Test("the editor gets findings with their positions, and completions counted as JavaScript counts")
    func editor() async throws {
        let console = try await ConsoleClient.start()
        let found = try console.post("check", #"{"text":"SELECT Name\nFROM Account WHERE Industri = '𝒳'"}"#).json
        let finding = found["findings"]?[0]
        #expect(found["findings"]?.array?.count == 1 && finding?["severity"] == "error")
        #expect(finding?["line"]?.int == 2 && finding?["column"]?.int == 20 && finding?["length"]?.int == 8)
        #expect(finding?["question"] == "did you mean 'Industry'?")
        let names = try console.post("complete", #"{"before":"SELECT Id, Indu","after":" FROM Account"}"#).json
        #expect(names["typed"]?.int == 4 && names["candidates"]?[0]?["text"] == "Industry")
        #expect(names["candidates"]?[0]?["note"] == "picklist")
        let values = try console.post(
            "complete", #"{"before":"SELECT Id FROM Account WHERE Name = '𝒳' AND Industry = 'Ban"}"#
        ).json
        #expect(values["candidates"]?[0]?["text"] == "Banking")
        #expect(try console.post("complete", #"{"before":"SELECT '𝒳"}"#).json["typed"]?.int ?? 9 <= 2)
        for body in ["", "[", "x", #"{"text":"#] { #expect(try console.post("check", body).status == 400, "\(body)") }
        #expect(try console.post("check", "[1]").json["findings"]?.array?.isEmpty == true)
        await console.org.stop()
    }
}

@Suite("Faults and the reset of the console")
struct ConsoleActionTests {
    @Test("a fault applies to all matching requests until it is switched off, and one fault is on at a time")
    func faults() async throws {
        let console = try await ConsoleClient.start()
        let client = console.client
        #expect(try console.post("fault", #"{"fault":"session"}"#).json["fault"] == "session")
        for _ in 0..<3 { #expect(try client.get("/limits").errorCode == "INVALID_SESSION_ID") }
        #expect(try client.grant("client_credentials").status == 200)
        try console.post("fault", #"{"fault":"unavailable","path":"/query"}"#)
        for _ in 0..<2 {
            let rejected = try client.query("SELECT Id FROM Account")
            #expect(rejected.status == 503 && rejected.field("Retry-After") == "1")
        }
        #expect(try client.get("/limits").status == 200)
        for kind in ["cut", "lost"] {
            try console.post("fault", #"{"fault":"\#(kind)"}"#)
            #expect((try? client.get("/limits")) == nil)
            #expect(console.org.journal.entries.last?.status == nil)
        }
        try console.post("fault", #"{"fault":"slow"}"#)
        let start = ContinuousClock.now
        #expect(try client.get("/limits").status == 200 && ContinuousClock.now - start >= .seconds(2))
        let count = console.org.journal.count
        let slow = try console.get("updates?journal=\(count - 1)&event=0").json["entries"]?[0]
        #expect((slow?["microseconds"]?.int ?? 0) >= 2_000_000)
        console.org.faults.clear()
        #expect(try console.get("state").json["fault"] == "")
        console.org.faults.add(.delay(.seconds(Int64.max)))
        let known = console.org.journal.count
        let endless = try RawClient(port: console.org.port)
        try endless.send(Array("GET /services/data HTTP/1.1\r\nHost: 127.0.0.1:\(console.org.port)\r\n\r\n".utf8))
        let late = try console.get("updates?journal=\(known)&event=0").json["entries"]?[0]
        #expect(late?["microseconds"]?.int == 1_000_000_000_000_000)
        try console.post("fault", #"{"fault":"slow"}"#)
        #expect(try console.post("fault", #"{"fault":"unknown"}"#).json["fault"] == "")
        #expect(try client.get("/limits").status == 200)
        try console.post("expire")
        #expect(try client.get("/limits").errorCode == "INVALID_SESSION_ID")
        #expect(try OrgClient(console.org).get("/limits").status == 200)
        await console.org.stop()
    }

    @Test(
        "a reset gives the records and IDs of a new org, and keeps tokens, logins and positions of events",
        arguments: [LocalOrgConfiguration.defaultSeed, 2, 300_000])
    func reset(seed: UInt64) async throws {
        var configuration = LocalOrgConfiguration(records: 20, seed: seed)
        configuration.users = [OrgUser(username: "ada@example.com", password: "password-1")]
        configuration.events.changedObjects = ["Account", "Contact"]
        configuration.initialRecords = [
            try InitialRecords(csv: Array("Name\nFrom a table\n".utf8), of: "Account")
        ]
        let console = try await ConsoleClient.start(configuration)
        let client = console.client
        let queries = [
            "SELECT Id, Name, Owner.Name, CreatedDate FROM Account WHERE Name != 'From a table' ORDER BY Id",
            "SELECT Id, Name FROM Account WHERE Name = 'From a table'", "SELECT Id, Username FROM User ORDER BY Id",
            "SELECT Id, Name FROM Organization", "SELECT Id, Title FROM ContentVersion ORDER BY Id",
        ]
        let before = try queries.map { try client.query($0).text }
        let ids = (try client.query(queries[0]).json["records"]?.array ?? []).compactMap { $0["Id"]?.string }
        let accounts = "\(OrgClient.data)/sobjects/Account"
        #expect(try client.send("PATCH", "\(accounts)/\(ids[0])", body: #"{"Name":"Changed"}"#).status == 204)
        #expect(try client.send("DELETE", "\(accounts)/\(try #require(ids.last))").status == 204)
        let added = try client.create("Account", #"{"Name":"Added"}"#)
        _ = try client.create("PushTopic", #"{"Name":"T","Query":"SELECT Id FROM Lead","ApiVersion":60.0}"#)
        let job = try client.load(#"{"object":"Account","operation":"insert"}"#, "Name\nBulk\n")
        _ = try await client.ended(job)
        let position = try console.get("updates?journal=0&event=-1").json["events"]?.array?.last?["replay"]?.string
        let last = try #require(position)

        #expect(try console.post("reset").status == 200)
        #expect(try queries.map { try client.query($0).text } == before)
        #expect(try client.query("SELECT Id FROM PushTopic").json["totalSize"]?.int == 0)
        #expect(try client.send("GET", job).status == 404)
        #expect(try client.send("GET", "\(accounts)/\(added)").status == 404)
        let login = [("username", "ada@example.com"), ("password", "password-1")]
        #expect(try client.grant("password", login).status == 200)
        // The differences are events, so an offline copy can follow.
        let events = try console.get("updates?journal=0&event=\(last)").json["events"]?.array ?? []
        let kinds = Set(events.compactMap { $0["payload"]?["ChangeEventHeader"]?["changeType"]?.string })
        #expect(kinds == ["UPDATE", "DELETE", "UNDELETE"])
        // The numbers of new records begin like in a new org.
        #expect(try client.create("Account", #"{"Name":"Added"}"#) == added)
        await console.org.stop()
    }

    @Test("an org in a file that began with another seed keeps its IDs")
    func resetOfFile() async throws {
        let folder = try TemporaryDirectory()
        var configuration = LocalOrgConfiguration(storage: .file(folder.path("org.sqlite")), seed: 77)
        let old = try await LocalOrg.start(configuration)
        let users = try OrgClient(old).query("SELECT Id FROM User ORDER BY Id").text
        await old.stop()
        configuration.seed = LocalOrgConfiguration.defaultSeed
        let console = try await ConsoleClient.start(configuration)
        #expect(console.org.userID == old.userID)
        _ = try console.client.create("Account", #"{"Name":"Added"}"#)
        #expect(try console.post("reset").status == 200)
        #expect(try console.client.query("SELECT Id FROM User ORDER BY Id").text == users)
        let added = try console.client.query("SELECT Id FROM Account WHERE Name = 'Added'")
        #expect(added.json["totalSize"]?.int == 0)
        await console.org.stop()
    }
}
