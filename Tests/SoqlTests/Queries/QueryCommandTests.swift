// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestTesting
import RestTransport
import Testing

@Suite("soql queries, run as processes", .timeLimit(.minutes(2)))
struct QueryCommandTests {
    private let banking = """
        SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts) FROM Account \
        WHERE Industry = 'Banking' ORDER BY Name LIMIT 5
        """

    @Test("CSV in a pipe has the SELECT order, one line per record and children as JSON")
    func csv() async throws {
        let run = try await Command.run("--sample", banking)
        let lines = run.output.split(separator: "\n")
        #expect(run.status == 0)
        #expect(lines.first == "Id,Name,Owner.Name,Contacts")
        #expect(lines.count == 6)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("001") })
        #expect(run.output.contains(#"[{""LastName"":"#))
        #expect(run.errors.isEmpty)
    }

    @Test("JSON is one object with totalSize, done and records")
    func json() async throws {
        let run = try await Command.run("--format", "json", banking)
        let root = try JSONValue(parsing: Array(run.output.utf8))
        #expect(run.status == 0)
        #expect(root.object?.map(\.key) == ["totalSize", "records", "done"])
        #expect(root["totalSize"]?.int == 5)
        #expect(root["done"]?.bool == true)
        #expect(root["records"]?.array?.count == 5)
        #expect(root["records"]?[0]?["Owner"]?["Name"]?.string?.isEmpty == false)
    }

    @Test("NDJSON has one record per line")
    func ndjson() async throws {
        let run = try await Command.run("--format", "ndjson", banking)
        let records = try run.output.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
        #expect(records.count == 5)
        #expect(records.allSatisfy { $0["attributes"]?["type"]?.string == "Account" })
    }

