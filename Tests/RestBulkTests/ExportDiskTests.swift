// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestBulk
import RestTesting
import Testing

@Suite("Exports whose file cannot be written")
struct ExportDiskTests {
    private static let query: SOQL = "SELECT Id, Name FROM Account ORDER BY Id"

    private func query(_ client: RestClient) -> BulkQuery {
        client.bulk.query(Self.query, options: BulkQuery.Options(pageRows: 20, patience: quick))
    }

    /// The result as the org gives it without a file.
    private func expected(_ client: RestClient) async -> String {
        let (chunks, error) = await all(query(client).chunks)
        #expect(error == nil)
        return String(decoding: chunks.joined(), as: UTF8.self)
    }

    #if os(Linux)
    @Test("an export that met a full disk goes on with every row when there is room", arguments: [4, 9, 16])
    func fullDisk(kilobytes: Int) async throws {
        let org = try await LocalOrg.start(LocalOrgConfiguration(records: 1_000))
        let client = try org.client()
        let folder = try TemporaryFolder()
        let token = org.issueCredential().accessToken
        func status(_ setup: String) throws -> Int32 {
            let process = Process.tool()
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            let command = "\(setup) exec \"$0\" export \(org.port) \"$1\" \"$2\" 2>\"$2.errors\""
            process.arguments = ["-c", command, BuiltProgram.url("bulkworker").path, token, folder.path("all.csv")]
            try process.run()
            process.waitUntilExit()
            return process.terminationStatus
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

    /// Begins an export whose last step fails: its place is a folder by then.
    private func failAtTheEnd(_ client: RestClient, _ path: String) async throws {
        let error = await failure {
            try await query(client).export(to: path) { if $0.rows > 0 { unsafe mkdir(path, 0o755) } }
        }
        #expect(error?.code == .file)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test("an export whose last step failed is finished by the next call, from what it had written")
    func lastStep() async throws {
        try await withOrg { org, client in
            let folder = try TemporaryFolder()
            let path = folder.path("all.csv")
            try await failAtTheEnd(client, path)
            #expect(folder.names == [".all.csv.bulk-part", "all.csv.bulk"])
            let export = try await query(client).export(to: path)
            #expect(await folder.text(of: "all.csv") == expected(client))
            #expect(export.rows == 60 && folder.names == ["all.csv"])
        }
    }

    @Test("the end of an export is believed of its own file at the destination alone", arguments: [true, false])
    func done(isOwn: Bool) async throws {
        try await withOrg { org, client in
            let folder = try TemporaryFolder()
            let (path, part) = (folder.path("all.csv"), folder.path(".all.csv.bulk-part"))
            try await failAtTheEnd(client, path)
            if isOwn {
                // As a process leaves it that is killed behind the move.
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

    @Test("the position of a text is that behind the last piece that was given, and no row is lost from there on")
    func positions() async throws {
        try await withOrg { _, client in
            let whole = await expected(client)
            let (pieces, _) = await all(query(client).chunks)
            for count in 1...pieces.count {
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
