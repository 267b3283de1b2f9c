// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import RestSync
import RestTesting
import RestTransport
import Terminals
import Testing

@testable import SoqlCommand

@Suite("soql sync and soql --local", .timeLimit(.minutes(4)))
struct SyncVerbTests {
    private static let accounts =
        "SELECT Name, Phone, Fax, Industry, Owner.Name, (SELECT LastName, Email FROM Contacts) FROM Account"
    private static let opportunities =
        "SELECT Name, Amount, CloseDate, IsClosed, Probability, StageName, CreatedDate FROM Opportunity"

    /// An org with many contacts, and a copy of its accounts and opportunities.
    private func synced(contacts: Int? = nil) async throws -> (OrgSession, String) {
        var configuration = LocalOrgConfiguration()
        configuration.contacts = contacts
        let session = try await OrgSession(configuration)
        let file = session.folder.path("crm.sqlite")
        let run = try await session.run(
            "sync", file, "--query", Self.accounts, "--query", Self.opportunities + " WHERE Amount > 0;")
        try #require(run.status == 0 && run.output.isEmpty, "\(run)")
        return (session, file)
    }

    /// Runs the command on a copy, without a login and without an org.
    private func local(_ file: String, _ arguments: String...) async throws -> Command.Outcome {
        try await Command(["--local", file] + arguments).finish()
    }

    @Test("a copy prints what the org prints, in every format and on several pages, after the org has stopped")
    func formats() async throws {
        let (session, file) = try await synced(contacts: 900)
        let queries = [
            "SELECT Id, Name, Owner.Name, (SELECT LastName FROM Contacts ORDER BY LastName) FROM Account ORDER BY Name",
            "SELECT StageName, COUNT(Id) n, SUM(Amount) FROM Opportunity WHERE Amount > 0 GROUP BY StageName ORDER BY StageName",
            "SELECT LastName, Account.Name, Email FROM Contact WHERE AccountId != null ORDER BY Id",
            "SELECT COUNT() FROM Contact WHERE AccountId != null",
            "SELECT Name, CloseDate, CreatedDate, IsClosed FROM Opportunity WHERE Amount > 10000 ORDER BY Name LIMIT 7",
        ]
        let long =
            "SELECT Name FROM Account WHERE Phone NOT IN ('\(String(repeating: "9", count: 20_000))') ORDER BY Name"
        var lines: [[String]] = OutputFormat.allCases.map { format in
            ["--format", format.rawValue, "--batch-size", "200", queries.joined(separator: ";\n")]
        }
        lines += [["--limit", "3", queries[2]], [long], ["SELECT Nme FROM Account"], ["SELECT FROM Account"]]
        var printed: [Command.Outcome] = []
        for line in lines {
            printed.append(try await Command(line, environment: session.environment).finish())
        }
        await session.org.stop()
        for (line, org) in zip(lines, printed) {
            let copy = try await Command(["--local", file] + line).finish()
            #expect(copy.output == org.output && copy.errors == org.errors && copy.status == org.status, "\(line)")
        }
        #expect(printed[1].status == 0 && printed[1].output.split(separator: "\n").count > 900)
        #expect(printed.suffix(2).allSatisfy { $0.status == 1 })
        // The list of objects and their fields are in the copy.
        let fields = try await Command(["describe", "Contact", "--local", file, "--format", "csv"]).finish()
        #expect(fields.status == 0 && fields.output.contains("\nLastName,string(80),true"), "\(fields)")
    }