    @Test("a table has a heading, a rule, parents once and a row for each child, with the count on standard error")
    func table() async throws {
        let run = try await Command.run("--sample", "--format", "table", banking)
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.contains("Owner.Name") == true)
        #expect(lines.first?.contains("Contacts.LastName") == true)
        #expect(lines.dropFirst().first?.allSatisfy { $0 == "─" || $0 == "┼" } == true)
        #expect(lines.filter { $0.contains(" 001") }.count == 5)
        #expect(run.errors == "5 records\n")
    }

    @Test("all pages are read, and a limit truncates the result and says so")
    func paging() async throws {
        let session = try await OrgSession(LocalOrgConfiguration(records: 4_500))
        let all = try await session.run("SELECT Id FROM Account")
        let some = try await session.run("--limit", "2500", "SELECT Id FROM Account")
        let head = try await session.run("--limit", "3", "--format", "json", "SELECT Id FROM Account")
        #expect(all.output.split(separator: "\n").count > 4_500)
        #expect(some.output.split(separator: "\n").count == 2_501)
        #expect(some.errors.contains("2500 records of "))
        #expect(try JSONValue(parsing: Array(head.output.utf8))["done"]?.bool == false)
    }

    @Test("COUNT() and aggregates print their numbers")
    func aggregates() async throws {
        let count = try await Command.run("SELECT COUNT() FROM Account WHERE Industry = 'Banking'")
        #expect(count.output.hasPrefix("COUNT()\n"))
        #expect(Int(count.output.split(separator: "\n").last ?? "") ?? 0 >= 8)
        let groups = try await Command.run(
            "SELECT Industry, COUNT(Id) n, MAX(Name) FROM Account GROUP BY Industry ORDER BY Industry")
        #expect(groups.output.hasPrefix("Industry,n,expr0\n"))
    }

    @Test("a limit does not affect COUNT(), and a count is one line of NDJSON")
    func limitedCount() async throws {
        let csv = try await Command.run(
            "--sample", "--limit", "2", "SELECT COUNT() FROM Account WHERE Industry = 'Banking'")
        #expect(csv.output.split(separator: "\n").count == 2)
        #expect(csv.errors.isEmpty)
        let line = try await Command.run("--format", "ndjson", "SELECT COUNT() FROM Account")
        #expect(line.output.hasPrefix(#"{"totalSize":"#))
    }

    @Test("a single empty cell is a record in CSV, and a final semicolon is not part of the query")
    func emptyCell() async throws {
        let run = try await Command.run("SELECT Fax FROM Account LIMIT 2;")
        #expect(run.output == "Fax\n\"\"\n\"\"\n")
    }

    @Test(
        "an incomplete set of org variables is a usage error, and sample data is not used",
        arguments: [
            ["SF_INSTANCE_URL": "https://example.my.salesforce.com"], ["SF_ACCESS_TOKEN": "x"],
            ["SF_INSTANCE_URL": "http://example.com", "SF_ACCESS_TOKEN": "x"],
        ])
    func halfAnOrg(environment: [String: String]) async throws {
        let run = try await Command.run("SELECT Id FROM Account", environment: environment)
        #expect(run.status == 2)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("SF_"))
    }

    @Test("an incomplete result is reported with exit code 4")
    func partial() async throws {
        let body = #"{"totalSize":3,"done":true,"records":[{"Id":"1"}]}"#
        let server = try ScriptServer([.readRequest, .respond(fields: [("Content-Type", "application/json")], body)])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let run = try await Command.run("--format", "json", "SELECT Id FROM Account", environment: environment)
        #expect(run.status == 4)
        #expect(run.errors.contains("1 record of 3"))
        #expect(try JSONValue(parsing: Array(run.output.utf8))["done"]?.bool == false)
    }

    @Test("a child list that cannot be completed is reported with exit code 1")
    func cutChildren() async throws {
        let body = #"{"totalSize":1,"done":true,"records":[{"Contacts":{"totalSize":9,"done":false,"records":[]}}]}"#
        let server = try ScriptServer([.readRequest, .respond(fields: [("Content-Type", "application/json")], body)])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let run = try await Command.run("SELECT (SELECT Id FROM Contacts) FROM Account", environment: environment)
        #expect(run.status == 1)
        #expect(run.errors.contains("children"))
    }

    @Test("error messages of a server cannot control the terminal, and all errors are shown")
    func hostileFault() async throws {
        let fault = #"[{"errorCode":"A","message":"\u001b[31mred\nrow"},{"errorCode":"B","message":"second"}]"#
        let server = try ScriptServer([.readRequest, .respond(status: 400, fault)])
        let environment = ["SF_INSTANCE_URL": server.url().origin.description, "SF_ACCESS_TOKEN": "x"]
        let run = try await Command.run("SELECT Id FROM Account", environment: environment)
        #expect(run.errors == "soql: A:  [31mred row\nsoql: B: second\n")
    }

    @Test("the query can be in a file or on standard input")
    func sources() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("\nSELECT Id\nFROM Account\nLIMIT 1\n", to: "query.soql")
        let fromFile = try await Command.run("--file", folder.path("query.soql"))
        let fromInput = try await Command.run(input: "SELECT Id FROM Account LIMIT 1\n")
        #expect(fromFile.status == 0)
        #expect(fromFile.output == fromInput.output)
    }

    @Test("a malformed query shows the server's code and a caret at the position")
    func malformed() async throws {
        let run = try await Command.run("SELECT Id FORM Account")
        #expect(run.status == 1)
        #expect(run.output.isEmpty)
        #expect(run.errors.contains("MALFORMED_QUERY"))
        let lines = run.errors.split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.hasSuffix("SELECT Id FORM Account") })
        #expect(lines[place + 1].trimmingCharacters(in: .whitespaces) == "^")
    }

    @Test("exit codes are 2 for usage, 3 for authentication and 1 for the server")
    func exitCodes() async throws {
        #expect(try await Command.run("--nonsense").status == 2)
        #expect(try await Command.run("--file", "/nonexistent").status == 2)
        #expect(try await Command.run(input: "").status == 2)
        let org = try await LocalOrg.start()
        let wrong = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": "wrong"]
        #expect(try await Command.run("SELECT Id FROM Account", environment: wrong).status == 3)
        await org.stop()
        let gone = try await Command.run("SELECT Id FROM Account", environment: wrong)
        #expect(gone.status == 1)
        #expect(gone.errors.contains("notConnected"))
    }

    @Test("help and version are printed to standard output")
    func help() async throws {
        let help = try await Command.run("--help")
        let version = try await Command.run("--version")
        #expect(help.status == 0 && help.output.contains("usage: soql"))
        #expect(version.status == 0 && version.output.hasPrefix("soql 0."))
    }

    @Test("an interrupt ends a running query with status 130")
    func interrupt() async throws {
        let org = try await LocalOrg.start()
        org.faults.add(.delay(.seconds(20)), matching: "/query")
        let environment = ["SF_INSTANCE_URL": org.instanceURL, "SF_ACCESS_TOKEN": org.issueCredential().accessToken]
        let command = try Command(["SELECT Id FROM Account"], environment: environment)
        while !org.journal.entries.contains(where: { $0.target.contains("/query") }) { await Task.yield() }
        command.process.interrupt()
        #expect(await command.finish().status == 130)
        await org.stop()
    }
}

