// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import Synchronization
import Testing

@Suite("Exports of an org")
struct ExportTests {
    private static let query: SOQL = "SELECT Id, Name, Owner.Name FROM Account ORDER BY Id"

    private static func options(_ rows: Int? = 7) -> BulkQuery.Options {
        BulkQuery.Options(pageRows: rows, patience: quick)
    }

    /// Returns the rows of the query as the REST API returns them.
    private func expected(_ client: RestClient) async throws -> [[String]] {
        var rows: [[String]] = []
        for try await record in client.records(Self.query) {
            rows.append(
                [record["Id"]?.string, record["Name"]?.string, record["Owner"]?["Name"]?.string].map { $0 ?? "" })
        }
        return rows
    }

    private func rows(_ text: String?) throws -> [[String]] {
        try CSVDocument(parsing: text ?? "").rows.map { Array($0) }
    }

    @Test("a result of many pages becomes one file", arguments: [nil, 1, 7, 60, 1_000])
    func whole(pageRows: Int?) async throws {
        try await withOrg { _, client in
            let folder = try TemporaryDirectory()
            let reports = Mutex(BulkProgress?.none)
            let export = try await client.bulk.query(Self.query, options: Self.options(pageRows)).export(
                to: folder.path("all.csv")
            ) { progress in reports.withLock { $0 = progress } }
            let rows = try rows(folder.text(of: "all.csv"))
            #expect(try await rows == expected(client))
            #expect(export.rows == 60 && rows.count == 60 && reports.withLock { $0?.rows } == 60)
            #expect(folder.names == ["all.csv"])
        }
    }

    @Test("an export reports the progress of its job before there are rows")
    func jobProgress() async throws {
        let folder = try TemporaryDirectory()
        let platform = ModelPlatform(change: { job in
            (job.state, job.processed) = job.polls > 3 ? ("JobComplete", 2) : ("InProgress", job.polls - 1)
        })
        platform.state.withLock {
            $0.pages = [(["Sforce-Locator": "null", "Sforce-NumberOfRecords": "2"], "Id\na\nb\n")]
        }
        let reports = Mutex([BulkProgress]())
        let query = try client(of: platform).bulk.query("SELECT Id FROM Account")
        let export = try await query.export(to: folder.path("all.csv")) { progress in
            reports.withLock { $0.append(progress) }
        }
        let seen = reports.withLock(\.self)
        #expect(export.rows == 2)
        #expect(seen.prefix(4).map(\.recordsProcessed) == [0, 1, 2, 2] && seen.prefix(4).allSatisfy { $0.rows == 0 })
        #expect(seen.prefix(4).map(\.jobsEnded) == [0, 0, 0, 1] && seen.allSatisfy { $0.jobs == 1 })
        #expect(seen.last?.rows == 2 && seen.last?.rowsProcessed == 2 && seen.last?.recordsProcessed == 2)
    }

    @Test("pages of the org's own size arrive in order, and a job of another API version is read with that version")
    func pages() async throws {
        var configuration = LocalOrgConfiguration()
        configuration.bulkPageSize = 4
        let org = try await LocalOrg.start(configuration)
        let client = try org.client()
        let options = BulkQuery.Options(patience: quick)
        let (rows, error) = await all(client.bulk.query(Self.query, options: options).rows)
        #expect(error == nil)
        #expect(try await rows.map { Array($0) } == expected(client))
        let other = try org.client(RestClient.Configuration(apiVersion: APIVersion(60)))
        let position = try await other.bulk.query(Self.query).begin()
        let (same, failure) = await all(client.bulk.query(from: position, options: options).rows)
        #expect(failure == nil && same.map { Array($0) } == rows.map { Array($0) })
        await org.stop()
    }

