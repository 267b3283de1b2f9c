// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestJSON
import Testing

@Suite("Bad input to another process")
struct RawRequestTests {
    @Test(
        "a table of raw requests and 2,000 changes of it, a file that cannot be written (B85): by Python's sockets alone"
    )
    func rawRequests() throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "raw_requests_check.py")
        let output = try Python.run([script.path, BuiltProgram.url("soql").path], environment: [:])
        let seen = try JSONValue(parsing: Array(output.utf8))
        for fault in seen["wrong"]?.array ?? [] { Issue.record("\(fault.string ?? "")") }
        #expect(seen["rows"]?.int ?? 0 >= 139 && seen["mutations"]?.int == 2_000)
        // One request of the table is allowed after all: it has a long extension of a chunk, and that is all.
        #expect(seen["made"]?.int ?? 99 <= 1)
    }
}