@Suite("soql org start", .timeLimit(.minutes(2)))
struct OrgCommandTests {
    /// Returns the variables that an org prints, as a shell would read them.
    private func settings(of org: Command, through last: String = "SF_PASSWORD=") throws -> [String: String] {
        let exports = try org.outputLines(through: last).map { $0.dropFirst("export ".count) }
        return Dictionary(
            uniqueKeysWithValues: exports.map { line in
                let parts = line.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts[1].trimmingCharacters(in: ["'"]))
            })
    }

    @Test("a second process can use the org, an interrupt ends it, and its file keeps the records")
    func start() async throws {
        let folder = try TemporaryDirectory()
        for _ in 0..<2 {
            let org = try Command(["org", "start", "--data", folder.path("org.sqlite"), "--records", "50"])
            let environment = try settings(of: org)
            let run = try await Command.run("SELECT COUNT() FROM Account", environment: environment)
            #expect(run.status == 0)
            #expect(Int(run.output.split(separator: "\n").last ?? "") ?? 0 > 50)
            org.process.interrupt()
            #expect(await org.finish().status == 130)
        }
    }

    @Test("an org has the objects of a schema file and the records of seed files, and invalid files are named")
    func schema() async throws {
        let folder = try TemporaryDirectory()
        let (schema, seed) = (folder.path("s.json"), folder.path("r.json"))
        let fields = #"[{"name":"Name","type":"string","nameField":true}]"#
        try folder.write(#"{"name":"Planet__c","fields":\#(fields)}"#, to: "s.json")
        let record = #"{"attributes":{"type":"Planet__c"},"Name":"Mars"}"#
        try folder.write(#"{"records":[\#(record)]}"#, to: "r.json")
        let org = try Command(["org", "start", "--schema", schema, "--seed", seed])
        let environment = try settings(of: org)
        let run = try await Command.run("SELECT Name FROM Planet__c", environment: environment)
        #expect(run.status == 0 && run.output.contains("Mars"))
        org.process.interrupt()
        #expect(await org.finish().status == 130)
        let unknown = try await Command.run("org", "start", "--seed", seed)
        #expect(
            unknown.status == 1 && unknown.errors.contains("r.json' cannot be loaded: there is no object Planet__c"))
        let wrong = try await Command.run("org", "start", "--schema", seed)
        #expect(wrong.status == 1 && wrong.errors.contains("it has no 'name'"))
        let none = try await Command.run("org", "start", "--schema", folder.path("none.json"))
        #expect(none.status != 0 && none.errors.contains("none.json"))
    }

    @Test("an org uses HTTPS with a certificate in a file, and users from a file can log in")
    func logins() async throws {
        let folder = try TemporaryDirectory()
        let (users, trusted) = (folder.path("users.json"), folder.path("trusted.pem"))
        try folder.write(#"[{"Username": "grace@example.com", "Password": "correct horse"}]"#, to: "users.json")
        let org = try Command(["org", "start", "--users", users, "--tls", trusted, "--rotate"])
        let lines = try org.outputLines(through: "CURL_CA_BUNDLE=")
        #expect(lines.contains { $0.hasPrefix("export SF_INSTANCE_URL=https://127.0.0.1:") })
        #expect(lines.contains("export REQUESTS_CA_BUNDLE='\(trusted)'"))
        #expect(try String(contentsOfFile: trusted, encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
        org.process.interrupt()
        #expect(await org.finish().status == 130)
        let wrong = try await Command.run("org", "start", "--users", trusted)
        #expect(wrong.status == 1 && wrong.errors.contains("is not JSON"))
        let certificate = try await Command.run("org", "start", "--certificate", users)
        #expect(certificate.status == 1 && certificate.errors.contains("not a PEM file"))
    }

    @Test("queries and events of an org with HTTPS need only the variables that it prints")
    func secure() async throws {
        let folder = try TemporaryDirectory()
        let fields = #""fields":[{"name":"Name","type":"string","nameField":true}]"#
        let objects = #"{"name":"Planet__c",\#(fields)},{"name":"Seen__e",\#(fields)}"#
        try folder.write(#"{"sobjects":[\#(objects)]}"#, to: "s.json")
        let org = try Command(["org", "start", "--schema", folder.path("s.json"), "--tls", folder.path("trusted.pem")])
        var environment = try settings(of: org, through: "CURL_CA_BUNDLE=").filter {
            $0.key.hasPrefix("SF_") || $0.key == "CURL_CA_BUNDLE"
        }
        let query = ["SELECT COUNT() FROM Planet__c"]
        for words in [query, query + ["--verbose"]] {
            let run = try await Command(words, environment: environment).finish()
            #expect(run.status == 0, "\(run)")
        }
        let published = try await Command.run(
            "publish", "/event/Seen__e", environment: environment, input: #"{"Name":"Mars"}"#)
        #expect(published.status == 0, "\(published)")
        for wire in ["cometd", "pubsub"] {
            let listener = ["listen", "/event/Seen__e", "--from", "earliest", "--count", "1", "--wire", wire]
            for words in [listener, listener + ["--verbose"]] {
                let heard = try await Command(words, environment: environment).finish()
                #expect(heard.status == 0 && heard.output.contains("Mars"), "\(heard)")
            }
        }
        environment["CURL_CA_BUNDLE"] = nil
        let untrusted = try await Command(query, environment: environment).finish()
        #expect(untrusted.status != 0 && untrusted.errors.contains("certificate"), "\(untrusted)")
        org.process.interrupt()
        #expect(await org.finish().status == 130)
    }

    @Test("a port in use, and a file that is not a database, are reported clearly")
    func refused() async throws {
        let org = try await LocalOrg.start()
        let port = try #require(org.instanceURL.split(separator: ":").last)
        let taken = try await Command.run("org", "start", "--port", String(port))
        #expect(taken.status == 1)
        #expect(taken.errors.contains(port))
        await org.stop()
        let folder = try TemporaryDirectory()
        try folder.write(String(repeating: "this is not a database\n", count: 100), to: "text.txt")
        let text = try await Command.run("org", "start", "--data", folder.path("text.txt"))
        #expect(text.status == 1)
        #expect(text.errors.contains("not a database"))
    }
}