    @Test("a report, the status and the exit code tell what a sync did and what remains")
    func reports() async throws {
        let (session, file) = try await synced()
        let again = try await session.run("sync", file)
        #expect(again.status == 0 && again.output.isEmpty, "\(again)")
        #expect(again.errors == "\(file): 0 records read, 0 removed; in the org 0 created, 0 updated, 0 deleted\n")
        let store = try await SyncStore.open(file)
        let id = try #require(try store.query("SELECT Id FROM Account ORDER BY Name LIMIT 1").first?["Id"]?.string)
        try store.edit { edit in
            try edit.update("Account", id: id, ["Phone": "5", "Fax": "here"])
            try edit.create("Account", ["Name": "Acme"])
        }
        store.close()
        func status() async throws -> [String] {
            let run = try await Command(["sync", "status", file, "--no-header"]).finish()
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            return run.output.split(separator: "\n").map(String.init)
        }
        var lines = try await status()
        #expect(lines[0].hasPrefix("subset,\"SELECT Name, Phone, Fax") && lines.count == 4, "\(lines)")
        #expect(lines[1].hasSuffix("WHERE Amount > 0\",") && lines[2].hasPrefix("last sync,20"), "\(lines)")
        #expect(lines[3] == "unsent changes,Account,2")
        // The stamp of a record has whole seconds.
        try await Task.sleep(for: .milliseconds(1_100))
        _ = try await session.client.send(.update("Account", id: id, ["Fax": "there"]))
        let conflicting = try await session.run("sync", file)
        #expect(conflicting.status == 4 && conflicting.errors.contains("1 created, 1 updated"), "\(conflicting)")
        #expect(conflicting.errors.contains("soql: 1 conflict; use 'soql sync conflicts'"), "\(conflicting)")
        lines = try await status()
        #expect(lines.last == "conflicts,Account,1" && lines.count == 4, "\(lines)")
        let list = try await Command(["sync", "conflicts", file, "--format", "ndjson"]).finish()
        let conflict = try JSONValue(parsing: list.output)
        #expect(conflict["record"]?.string == id && conflict["field"] == "Fax" && conflict["client"] == "here")
        #expect(conflict["server"] == "there" && conflict["reason"] == "changed here and on the server", "\(list)")
        let wrong = [
            ["x", "--keep", "server"], [id], [id, "--keep", "server", "Fax=1"], [id, "Nme=1"], [id, "Phone=1"],
            [id, "--keep", "both"], ["Fax"],
        ]
        for words in wrong {
            let run = try await Command(["sync", "resolve", file] + words).finish()
            #expect([1, 2].contains(run.status) && run.errors.hasPrefix("soql: "), "\(words) \(run)")
        }
        #expect(try await Command(["sync", "resolve", file, id, "Fax=both"]).finish().status == 0)
        #expect(try await session.run("sync", file).status == 0)
        #expect(try await session.values("SELECT Fax FROM Account WHERE Id = '\(id)'", "Fax") == ["both"])
        #expect(try await local(file, "--no-header", "SELECT Fax FROM Account WHERE Fax = 'both'").output == "both\n")
    }

