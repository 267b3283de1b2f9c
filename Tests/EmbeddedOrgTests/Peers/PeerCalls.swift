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
    /// What the script says beside its calls.
    let rest: JSONValue

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
        rest = try JSONValue(parsing: Array(output.utf8))
        let calls = rest["calls"]?.array ?? []
        count = calls.count
        for call in calls where call[1]?.bool != true {
            Issue.record("\(call[0]?.string ?? "") gave \(call[2]?.string ?? "")")
        }
    }

    /// Answers the handlers that the scripts call.
    static func addHandlers(to org: LocalOrg) {
        org.apex.handle("/echo/*") { request in
            ApexResponse(body: request.body.isEmpty ? Array("{}".utf8) : request.body)
        }
        org.actions.handle(
            .apex, "Double", inputs: [.init("number", .number, isRequired: true)], outputs: [.init("result", .number)]
        ) { input in .success(["result": JSONValue((input["number"]?.int ?? 0) * 2)]) }
    }
}

@Suite("Peers, call by call")
struct PeerCallTests {
    @Test("every public call of simple-salesforce, over https and with its own logins")
    func simpleSalesforce() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let key = try TestKey(in: folder)
        var configuration = LocalOrgConfiguration(records: 5_000)
        configuration.security = OrgSecurity(
            names: ["org.my.salesforce.com"], certificateFile: folder + "/trusted.pem")
        configuration.certificates = [key.certificate]
        configuration.users = [OrgUser(username: "grace@example.com", password: "correct horse")]
        let org = try await LocalOrg.start(configuration)
        PeerCalls.addHandlers(to: org)
        let calls = try PeerCalls(
            "simple_salesforce_calls.py", org,
            [
                "REQUESTS_CA_BUNDLE": folder + "/trusted.pem", "KEY_FILE": folder + "/key.pem",
                "ORG_ID": org.organizationID, "SECOND_USER": "Grace@example.com", "SECOND_PASSWORD": "correct horse",
            ])
        #expect(calls.count > 100)
        #expect(calls.rest["missing"]?.array?.compactMap(\.string) == [])
        await org.stop()
    }

    @Test(
        "the requests of jsforce: logins with a long verifier, records, queries, descriptions, tools",
        arguments: [
            false, true,
        ])
    func jsforce(rotates: Bool) async throws {
        let org = try await LocalOrg.start(
            LocalOrgConfiguration(records: 500, refreshRotation: rotates ? .strict : .off))
        PeerCalls.addHandlers(to: org)
        let calls = try PeerCalls("jsforce_calls.py", org, ["ROTATES": rotates ? "1" : "0"])
        #expect(calls.count > 100)
        await org.stop()
    }
}
