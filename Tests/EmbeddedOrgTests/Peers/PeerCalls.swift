// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

/// Runs a script of calls, and reports each that went wrong by its name.
struct PeerCalls {
    /// How many calls were made.
    let count: Int

    init(_ script: String, _ org: LocalOrg, _ environment: [String: String]) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: script).path
        var environment = environment
        environment["CLIENT_ID"] = org.clientID
        environment["CLIENT_SECRET"] = org.clientSecret
        environment["USERNAME_"] = org.username
        environment["PASSWORD"] = org.password
        // A proxy of this machine is not asked.
        for name in ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"] {
            environment[name] = ""
            environment[name.lowercased()] = ""
        }
        let output = try Python.run([path, String(org.port)], environment: environment)
        let calls = try JSONValue(parsing: Array(output.utf8))["calls"]?.array ?? []
        count = calls.count
        for call in calls where call[1]?.bool != true {
            Issue.record("\(call[0]?.string ?? "") gave \(call[2]?.string ?? "")")
        }
    }
}

@Suite("Clients that others wrote, call by call")
struct PeerCallTests {
    @Test(
        "the requests of jsforce: logins with a long verifier, records, queries, searches, composites, descriptions",
        arguments: [false, true])
    func jsforce(rotates: Bool) async throws {
        let org = try await LocalOrg.start(
            LocalOrgConfiguration(records: 500, refreshRotation: rotates ? .strict : .off))
        org.apex.handle("/echo/*") { request in
            ApexResponse(body: request.body.isEmpty ? Array("{}".utf8) : request.body)
        }
        let calls = try PeerCalls("jsforce_calls.py", org, ["ROTATES": rotates ? "1" : "0"])
        #expect(calls.count > 65)
        await org.stop()
    }
}
