// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestBulk

@Suite("The files of a load")
struct LoadFilesTests {
    private let folder: TemporaryFolder
    private var journal: String { folder.path("a.load") }

    init() throws { folder = try TemporaryFolder() }

    private func load(_ client: RestClient, _ source: BulkSource) -> BulkLoad {
        client.bulk.ingest(
            .insert, into: "Account", from: source, journal: journal,
            options: BulkLoad.Options(rowsPerJob: 2, patience: quick))
    }

    private func rows(_ names: [String]) -> BulkSource { .records(names.map { ["Name": JSONValue($0)] }) }

    @Test("a load whose predecessor's journal was removed by hand has results of its own rows only")
    func otherResults() async throws {
        try await withOrg { _, client in
            let first = load(client, rows(["First A", "First B", "First C"]))
            try await first.run()
            #expect(await all(first.results).0.count == 3)
            try FileManager.default.removeItem(atPath: journal)
            let left = folder.names
            #expect(left.count == 8 && left.contains("a.load.rows-1.csv"))
            // Names that are similar are not of a load.
            let foreign = ["a.load.2024.csv", "a.load.rows-.csv", "a.load.rows-1.txt", "a.load.x.failed.csv", "b"]
            for name in foreign { try folder.write("mine", to: name) }
            let second = load(client, rows(["Second A", "Second B", "Second C", "Second D", "Second E"]))
            try await second.run()
            let (results, error) = await all(second.results)
            #expect(error == nil && results.compactMap(\.number) == [1, 2, 3, 4, 5])
            for result in results {
                let isCreated = if case .created = result.outcome { true } else { false }
                #expect(isCreated && result.row["Name"]?.hasPrefix("Second") == true, "\(result.outcome)")
            }
            #expect(folder.names.allSatisfy { !left.contains($0) || $0.contains(".rows-") })
            try second.remove()
            #expect(folder.names == foreign.sorted())
        }
    }

    @Test("rows that were rejected before anything was sent can be corrected, and leave no journal")
    func corrected() async throws {
        let platform = ModelPlatform()
        let source = BulkSource.csv(path: folder.path("rows.csv"))
        try folder.write("Name,Site\na,b\nc\n", to: "rows.csv")
        let error = await failure { try await load(try client(of: platform), source).run() }
        #expect(error?.code == .row && folder.names == ["rows.csv"])
        try folder.write("Name\na\nb\nc\n", to: "rows.csv")
        try await load(try client(of: platform), source).run()
        #expect(platform.state.withLock { $0.applied.sorted() } == ["a", "b", "c"])
    }

    @Test("a load that no job was made for starts again with other rows", arguments: [true, false])
    func unsent(isKilled: Bool) async throws {
        let (journal, copy) = (journal, folder.path("copy"))
        let isDown = Mutex(true)
        let platform = ModelPlatform { _, _ in
            guard isDown.withLock(\.self) else { return nil }
            try? FileManager.default.copyItem(atPath: journal, toPath: copy)
            return .diedBefore
        }
        _ = await failure { try await load(try client(of: platform), rows(["a", "b", "c"])).run() }
        #expect(folder.names == ["copy"])
        if isKilled { try FileManager.default.moveItem(atPath: copy, toPath: journal) }
        isDown.withLock { $0 = false }
        let again = load(try client(of: platform), rows(["d", "e", "f", "g", "h"]))
        try await again.run()
        #expect(platform.state.withLock { $0.applied.sorted() } == ["d", "e", "f", "g", "h"])
    }

    @Test("a load with a job at the org does not start again with other rows")
    func sent() async throws {
        let platform = ModelPlatform { request, _ in request == 1 ? .diedBefore : nil }
        try folder.write("Name\na\n", to: "rows.csv")
        let source = BulkSource.csv(path: folder.path("rows.csv"))
        _ = await failure { try await load(try client(of: platform), source).run() }
        #expect(folder.names == ["a.load", "rows.csv"])
        try folder.write("Name\nanother\n", to: "rows.csv")
        let error = await failure { try await load(try client(of: platform), source).run() }
        #expect(error?.code == .sourceChanged && platform.state.withLock { $0.applied.isEmpty })
    }

    @Test("a journal is removed whatever it contains, but not from under another process")
    func removal() async throws {
        let client = try client(of: ModelPlatform())
        for text in [
            "", "a file of something else\n", "RestBulk load 1\n{}\n\u{0}\n", "RestBulk load 1\n{\"whole\":9}\n",
        ] {
            try folder.write(text, to: "a.load")
            try folder.write("old", to: "a.load.rows-1.csv")
            try folder.write("old", to: "a.load.750000000000001AAA.failed.csv")
            try load(client, rows(["a"])).remove()
            #expect(folder.names.isEmpty, "\(text)")
        }
        let held = try JournalFile(path: journal, title: Array("RestBulk load 1".utf8))
        try folder.write("old", to: "a.load.rows-1.csv")
        #expect(await failure { try load(client, rows(["a"])).remove() }?.code == .journal)
        #expect(folder.names == ["a.load", "a.load.rows-1.csv"])
        held.close()
    }

    @Test(
        "a source that is the journal, or a file next to it, is rejected and kept",
        arguments: ["a.load", "a.load.rows-1.csv", "a.load.750000000000001AAA.failed.csv"])
    func ownSource(name: String) async throws {
        try folder.write("Name\na\n", to: name)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: folder.path(name))
        try FileManager.default.linkItem(atPath: folder.path(name), toPath: folder.path("hard"))
        let platform = ModelPlatform()
        for path in [name, "link", "hard"] {
            let load = load(try client(of: platform), .csv(path: folder.path(path)))
            #expect(await failure { try await load.run() }?.code == .argument)
            #expect(await failure { try load.remove() }?.code == .argument)
            #expect(folder.text(of: name) == "Name\na\n")
        }
        #expect(platform.state.withLock { $0.requests.isEmpty } && folder.names == [name, "hard", "link"].sorted())
    }

    @Test(
        "the error of a row is read whole, whatever its message has in it",
        arguments: [
            (
                "REQUIRED_FIELD_MISSING:Required fields are missing: [LastName]:LastName --", "REQUIRED_FIELD_MISSING",
                "Required fields are missing: [LastName]", ["LastName"]
            ),
            (
                "UNABLE_TO_LOCK_ROW:unable to obtain access to 1 records: 0015g00000abcde:--", "UNABLE_TO_LOCK_ROW",
                "unable to obtain access to 1 records: 0015g00000abcde", []
            ),
            ("X:Close date: too early:--", "X", "Close date: too early", []),
            ("X:a:A__c,B__c --", "X", "a", ["A__c", "B__c"]), ("X:a:A__c, B__c --", "X", "a", ["A__c", "B__c"]),
            ("X:at 10:30", "X", "at 10:30", []), ("X:a:\u{301}b:--", "X", "a:\u{301}b", []), ("X:--", "X", "", []),
            ("X", "X", "", []), ("", "", "", []),
        ] as [(String, String, String, [String])])
    func faults(text: String, code: String, message: String, fields: [String]) {
        let fault = BulkRowResult.Fault(text, id: nil)
        #expect(fault.code == code && fault.message == message && fault.fields == fields, "\(fault)")
    }
}