    @Test("edits of an object that the schema no longer has are listed, and only the server's side can be kept")
    func removedObjects() async throws {
        let (session, file) = try await synced()
        var store = try await SyncStore.open(file)
        let query: SOQL = "SELECT Id FROM Opportunity ORDER BY Name LIMIT 1"
        let id = try #require(try store.query(query).first?.id)
        try store.edit { edit in
            try edit.update("Opportunity", id: id, ["StageName": "Closed Won", "Amount": 5])
            try edit.update("Account", id: try #require(store.query("SELECT Id FROM Account").first?.id), ["Fax": "5"])
        }
        store.close()
        let schema = try await SyncSchema.describing(["Account", "Contact", "User"], of: session.client)
        store = try await SyncStore.open(file, schema: schema)
        store.close()
        let list = try await Command(["sync", "conflicts", file, "--format", "ndjson"]).finish()
        let rows = try list.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(rows.map { $0["field"]?.string } == ["StageName", "Amount"], "\(list)")
        #expect(rows.allSatisfy { $0["object"] == "Opportunity" && $0["record"]?.string == id })
        #expect(try await session.run("sync", file).status == 4)
        for words in [["--keep", "client"], ["Amount=6"]] {
            let run = try await Command(["sync", "resolve", file, id] + words).finish()
            #expect(run.status == 2 && run.errors.contains("no longer has the object Opportunity"), "\(run)")
        }
        let run = try await Command(["sync", "resolve", file, id, "--keep", "server"]).finish()
        #expect(run.status == 0 && run.errors == "the change was dropped\n", "\(run)")
        #expect(try await Command(["sync", "conflicts", file, "--no-header"]).finish().output.isEmpty)
        #expect(try await session.run("sync", file).status == 0)
        let stage = try await session.values("SELECT StageName FROM Opportunity WHERE Id = '\(id)'", "StageName")
        #expect(stage != ["Closed Won"])
        #expect(try await session.values("SELECT Fax FROM Account WHERE Fax = '5'", "Fax") == ["5"])
    }

    @Test("a copy is read while another process holds a write transaction, and a second sync is rejected")
    func concurrentReading() async throws {
        let (session, file) = try await synced()
        let store = try await SyncStore.open(file)
        let writer = try Command([file], input: nil, program: URL(filePath: "/usr/bin/sqlite3"))
        // The output of another program is not buffered.
        try writer.send(Array("BEGIN IMMEDIATE; UPDATE Account SET Name = 'secret';\n.shell echo held\n".utf8))
        #expect(writer.nextLine().map { String(decoding: $0, as: UTF8.self) } == "held")
        let begin = ContinuousClock.now
        let read = try await local(file, "--no-header", "SELECT COUNT() FROM Account WHERE Name = 'secret'")
        #expect(read.status == 0 && read.output == "0\n", "\(read)")
        // SQLite would wait five seconds for a lock.
        #expect(ContinuousClock.now - begin < .seconds(4))
        #expect(try await Command(["sync", "status", file]).finish().status == 0)
        let second = try await session.run("sync", file)
        #expect(second.status == 1 && second.errors == "soql: \(file) is open elsewhere; close it there first\n")
        try writer.closeInput()
        _ = await writer.finish()
        store.close()
    }

    @Test("each unsuitable file and query has its own message in one line, and creates no file")
    func errors() async throws {
        let session = try await OrgSession()
        let (text, database) = (session.folder.path("notes.txt"), session.folder.path("org.db"))
        try String(repeating: "no database ", count: 100).write(toFile: text, atomically: true, encoding: .utf8)
        var configuration = LocalOrgConfiguration()
        configuration.storage = .file(database)
        await (try await LocalOrg.start(configuration)).stop()
        let (missing, other) = (session.folder.path("none.sqlite"), session.folder.path("other.sqlite"))
        // A file of another user: root's, or for root that of another id.
        var foreign = "/etc/passwd"
        if geteuid() == 0 {
            try "x".write(toFile: other, atomically: true, encoding: .utf8)
            #expect(unsafe chown(other, 65_534, 65_534) == 0)
            foreign = other
        }
        let query = "SELECT Name FROM Account"
        let cases: [([String], Int32, String)] = [
            (["--local", missing, query], 2, "soql: \(missing) does not exist; sync a copy first\n"),
            (["--local", text, query], 2, "soql: \(text) is not an offline copy; choose another file\n"),
            (["--local", database, query], 2, "soql: \(database) is not an offline copy; choose another file\n"),
            (["--local", foreign, query], 2, "soql: \(foreign) belongs to another user; choose a file of your own\n"),
            (["sync", missing], 2, "soql: \(missing) does not exist; use --query to create it\n"),
            (["sync", text], 2, "soql: \(text) is not an offline copy; choose another file\n"),
            (["sync", foreign, "--query", query], 2, "belongs to another user"),
            (["sync", missing, "--query", "SELECT FROM"], 2, "soql: invalid --query: "),
            (["sync", missing, "--query", query + " LIMIT 5"], 2, "a subset is a query of SELECT, FROM, WHERE"),
            (["sync", missing, "--query", "SELECT Name FROM Acount"], 2, "the org has no object 'Acount'"),
            (["sync", missing, "--query", "SELECT Nme FROM Account"], 2, "Account has no field 'Nme'"),
            (["sync", "status", missing], 2, "does not exist"),
            (["sync", "conflicts", text], 2, "not an offline copy"),
            (["sync", "resolve", missing, "1", "--keep", "server"], 2, "does not exist"),
            (["sync", "status"], 2, "no file"), (["sync", "status", "a", "b"], 2, "unexpected argument 'b'"),
            (["--local", missing, "--sample", query], 2, "--sample and --local cannot be combined"),
            (["--local", missing, "--tooling", query], 2, "--tooling cannot be used with --local"),
        ]
        for (line, status, message) in cases {
            let run = try await Command(line, environment: session.environment).finish()
            #expect(run.status == status && run.errors.contains(message) && run.output.isEmpty, "\(line) \(run)")
        }
        #expect(!FileManager.default.fileExists(atPath: missing))
    }

    @Test("an interrupted first sync leaves a whole copy, which the next sync completes")
    func interrupts() async throws {
        let session = try await OrgSession(LocalOrgConfiguration(records: 4_500))
        let file = session.folder.path("crm.sqlite")
        session.org.faults.add(.delay(.seconds(60)), next: 9, matching: "/query/")
        let environment = session.environment
        let terminal = try TerminalSession(
            ["sync", file, "--query", "SELECT Name FROM Account"], environment: environment,
            size: Screen(columns: 80, rows: 24))
        try terminal.wait(for: "Syncing: 2,000 records")
        terminal.interrupt()
        terminal.finish()
        #expect(terminal.process.terminationStatus == 130)
        session.org.faults.clear()
        #expect(try await local(file, "--no-header", "SELECT COUNT() FROM Account").output == "2000\n")
        let run = try await session.run("sync", file)
        let total = try await session.values("SELECT Id FROM Account", "Id").count
        #expect(run.status == 0 && run.errors.contains("\(total - 2_000) records read"), "\(run)")
        #expect(try await local(file, "--no-header", "SELECT COUNT() FROM Account").output == "\(total)\n")
    }

    @Test("a session on a copy runs statements, describes objects and completes names, without an org")
    func session() async throws {
        let (org, file) = try await synced()
        await org.org.stop()
        let home = try TemporaryDirectory()
        let environment = [
            "HOME": home.path, "TERM": "xterm", "LC_ALL": "C.UTF-8", "PAGER": "", "NO_COLOR": "1",
        ]
        let session = try TerminalSession(
            ["--local", file], environment: environment, in: home.path, size: Screen(columns: 80, rows: 24), leads: true
        )
        try session.wait(for: "crm.sqlite=> ")
        try session.type("SELECT Name FROM Account ORDER BY Name LIMIT 2;\n", until: "2 records")
        try session.type("\\dt *\n", until: "4 records")
        try session.type("\\d Account.Name\n", until: "1 record\r")
        try session.type("SELECT Name FROM Oppor\tLIMIT 3;\n", until: "3 records")
        try session.type("\\limits\n", until: "an offline copy has only queries and descriptions")
        session.type("\u{4}")
        session.finish()
        #expect(session.process.terminationStatus == 0)
        #expect(!FileManager.default.fileExists(atPath: file + "-wal"))
    }

    @Test("sqlite3 reads the views, with 0 and 1, numbers and ISO dates, and without deleted records")
    func views() async throws {
        let (session, file) = try await synced()
        let store = try await SyncStore.open(file)
        func sqlite(_ sql: String) async throws -> [String] {
            let run = try await Command(
                ["-readonly", file, sql], program: URL(filePath: "/usr/bin/sqlite3")
            ).finish()
            #expect(run.status == 0 && run.errors.isEmpty, "\(run)")
            return run.output.split(separator: "\n").map(String.init)
        }
        let types = try await sqlite(
            """
            SELECT DISTINCT typeof(Name), typeof(Amount), typeof(IsClosed), IsClosed IN (0, 1), typeof(CloseDate),
            date(CloseDate) = CloseDate, strftime('%Y-%m-%dT%H:%M:%fZ', CreatedDate) = CreatedDate FROM _Opportunity
            """)
        #expect(types == ["text|real|integer|1|text|1|1"])
        let expected = try await session.values(Self.opportunities + " WHERE Amount > 0 ORDER BY Name")
        #expect(try await sqlite("SELECT Name FROM _Opportunity ORDER BY Name COLLATE NOCASE") == expected)
        let sum = try await sqlite(
            """
            SELECT count(*) FROM _Contact c JOIN _Account a ON a.Id = c.AccountId JOIN _User u ON u.Id = a.OwnerId
            """)
        #expect(sum == [String(try store.count("SELECT COUNT() FROM Contact"))])
        let id = try #require(try store.query("SELECT Id FROM Opportunity").first?["Id"]?.string)
        try store.edit { try $0.delete("Opportunity", id: id) }
        #expect(try await sqlite("SELECT count(*) FROM _Opportunity WHERE Id = '\(id)'") == ["0"])
        #expect(try await sqlite("SELECT count(*) FROM Opportunity WHERE Id = '\(id)'") == ["1"])
        store.close()
    }
}
