// SPDX-License-Identifier: Apache-2.0

import EmbeddedOrg
import RestJSON
import RestSync
import RestTransport
import Synchronization
import Testing

@Suite("First reads as Bulk jobs", .timeLimit(.minutes(2)))
struct ExportTests {
    private static let query: SOQL = """
        SELECT Name, Phone, Description, NumberOfEmployees, AnnualRevenue FROM Account WHERE Name LIKE 'a%'
        """

    /// Creates accounts with values of all kinds.
    private func fill(_ bed: SyncBed, _ count: Int) async throws {
        for start in stride(from: 0, to: count, by: 200) {
            let drafts = (start..<min(start + 200, count)).map { number in
                Record.Draft(
                    "Account",
                    [
                        "Name": JSONValue("a\(number)"), "Phone": number.isMultiple(of: 2) ? "5" : .null,
                        "Description": "one, \"two\"\nthree", "NumberOfEmployees": JSONValue(number),
                        "AnnualRevenue": JSONValue(Double(number) + 0.5) ?? .null,
                    ])
            }
            #expect(try await bed.client.send(.create(drafts)).allSatisfy(\.isSuccess))
        }
        bed.org.journal.clear()
    }

    private func jobs(_ bed: SyncBed) -> Int {
        bed.org.journal.entries.count { $0.method == "POST" && $0.target.contains("/jobs/query") }
    }

    private func rows(_ records: [Record]) -> [String] {
        records.map { record in
            ["Id", "Name", "Phone", "Description", "NumberOfEmployees", "AnnualRevenue", "SystemModstamp"]
                .map { record[$0]?.numberText ?? record[$0]?.string ?? "" }.joined(separator: "|")
        }.sorted()
    }

    private func expectEqual(_ store: SyncStore, _ bed: SyncBed) async throws {
        let all: SOQL = """
            SELECT Id, Name, Phone, Description, NumberOfEmployees, AnnualRevenue, SystemModstamp FROM Account
            """
        let org = try await bed.client.records(all).collect(limit: 10_000)
        #expect(try rows(store.query(all)) == rows(org))
    }

    @Test("a large part is read as a job and a small one page by page, with the same values")
    func values() async throws {
        try await SyncBed.with { bed in
            try await fill(bed, 700)
            let store = try await bed.exportingCopy()
            let large = try await store.pull(Self.query, with: bed.client)
            #expect(large.exportedObjects == ["Account"] && large.pulled == 700 && jobs(bed) == 1)
            try await expectEqual(store, bed)
            let small = try await store.pull("SELECT LastName FROM Contact", with: bed.client)
            #expect(small.exportedObjects.isEmpty)
            // Later reads are comparisons and windows.
            let again = try await store.sync(with: bed.client)
            #expect(again.exportedObjects.isEmpty && again.removed == 0 && jobs(bed) == 1)
            try await expectEqual(store, bed)
            store.close()
        }
    }

    @Test("after the end of the process, the next pull continues in the result of the same job")
    func resumption() async throws {
        try await SyncBed.with { bed in
            try await fill(bed, 4_600)
            let store = try await bed.exportingCopy()
            let pages = Mutex(0)
            let client = try bed.client { name in
                // The first transaction with rows of the job has four pages.
                guard name == "bulkResults" else { return nil }
                let count = pages.withLock { pages in
                    pages += 1
                    return pages
                }
                if count == 6 { store.close() }
                return nil
            }
            let error = await #expect(throws: SyncError.self) { try await store.pull(Self.query, with: client) }
            #expect(error?.code != .busy && jobs(bed) == 1)
            client.shutdown()
            let again = try await bed.exportingCopy()
            #expect(try again.count("SELECT COUNT() FROM Account") >= 2_000)
            bed.org.journal.clear()
            let report = try await again.pull(Self.query, with: bed.client)
            #expect(report.exportedObjects == ["Account"] && report.pulled > 2_000 && report.pulled < 4_600)
            #expect(jobs(bed) == 0)
            let results = bed.org.journal.entries.count { $0.target.contains("/results") }
            #expect(results < 8)
            try await expectEqual(again, bed)
            again.close()
        }
    }

    @Test(
        "an org that does not run the job, or whose job fails, is read page by page",
        arguments: ["bulkCreate", "bulkJob"])
    func fallback(name failing: String) async throws {
        try await SyncBed.with { bed in
            try await fill(bed, 700)
            let store = try await bed.exportingCopy()
            let client = try bed.client { name in
                guard name == failing else { return nil }
                let json: HTTPFields = ["Content-Type": "application/json"]
                let body =
                    name == "bulkCreate"
                    ? #"[{"errorCode":"INVALIDENTITY","message":"Entity 'Account' is not supported by the Bulk API."}]"#
                    : #"{"id":"7500000000000010AA","state":"Failed","errorMessage":"timeout"}"#
                return HTTPResponse(
                    head: .init(status: name == "bulkCreate" ? 400 : 200, fields: json), body: Array(body.utf8))
            }
            let report = try await store.pull(Self.query, with: client)
            #expect(report.exportedObjects.isEmpty && report.pulled >= 700)
            #expect(jobs(bed) == (failing == "bulkCreate" ? 0 : 2))
            try await expectEqual(store, bed)
            client.shutdown()
            store.close()
        }
    }
}