    @Test(
        "the result has the requested delimiter and line endings",
        arguments: ["TAB", "PIPE", "SEMICOLON", "CARET", "BACKQUOTE"])
    func dialects(name: String) async throws {
        try await withOrg { _, client in
            let dialect = CSVDialect.platform(
                delimiter: try #require(CSVDialect.Delimiter.platformNames[name]), lineEnding: .crlf)
            let options = BulkQuery.Options(dialect: dialect, pageRows: 25, patience: quick)
            let (rows, error) = await all(client.bulk.query(Self.query, options: options).rows)
            #expect(error == nil)
            #expect(try await rows.map { Array($0) } == expected(client))
            let (chunks, _) = await all(client.bulk.query(Self.query, options: options).chunks)
            let document = try CSVDocument(parsing: Array(chunks.joined()), dialect)
            #expect(document.rows.count == 60 && document.header?.names == ["Id", "Name", "Owner.Name"])
        }
    }

    @Test("rows are decoded as values, including fields of related records")
    func values() async throws {
        struct Row: Decodable, Equatable {
            struct Owner: Decodable, Equatable { let Name: String }
            let Name: String
            let Owner: Owner
        }
        try await withOrg { _, client in
            let (values, error) = await all(
                client.bulk.query(Self.query, options: Self.options(25)).records(as: Row.self))
            let expected = try await expected(client)
            #expect(error == nil && values.map(\.Name) == expected.map { $0[1] })
            #expect(values.map(\.Owner.Name) == expected.map { $0[2] })
        }
    }

    @Test("an empty result has a header, and deleted records are included on request")
    func empty() async throws {
        try await withOrg { _, client in
            let folder = try TemporaryDirectory()
            let export = try await client.bulk.query(
                "SELECT Id FROM Account WHERE Name = 'nobody'", options: Self.options()
            ).export(to: folder.path("none.csv"))
            #expect(export.rows == 0 && folder.text(of: "none.csv")?.isEmpty == false)
            let made = try await client.send(.create("Account", ["Name": "short-lived"]))
            _ = try await client.send(.delete("Account", id: made.payload["id"]?.string ?? ""))
            let options = Self.options(nil)
            let (left, _) = await all(client.bulk.query("SELECT Id FROM Account", options: options).rows)
            let (found, _) = await all(
                client.bulk.query("SELECT Id FROM Account", includingDeleted: true, options: options).rows)
            #expect(left.count == 60 && found.count == 61)
        }
    }

    @Test("an export is complete after interrupted, failed and late pages", arguments: [0, 60, 400])
    func faults(bytes: Int) async throws {
        try await withOrg { org, _ in
            // Only a timeout ends a response that stops in the middle of an open connection.
            var configuration = RestClient.Configuration()
            configuration.transportLimits.idleTimeout = .milliseconds(300)
            configuration.transportLimits.firstByteTimeout = .seconds(5)
            let client = try org.client(configuration)
            let folder = try TemporaryDirectory()
            org.faults.add(.truncate(after: bytes), next: 3, matching: "/results")
            org.faults.add(.status(503), next: 2, matching: "/results", skipping: 3)
            org.faults.add(.reset, next: 1, matching: "/results", skipping: 4)
            let export = try await client.bulk.query(Self.query, options: Self.options(20)).export(
                to: folder.path("all.csv"))
            #expect(try await rows(folder.text(of: "all.csv")) == expected(client))
            #expect(export.rows == 60)
        }
    }

    @Test("another process resumes an interrupted export with the same job")
    func resumed() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            let path = folder.path("all.csv")
            var jobs: Set<String> = []
            for skip in [0, 2, 1, 3] {
                org.faults.add(.status(400, code: "INVALIDJOB"), next: 1, matching: "/results", skipping: skip)
                let error = await failure {
                    try await client.bulk.query(Self.query, options: Self.options()).export(to: path)
                }
                #expect(error?.code == .request && error?.position != nil)
                jobs.insert(error?.jobID ?? "")
                #expect(folder.text(of: "all.csv") == nil)
            }
            let other = await failure {
                try await client.bulk.query("SELECT Id FROM Account").export(to: path)
            }
            #expect(other?.code == .journal)
            // A process that died wrote the bytes after the last position in the journal.
            let part = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path(".all.csv.bulk-part")))
            try part.seekToEnd()
            try part.write(contentsOf: Data("half a ro".utf8))
            try part.close()
            let export = try await client.bulk.query(Self.query, options: Self.options()).export(to: path)
            jobs.insert(export.jobID ?? "")
            #expect(try await rows(folder.text(of: "all.csv")) == expected(client))
            #expect(export.rows == 60 && jobs.count == 1 && folder.names == ["all.csv"])
        }
    }

    @Test("queries with two encodings of one letter are two queries")
    func spellings() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            org.faults.add(.status(400, code: "INVALIDJOB"), next: 1, matching: "/results")
            for (name, code) in [("Caf\u{E9}", BulkError.Code.request), ("Cafe\u{301}", .journal)] {
                let query = client.bulk.query("SELECT Id FROM Account WHERE Name = \(name)", options: Self.options())
                #expect(await failure { try await query.export(to: folder.path("all.csv")) }?.code == code)
            }
        }
    }

    @Test("an export whose job no longer exists reports it, and an export whose file was removed starts the file again")
    func lost() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            let path = folder.path("all.csv")
            func fail() async -> BulkError? {
                org.faults.add(.status(400, code: "INVALIDJOB"), next: 1, matching: "/results", skipping: 3)
                return await failure {
                    try await client.bulk.query(Self.query, options: Self.options()).export(to: path)
                }
            }
            _ = await fail()
            try FileManager.default.removeItem(atPath: folder.path(".all.csv.bulk-part"))
            let export = try await client.bulk.query(Self.query, options: Self.options()).export(to: path)
            #expect(try await rows(folder.text(of: "all.csv")) == expected(client))
            #expect(export.rows == 60)
            let failed = await fail()
            try await client.bulk.delete(client.bulk.job(#require(failed?.jobID), .query))
            let gone = await failure {
                try await client.bulk.query(Self.query, options: Self.options()).export(to: path)
            }
            #expect(gone?.code == .jobGone)
        }
    }

    @Test("a path at which no file can be created is rejected before a job is created")
    func places() async throws {
        try await withOrg { _, client in
            for path in ["/nowhere/all.csv", "/tmp/", ""] {
                let error = await failure {
                    try await client.bulk.query(Self.query).export(to: path)
                }
                #expect(error?.code == .file || error?.code == .journal)
            }
            let jobs = try await client.bulk.jobs(.query)
            #expect(jobs.isEmpty)
        }
    }
}

