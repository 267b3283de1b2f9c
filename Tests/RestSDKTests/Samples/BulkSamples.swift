// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import Foundation
import RestBulk

/// The samples of the articles on bulk work and on CSV, word for word; all of them run.
enum BulkSamples {
    static func run() async throws {
        let org = try await LocalOrg.start()
        let client = try RestClient(
            loginURL: org.instanceURL, clientID: org.clientID, clientSecret: Secret(org.clientSecret))
        let before = FileManager.default.currentDirectoryPath
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bulk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        guard FileManager.default.changeCurrentDirectoryPath(folder.path) else { return }
        defer {
            _ = FileManager.default.changeCurrentDirectoryPath(before)
            try? FileManager.default.removeItem(at: folder)
        }
        try "Name\nAcme\nBolt\n".write(toFile: "new.csv", atomically: false, encoding: .utf8)
        try await overview(client)
        try await reading(client)
        try await positions(client)
        try await exporting(client)
        try await loading(client)
        try csv()
        await org.stop()
    }

    private static func overview(_ client: RestClient) async throws {
        // sample: docs/RestBulk.docc/RestBulk.md 1
        let export = try await client.bulk.query("SELECT Id, Name FROM Account").export(to: "accounts.csv")
        print(export.rows)

        let load = client.bulk.ingest(.insert, into: "Account", from: .csv(path: "new.csv"), journal: "new.load")
        print(try await load.run().failed)
        // end
    }

    private static func reading(_ client: RestClient) async throws {
        // sample: docs/RestBulk.docc/LargeAmounts.md 1
        nonisolated struct Account: Decodable, Sendable {
            let Id: String
            let Name: String
            let NumberOfEmployees: Int?
        }
        let query = client.bulk.query("SELECT Id, Name, NumberOfEmployees FROM Account WHERE Industry = \("Banking")")
        for try await account in query.records(as: Account.self) { print(account.Name) }
        for try await row in query.rows { print(row["Name"] ?? "") }
        // end
    }

    private static func positions(_ client: RestClient) async throws {
        // sample: docs/RestBulk.docc/LargeAmounts.md 2
        var rows = client.bulk.query("SELECT Id FROM Account").rows.makeAsyncIterator()
        let first = try await rows.next()
        guard let position = rows.position else { return }
        let kept = try JSONEncoder().encode(position)

        let later = try JSONDecoder().decode(BulkPosition.self, from: kept)
        for try await row in client.bulk.query(from: later).rows { print(row["Id"] ?? "", first?["Id"] ?? "") }
        // end
    }

    private static func exporting(_ client: RestClient) async throws {
        // sample: docs/RestBulk.docc/LargeAmounts.md 3
        do {
            let query = client.bulk.query("SELECT Id, Name FROM Account")
            let export = try await query.export(to: "accounts.csv") { progress in
                print(progress.recordsProcessed, progress.rows, progress.bytes)
            }
            print(export.rows, export.jobID)
        } catch {
            guard error.code == .jobGone else { throw error }
            print("the org keeps results for seven days; remove accounts.csv.bulk to begin anew")
        }
        // end
    }

    private static func loading(_ client: RestClient) async throws {
        // sample: docs/RestBulk.docc/LargeAmounts.md 4
        nonisolated struct Draft: Encodable, Sendable {
            let ExternalId__c: String
            let Name: String
        }
        let drafts = (1...3).map { Draft(ExternalId__c: "draft-\($0)", Name: "Draft \($0)") }
        let load = client.bulk.ingest(
            .upsert(externalID: "ExternalId__c"), into: "Account", from: .values(drafts), journal: "drafts.load")
        let summary = try await load.run { progress in
            print(progress.rowsProcessed, progress.rows, progress.jobsEnded, progress.jobs)
        }
        print(summary.processed, summary.failed)

        for try await row in load.results {
            switch row.outcome {
            case .created(let id), .changed(let id): print(row.number ?? 0, id)
            case .failed(let fault): print(row.number ?? 0, fault.code, fault.fields)
            case .unprocessed: print(row.number ?? 0, "can be sent again")
            case .unknown: print(row.number ?? 0, "look before it is sent again")
            }
        }
        // end
    }

    private static func csv() throws {
        // sample: docs/RestCSV.docc/RestCSV.md 1
        let document = try CSVDocument(parsing: "Id,Owner.Name\n1,\"Ada \"\"A.\"\" Fields\"\n")
        print(document.rows[0]["Owner.Name"] ?? "")

        var writer = try CSVWriter(.platform(), columns: ["Id", "Name"])
        try writer.append(row: ["1", "a, b"])
        print(String(decoding: writer.takeBytes(), as: UTF8.self))
        // end
    }
}
