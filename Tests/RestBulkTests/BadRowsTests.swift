// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestBulk
import RestTesting
import Synchronization
import Testing

@Suite("Rows that cannot be loaded")
struct BadRowsTests {
    private func run(
        _ operation: BulkOperation, _ source: BulkSource, _ platform: ModelPlatform = ModelPlatform()
    ) async -> (error: BulkError?, sent: Int) {
        let error = await failure {
            let client: RestClient
            do { client = try RestBulkTests.client(of: platform) } catch { return }
            var options = BulkLoad.Options(rowsPerJob: 2)
            options.checksAllFirst = true
            try await client.bulk.ingest(operation, into: "Account", from: source, options: options).run()
        }
        return (error, platform.state.withLock(\.requests.count))
    }

    @Test("a header that the org would reject is rejected before anything is sent")
    func headers() async throws {
        let folder = try TemporaryDirectory()
        let cases: [(String, BulkOperation, BulkError.Code, String?)] = [
            ("Name,Name\na,b\n", .insert, .row, "Name"), ("Name,name\na,b\n", .insert, .row, "name"),
            ("Name,\na,b\n", .insert, .row, ""), ("Name\na\n", .update, .row, "Id"),
            ("Name\na\n", .upsert(externalID: "Key__c"), .row, "Key__c"), ("Id,Name\na,b\n", .delete, .row, "Name"),
            (String(repeating: "a,", count: 5_000) + "b\n", .insert, .row, "a"),
            ("Name\ra\rb", .insert, .row, nil), ("\"Name\n", .insert, .row, nil),
            (String(repeating: "a", count: 32_001) + "\nx\n", .insert, .tooLarge, nil),
        ]
        for (text, operation, code, column) in cases {
            try folder.write(text, to: "rows.csv")
            let (error, sent) = await run(operation, .csv(path: folder.path("rows.csv")))
            #expect(error?.code == code && sent == 0, "\(text.prefix(20)): \(String(describing: error))")
            if let column { #expect(error?.column == column) }
        }
    }

    @Test("an error names the position of a row once, and has advice")
    func oneNumber() async throws {
        let folder = try TemporaryDirectory()
        for (text, place) in [
            ("A,B\n1,2\n1,2,3\n", "row: width at line 3, byte "),
            ("A,B\n1,2\n1,2\n1,x\"y\n", "row: stray-quote at line 4, "),
        ] {
            try folder.write(text, to: "rows.csv")
            let error = try #require(await run(.insert, .csv(path: folder.path("rows.csv"))).error)
            #expect(
                "\(error)".hasPrefix(place) && "\(error)".firstRange(of: "row \(error.row ?? 0), column ") != nil,
                "\(error)")
            #expect("\(error)".components(separatedBy: "row ").count == 2, "\(error)")
            #expect(error.advice == "Fix the row, then run it again." && error.recoverySuggestion == error.advice)
        }
    }

    @Test("an invalid row is rejected with its number and column, and nothing is sent")
    func rows() async throws {
        let folder = try TemporaryDirectory()
        let long = String(repeating: "x", count: 131_073)
        let wide = Array(repeating: String(repeating: "y", count: 100_001), count: 4).joined(separator: ",")
        let cases: [(String, BulkError.Code, Int, String?)] = [
            ("A,B,C,D\n1,2,3,4\n1,2,3\n", .row, 2, nil), ("A,B,C,D\n1,2,3,4,5\n", .row, 1, nil),
            ("A,B,C,D\n1,2,3,\"x\n", .row, 1, nil), ("A,B,C,D\n1,2,3,x\"y\n", .row, 1, nil),
            ("A,B,C,D\n1,2,3,4\n1,2,3,4\r\n", .row, 2, nil),
            ("A,B,C,D\n1,2,3,4\n1,\(long),3,4\n", .tooLarge, 2, "B"), ("A,B,C,D\n\(wide)\n", .tooLarge, 1, nil),
        ]
        for (text, code, row, column) in cases {
            try folder.write(text, to: "rows.csv")
            let (error, sent) = await run(.insert, .csv(path: folder.path("rows.csv")))
            #expect(error?.code == code && error?.row == row && sent == 0, "\(String(describing: error))")
            if let column { #expect(error?.column == column) }
        }
    }

    @Test("records with other fields, lists, the string for null, or values that are too long are rejected")
    func records() async throws {
        let first: JSONObject = ["Name": "a"]
        let cases: [(JSONObject, BulkError.Code, String?)] = [
            (["Nome": "b"], .row, "Nome"), (["Name": ["b"]], .row, "Name"), (["Name": "#N/A"], .row, "Name"),
            (["Name": ["Deep": ["Deeper": "b"]]], .row, "Name.Deep"),
            (["Name": JSONValue(String(repeating: "x", count: 131_073))], .tooLarge, "Name"),
        ]
        for (record, code, column) in cases {
            let (error, sent) = await run(.insert, .records([first, record]))
            #expect(error?.code == code && error?.row == 2 && sent == 0, "\(String(describing: error))")
            #expect(error?.column == column)
        }
        let (error, sent) = await run(.insert, .records([[:]]))
        #expect(error?.code == .row && sent == 0)
    }

    @Test("a source may throw an error, or have no rows")
    func sources() async throws {
        struct Broken: Error {}
        let stream = AsyncThrowingStream<JSONObject, any Error> { continuation in
            continuation.yield(["Name": "a"])
            continuation.finish(throwing: Broken())
        }
        let (error, sent) = await run(.insert, .records(stream))
        #expect(error?.code == .source && error?.row == 2 && error?.underlying is Broken && sent == 0)
        let (none, requests) = await run(.insert, .records([JSONObject]()))
        #expect(none == nil && requests == 0)
        let (missing, _) = await run(.insert, .csv(path: "/nowhere/rows.csv"))
        #expect(missing?.code == .file)
    }

    @Test("the data of a job never exceeds the limit, measured as it is sent", arguments: [1, 7, 40, 100, 1_000])
    func split(limit: Int) async throws {
        let platform = ModelPlatform()
        let rows = (1...60).map { ["Name": JSONValue(String(repeating: "é\"", count: $0 % 9) + "\($0)")] as JSONObject }
        let folder = try TemporaryDirectory()
        var writer = try CSVWriter(.platform(), columns: ["Name"])
        for row in rows { try writer.append(row: [row["Name"]?.string ?? ""]) }
        let text = String(decoding: writer.takeBytes(), as: UTF8.self)
        try folder.write(text, to: "rows.csv")
        for source in [BulkSource.records(rows), .csv(path: folder.path("rows.csv"))] {
            platform.state.withLock { $0 = ModelPlatform.State() }
            let load = try client(of: platform).bulk.ingest(
                .insert, into: "Account", from: source, options: BulkLoad.Options(bytesPerJob: limit))
            let summary = try await load.run()
            #expect(summary.rows == 60)
            let uploads = platform.state.withLock { state in state.jobs.values.compactMap(\.uploads.first) }
            for upload in uploads { #expect(upload.count <= limit || upload.split(separator: 10).count == 2) }
            let applied = platform.state.withLock { $0.applied.sorted() }
            let rows: [String] = text.split(separator: "\n").dropFirst().map { String($0) }
            #expect(applied == rows.sorted())
        }
    }
}