@Suite("Exports whose file cannot be written")
struct ExportDiskTests {
    private static let query: SOQL = "SELECT Id, Name FROM Account ORDER BY Id"

    private func query(_ client: RestClient) -> BulkQuery {
        client.bulk.query(Self.query, options: BulkQuery.Options(pageRows: 20, patience: quick))
    }

    private func expected(_ client: RestClient) async -> String {
        let (chunks, error) = await all(query(client).chunks)
        #expect(error == nil)
        return String(decoding: chunks.joined(), as: UTF8.self)
    }

    #if os(Linux)
    @Test("an export that was interrupted by a full disk is complete when there is space again", arguments: [4, 9, 16])
    func fullDisk(kilobytes: Int) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 1_000))
        let client = try org.client()
        let folder = try TemporaryDirectory()
        let token = org.issueCredential().accessToken
        func status(_ setup: String) throws -> Int32 {
            let command = "\(setup) exec \"$0\" export \(org.port) \"$1\" \"$2\" 2>\"$2.errors\""
            let worker = BuiltProgram.url("bulkworker").path
            return try RunningProgram.tool(["bash", "-c", command, worker, token, folder.path("all.csv")]).status
        }
        #expect(try status("trap '' XFSZ; ulimit -f \(kilobytes);") != 0)
        #expect(folder.text(of: "all.csv") == nil)
        #expect(folder.text(of: "all.csv.errors")?.contains("cannot be written") == true)
        #expect(try status("") == 0)
        #expect(await folder.text(of: "all.csv") == expected(client))
        #expect(folder.names == ["all.csv", "all.csv.errors"])
        await org.stop()
    }
    #endif

    /// Starts an export whose last step fails, because a directory appears at the destination.
    private func failAtTheEnd(_ client: RestClient, _ path: String) async throws {
        let error = await failure {
            try await query(client).export(to: path) { if $0.rows > 0 { unsafe mkdir(path, 0o755) } }
        }
        #expect(error?.code == .file)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test("the next call finishes an export whose last step failed, from the rows that were written")
    func lastStep() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            let path = folder.path("all.csv")
            try await failAtTheEnd(client, path)
            #expect(folder.names == [".all.csv.bulk-part", "all.csv.bulk"])
            let export = try await query(client).export(to: path)
            #expect(await folder.text(of: "all.csv") == expected(client))
            #expect(export.rows == 60 && folder.names == ["all.csv"])
        }
    }

    @Test("an export counts as finished only if the file at the destination is its own", arguments: [true, false])
    func done(isOwn: Bool) async throws {
        try await withOrg { org, client in
            let folder = try TemporaryDirectory()
            let (path, part) = (folder.path("all.csv"), folder.path(".all.csv.bulk-part"))
            try await failAtTheEnd(client, path)
            if isOwn {
                // The state after a process that was killed after it moved the file.
                #expect(unsafe rename(part, path) == 0)
            } else {
                try FileManager.default.copyItem(atPath: part, toPath: path)
                try FileManager.default.removeItem(atPath: part)
            }
            let before = org.journal.entries.count { $0.target.contains("/results") }
            let export = try await query(client).export(to: path)
            #expect(isOwn == (org.journal.entries.count { $0.target.contains("/results") } == before))
            #expect(await folder.text(of: "all.csv") == expected(client))
            #expect(export.rows == 60 && folder.names == ["all.csv"])
        }
    }

    @Test("a position is after the last returned chunk, and no row is missing from there on")
    func positions() async throws {
        try await withOrg { _, client in
            let whole = await expected(client)
            let (chunks, _) = await all(query(client).chunks)
            for count in 1...chunks.count {
                var chunks = query(client).chunks.makeAsyncIterator()
                var text: [UInt8] = []
                for _ in 1...count { text += try await chunks.next() ?? [] }
                let position = try #require(chunks.position)
                let options = BulkQuery.Options(pageRows: 20, patience: quick)
                let (rest, error) = await all(client.bulk.query(from: position, options: options).chunks)
                #expect(error == nil)
                #expect(String(decoding: text + rest.joined(), as: UTF8.self) == whole, "after \(count) pieces")
            }
        }
    }
}
