// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import Testing

@Suite("TLS")
struct SecurityTests {
    /// What curl prints: a peer with a TLS library of its own.
    private func curl(_ arguments: [String]) throws -> String {
        let process = Process.tool()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["curl", "--silent", "--show-error", "--noproxy", "*"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return text
    }

    private func start(_ names: [String] = []) async throws -> (org: LocalOrg, trust: [String], folder: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var configuration = LocalOrgConfiguration()
        configuration.security = OrgSecurity(names: names, certificateFile: folder + "/trusted.pem")
        let org = try await LocalOrg.start(configuration)
        return (org, ["--cacert", folder + "/trusted.pem"], folder)
    }

    @Test("only who trusts the certificate is answered, at the address and at every name of it")
    func names() async throws {
        let (org, trust, folder) = try await start(["org.my.salesforce.com", "*.example.com"])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(org.instanceURL == "https://127.0.0.1:\(org.port)")
        #expect(try String(contentsOfFile: folder + "/trusted.pem", encoding: .utf8) == org.certificate)
        for host in ["127.0.0.1", "localhost", "org.my.salesforce.com", "a.example.com"] {
            let url = "https://\(host):\(org.port)/services/data"
            let answer = try curl(trust + ["--resolve", "\(host):\(org.port):127.0.0.1", url])
            #expect(answer.contains("/services/data/v66.0"), "\(host): \(answer)")
        }
        #expect(try curl([org.instanceURL + "/services/data"]).contains("curl: ("))
        let other = "https://other.example.org:\(org.port)/services/data"
        let resolve = ["--resolve", "other.example.org:\(org.port):127.0.0.1", other]
        #expect(try curl(trust + resolve).contains("curl: ("))
        #expect(try curl(["--insecure"] + resolve).contains("MISDIRECTED_REQUEST"))
        await org.stop()
    }

    @Test("logins, early refusals and large answers go through TLS")
    func calls() async throws {
        let (org, trust, folder) = try await start()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let token = try curl(
            trust + [
                org.instanceURL + "/services/oauth2/token", "--data",
                "grant_type=client_credentials&client_id=\(org.clientID)&client_secret=\(org.clientSecret)",
            ])
        let session = try JSONValue(parsing: Array(token.utf8))
        #expect(session["instance_url"]?.string == org.instanceURL)
        let bearer = ["--header", "Authorization: Bearer \(session["access_token"]?.string ?? "")"]
        let describe = try curl(trust + bearer + [org.instanceURL + "/services/data/v66.0/sobjects/Account/describe"])
        #expect(try JSONValue(parsing: Array(describe.utf8))["name"]?.string == "Account")
        // The session is refused before the body is read.
        try Data(repeating: UInt8(ascii: " "), count: 1 << 20).write(to: URL(filePath: folder + "/body"))
        let refused = try curl(
            trust + [
                org.instanceURL + "/services/data/v66.0/sobjects/Account", "--data-binary", "@\(folder)/body",
                "--header", "Content-Type: application/json", "--header", "Expect:",
            ])
        #expect(refused.contains("INVALID_SESSION_ID"), "\(refused)")
        await org.stop()
    }

    @Test("a name that is none is refused", arguments: ["", "a b", "*", "*.*.com", "a..b", "ü.com", "x,DNS:y"])
    func wrongNames(name: String) async {
        await #expect {
            var configuration = LocalOrgConfiguration()
            configuration.security = OrgSecurity(names: [name])
            await (try LocalOrg.start(configuration)).stop()
        } throws: { ($0 as? LocalOrgError)?.code == .certificateRefused }
    }
}
