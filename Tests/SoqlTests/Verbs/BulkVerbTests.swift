// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestCSV
import RestTesting
import Terminals
import Testing

@testable import SoqlCommand

@Suite("soql export and import", .timeLimit(.minutes(4)))
struct BulkVerbTests {
    @Test("an export has every row of the query, and leaves only its file")
    func export() async throws {
        let session = try await OrgSession(LocalOrgConfiguration(records: 5_000))
        let file = session.folder.path("all.csv")
        let run = try await session.run("export", "SELECT Id, Name FROM Account;", "-o", file)
        #expect(run.status == 0 && run.errors.contains("rows, "))
        let table = try CSVDocument(parsing: session.folder.text(of: "all.csv") ?? "")
        #expect(try await session.values("SELECT Id FROM Account ORDER BY Id", "Id") == table.rows.map { $0[0] })
        #expect(table.header?.names == ["Id", "Name"] && session.folder.names == ["all.csv"])
        #expect(!session.org.journal.entries.contains { $0.target.contains("/jobs/") })
        let job = try await session.run("export", "SELECT Id, Name FROM Account", "-o", "\(file).job", "--bulk")
        #expect(job.status == 0 && session.org.journal.entries.contains { $0.target.contains("/jobs/query/") })
        let rows = session.folder.text(of: "all.csv.job").map { Set($0.split(separator: "\n")) }
        #expect(rows == session.folder.text(of: "all.csv").map { Set($0.split(separator: "\n")) })
        let refused = try await session.run("export", "SELECT COUNT(Id) FROM Account", "-o", file)
        #expect(refused.status == 1 && !refused.errors.isEmpty)
        let link = session.folder.path("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "new.csv")
        #expect(try await session.run("export", "SELECT Id, Name FROM Account", "-o", link).status == 0)
        #expect(["link", "new.csv"].allSatisfy(session.folder.names.contains))
        #expect(session.folder.text(of: "new.csv") == session.folder.text(of: "all.csv"))
    }

    @Test("an import writes the rows, its files have the result of each row, and failed rows lead to exit code 4")
    func partly() async throws {
        let session = try await OrgSession()
        let rows = (1...1_000).map { "bulk \($0),\($0 % 100 == 0 ? "x" : "\($0)")\n" }.joined()
        try session.folder.write("Name,NumberOfEmployees\n" + rows, to: "rows.csv")
        // A file of an earlier import, which must not be taken for a result of this import.
        try session.folder.write("old", to: "rows.csv.unprocessed.csv")
        let run = try await session.run("import", "Account", session.folder.path("rows.csv"))
        #expect(run.status == 4 && run.errors.contains("990 of 1000 records written"))
        #expect(session.folder.names == ["rows.csv", "rows.csv.failed.csv", "rows.csv.successful.csv"])
        let failed = try CSVDocument(parsing: session.folder.text(of: "rows.csv.failed.csv") ?? "")
        #expect(failed.header?.names == ["sf__Id", "sf__Error", "Name", "NumberOfEmployees"])
        #expect(failed.rows.count == 10 && failed.rows.allSatisfy { $0["NumberOfEmployees"] == "x" })
        let successful = try CSVDocument(parsing: session.folder.text(of: "rows.csv.successful.csv") ?? "")
        let ids = try await session.values("SELECT Id FROM Account WHERE Name LIKE 'bulk %'", "Id")
        #expect(Set(ids) == Set(successful.rows.compactMap { $0["sf__Id"] }) && ids.count == 990)
    }

    @Test("rows are upserted and deleted, and existing records are changed only with --yes")
    func operations() async throws {
        let session = try await OrgSession()
        try session.folder.write("ExternalId__c;Name\nb1;One\nb2;Two\n", to: "up.csv")
        let file = session.folder.path("up.csv")
        let words = ["import", "Account", file, "--operation", "upsert", "--external-id", "ExternalId__c"]
        let refused = try await Command(words, environment: session.environment).finish()
        #expect(refused.status == 2 && refused.errors.contains("--yes"))
        let more = ["--delimiter", "semicolon", "-y"]
        for _ in 0..<2 {
            let run = try await Command(words + more, environment: session.environment).finish()
            #expect(run.status == 0, "\(run)")
        }
        let query = "SELECT Id, Name FROM Account WHERE ExternalId__c LIKE 'b_' ORDER BY Name"
        #expect(try await session.values(query) == ["One", "Two"])
        let ids = try await session.values(query, "Id")
        try session.folder.write("Id\n" + ids.joined(separator: "\n"), to: "ids.csv")
        let path = session.folder.path("ids.csv")
        let gone = try await session.run("import", "Account", path, "--operation", "delete", "--yes")
        #expect(gone.status == 0)
        #expect(try await session.values(query).isEmpty)
        let hard = try await session.run("import", "Account", path, "--operation", "hardDelete")
        #expect(hard.status == 2 && hard.errors.contains("--yes"))
    }

    @Test(
        "an invalid file is rejected before anything is sent",
        arguments: [
            ("Name\na,b\n", "width"), ("Nmae\na\n", "did you mean 'Name'?"), ("", "is empty"),
            ("Name\n\"a", "unterminated"),
            ("Name,name\na,b\n", "a column name is repeated"),
        ])
    func bad(rows: String, message: String) async throws {
        let session = try await OrgSession()
        try session.folder.write(rows, to: "rows.csv")
        let run = try await session.run("import", "Account", session.folder.path("rows.csv"))
        #expect(run.status == 1 && run.errors.contains(message), "\(run)")
        let missing = try await session.run("import", "Account", session.folder.path("nothing.csv"))
        #expect(missing.status == 1 && session.writes.isEmpty && session.folder.names == ["rows.csv"])
    }

    @Test("a file with only a header is complete at once, and --dry-run prints the requests of the jobs")
    func nothing() async throws {
        let session = try await OrgSession()
        try session.folder.write("Name\n", to: "rows.csv")
        let none = try await session.run("import", "Account", session.folder.path("rows.csv"))
        #expect(none.status == 0 && none.errors.contains("no rows"))
        try session.folder.write("Name\na\nb\n", to: "rows.csv")
        let few = try await session.run("import", "Account", session.folder.path("rows.csv"), "--dry-run")
        #expect(few.output.hasSuffix("/sobjects\n(2 records of \(session.folder.path("rows.csv")))\n"), "\(few)")
        let dry = try await session.run("import", "Account", session.folder.path("rows.csv"), "--dry-run", "--bulk")
        #expect(dry.output.contains(#"{"object":"Account","operation":"insert","contentType":"CSV""#))
        #expect(dry.output.contains("2 records of") && session.writes.isEmpty && session.folder.names == ["rows.csv"])
    }

    /// Starts an import, and kills it after `count` more requests.
    ///
    /// - Returns: whether the import had already ended.
    private func work(_ session: OrgSession, _ more: [String], killedAfter count: Int) async throws -> Bool {
        let before = session.org.journal.count
        let words = ["import", "Account", session.folder.path("rows.csv")] + more
        let command = try Command(words, environment: session.environment)
        while command.process.isRunning, session.org.journal.count < before + count { await Task.yield() }
        let hasEnded = !command.process.isRunning
        kill(command.process.processIdentifier, SIGKILL)
        let run = await command.finish()
        if hasEnded { #expect(run.status == 0 || more[0] == "--no-bulk" && run.status == 4, "\(run)") }
        return hasEnded
    }

    @Test(
        "an import that is killed repeatedly is finished by --resume, and each row is applied once",
        arguments: ["--bulk", "--no-bulk"])
    func killed(way: String) async throws {
        let session = try await OrgSession()
        try session.folder.write("Name\n" + (1...2_000).map { "killed \($0)\n" }.joined(), to: "rows.csv")
        let nothing = try await session.run("import", "Account", session.folder.path("rows.csv"), "--resume")
        #expect(nothing.status == 1 && nothing.errors.contains("nothing to resume"))
        var (kills, hasEnded) = (0, false)
        for count in [1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8] where !hasEnded {
            let goesOn = session.folder.names.contains("rows.csv.load")
            hasEnded = try await work(session, [way] + (goesOn ? ["--resume"] : []), killedAfter: count)
            if !hasEnded { kills += 1 }
        }
        if !hasEnded {
            let begun = try await session.run("import", "Account", session.folder.path("rows.csv"))
            #expect(begun.status == 1 && begun.errors.contains("use --resume to continue it"))
            let run = try await session.run("import", "Account", session.folder.path("rows.csv"), "--resume")
            #expect(run.status == (way == "--bulk" ? 0 : 4), "\(run)")
        }
        guard way == "--bulk" else {
            // The rows of a collection whose response was lost are reported, and are not sent again.
            let written = try await session.values("SELECT Name FROM Account WHERE Name LIKE 'killed %'")
            let known = try CSVDocument(parsing: session.folder.text(of: "rows.csv.successful.csv") ?? "")
            let unknown = try CSVDocument(parsing: session.folder.text(of: "rows.csv.unknown.csv") ?? "")
            #expect(Set(written).count == written.count && known.rows.count + unknown.rows.count == 2_000)
            let reported = known.rows.compactMap { $0["Name"] } + unknown.rows.compactMap { $0["Name"] }
            #expect(Set(reported).count == 2_000 && Set(known.rows.compactMap { $0["Name"] }).isSubset(of: written))
            return #expect(kills > 3 && !session.org.journal.entries.contains { $0.target.contains("/jobs/") })
        }
        let names = try await session.values("SELECT Name FROM Account WHERE Name LIKE 'killed %'")
        #expect(names.sorted() == (1...2_000).map { "killed \($0)" }.sorted() && kills > 3)
        #expect(session.folder.names == ["rows.csv", "rows.csv.successful.csv"])
    }

    @Test("an import that is interrupted while it reads results leaves no part of them, and --resume completes it")
    func interrupted() async throws {
        let session = try await OrgSession()
        try session.folder.write("Name\n" + (1...2_000).map { "stopped \($0)\n" }.joined(), to: "rows.csv")
        session.org.faults.add(.delay(.seconds(60)), next: 9, matching: "/unprocessedrecords")
        let words = ["import", "--bulk", "Account", session.folder.path("rows.csv")]
        let terminal = try TerminalSession(
            words, environment: session.environment, size: Screen(columns: 100, rows: 24))
        try terminal.wait(for: "Reading results of: waiting")
        terminal.interrupt()
        terminal.finish()
        #expect(terminal.process.terminationStatus == 130)
        #expect(session.folder.names == ["rows.csv", "rows.csv.load"])
        session.org.faults.clear()
        let run = try await Command(words + ["--resume"], environment: session.environment).finish()
        #expect(run.status == 0 && run.errors.contains("2000 records successful"), "\(run)")
        #expect(session.folder.names == ["rows.csv", "rows.csv.successful.csv"])
        #expect(try await session.values("SELECT Id FROM Account WHERE Name LIKE 'stopped %'", "Id").count == 2_000)
    }

    @Test("--restart discards an earlier import with any journal, and a message mentions jobs only if there are some")
    func restartedImport() async throws {
        let session = try await OrgSession()
        try session.folder.write("Name\nrestarted\n", to: "rows.csv")
        let file = session.folder.path("rows.csv")
        for text in ["a file of something else", "RestBulk load 2\nnot a record\n"] {
            try session.folder.write(text, to: "rows.csv.load")
            let resumed = try await session.run("import", "Account", file, "--resume")
            #expect(resumed.status == 1 && !resumed.errors.contains("jobs may still be running"), "\(resumed)")
            let restarted = try await session.run("import", "Account", file, "--restart")
            #expect(restarted.status == 0 && session.folder.names == ["rows.csv", "rows.csv.successful.csv"])
        }
        session.org.faults.add(.status(400, code: "X", message: "no jobs today"), next: 1, matching: "/jobs/ingest")
        let refused = try await session.run("import", "Account", file, "--bulk")
        #expect(refused.status == 1 && !refused.errors.contains("jobs may still be running"), "\(refused)")
        session.org.faults.add(.status(400, code: "X", message: "no rows today"), next: 1, matching: "/batches")
        let begun = try await session.run("import", "Account", file, "--restart", "--bulk")
        #expect(begun.status == 1 && begun.errors.contains("jobs may still be running"), "\(begun)")
    }

    @Test("--restart discards an earlier export, and an existing journal is not continued unless requested")
    func restart() async throws {
        let session = try await OrgSession(LocalOrgConfiguration(records: 500))
        let file = session.folder.path("all.csv")
        session.org.faults.add(.delay(.seconds(60)), next: 9, matching: "/results")
        let first = try Command(
            ["export", "SELECT Id FROM Account", "-o", file, "--bulk"], environment: session.environment)
        while first.process.isRunning, !session.org.journal.entries.contains(where: { $0.target.contains("/results") })
        {
            await Task.yield()
        }
        kill(first.process.processIdentifier, SIGKILL)
        _ = await first.finish()
        session.org.faults.clear()
        let second = try await session.run("export", "SELECT Id FROM Account", "-o", file)
        #expect(second.status == 1 && second.errors.contains("use --resume to continue it"))
        let resumed = try await session.run("export", "SELECT Id FROM Account", "-o", file, "--resume")
        #expect(resumed.status == 0 && session.folder.names == ["all.csv"])
        try session.folder.write("left", to: "all.csv.bulk")
        #expect(try await session.run("export", "SELECT Id FROM Account", "-o", file, "--restart").status == 0)
        #expect(session.folder.names == ["all.csv"])
    }
}
