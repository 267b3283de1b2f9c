// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("Bulk APIs by simple-salesforce")
struct BulkPeerTests {
    private func numbers(_ value: JSONValue?) -> [Int] { value?.array?.compactMap(\.int) ?? [] }

    @Test("batches of API 1.0 and jobs of 2.0 move records both ways, with results for each")
    func bulk() async throws {
        let client = try await OrgClient.start()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "simple_salesforce_bulk.py")
        var output = ""
        try await withTemporaryFolder { folder in
            output = try Python.run(
                [script.path, String(client.org.port), folder], environment: ["TOKEN": client.token])
        }
        let seen = try JSONValue(parsing: Array(output.utf8))
        #expect(numbers(seen["inserted"]) == [2_500, 2_500])
        #expect(
            seen["upserted"]
                == [[true, false, 0], [true, true, 0], [false, false, 1]])
        #expect(numbers(seen["updated"]) == [10, 11])
        #expect(seen["detailed"] == [false, "x@y", true])
        #expect(seen["queried"]?[0]?.int == 2_501 && seen["queried"]?[1]?.string == "Account")
        #expect(seen["queried"]?[2] == ["Id", "Name", "NumberOfEmployees", "Parent", "attributes"])
        #expect(seen["lazy"]?.int == 2_501)
        #expect(seen["bypassed"] == ["bypass_results", "job_id"])
        #expect(numbers(seen["deleted"]) == [15, 15] && numbers(seen["hardDeleted"]) == [10, 10])
        // What was deleted for good is in no bin.
        #expect(seen["all"]?.int == 20)
        #expect(numbers(seen["submitted"]) == [1, 1])
        let refused = seen["refused"]?.array?.compactMap(\.string) ?? []
        #expect(refused.first?.contains("INVALID_FIELD") == true, "\(refused)")
        #expect(refused.dropFirst().first?.contains("InvalidEntity") == true, "\(refused)")
        #expect(refused.last?.contains("InvalidJob") == true, "\(refused)")
        #expect(seen["chunks"] == [[300, 0], [300, 0], [100, 0]])
        #expect(seen["successful"]?.int == 700)
        #expect(seen["failed"] == [#""sf__Id"|"sf__Error"|Name|ExternalId__c|Parent.ExternalId__c"#])
        #expect(seen["unprocessed"]?.array?.count == 1)
        #expect(numbers(seen["downloaded"]) == [300, 300, 100])
        #expect(seen["names"]?[0]?.int == 700 && seen["names"]?[1]?.string == "Two\n0 \"x\"")
        #expect(seen["hardDeletedToo"]?.int == 0)
        await client.org.stop()
    }
}
