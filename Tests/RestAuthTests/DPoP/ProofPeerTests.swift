// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import EmbeddedOrg
import Foundation
import RestJSON
import RestSDK
import Testing

@testable import RestAuth

@Suite("DPoP with a server and a client that others wrote")
struct ProofPeerTests {
    private static let peers = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../Peers").standardizedFileURL

    @Test("a server that checks with two libraries accepts every proof: 20 requests, 5 for each token, new nonces")
    func server() async throws {
        let program = try RunningProgram(
            Python.interpreter, [Self.peers.appending(path: "dpop_server.py").path],
            environment: Process.toolEnvironment(), input: nil, limit: 300)
        defer {
            try? program.closeInput()
            program.process.waitUntilExit()
        }
        let line = try #require(program.nextLine())
        var configuration = RestClient.Configuration()
        configuration.bindsTokens = true
        let client = try RestClient(
            loginURL: String(decoding: line, as: UTF8.self), clientID: "id", clientSecret: "s",
            configuration: configuration)
        for number in 1...20 {
            let response = try await client.send(.query("SELECT Id FROM Account WHERE Name = \("Ä \(number)")"))
            #expect(response.payload["done"] == true)
        }
    }

    @Test("requests-oauth2client logs in at the org, renews and calls it", arguments: [nil, Duration.seconds(60)])
    func client(nonceLifetime: Duration?) async throws {
        var configuration = LocalOrgConfiguration(refreshRotation: .strict)
        configuration.proofs = ProofSettings(.required, nonceLifetime: nonceLifetime)
        let org = try await LocalOrg.start(configuration)
        let output = try Python.run([
            Self.peers.appending(path: "dpop_client.py").path, org.instanceURL, org.clientID, org.clientSecret,
            org.username, org.password,
        ])
        await org.stop()
        let results = try JSONValue(parsing: Array(output.utf8))
        #expect(results["type"] == "DPoP")
        for (name, status) in [
            ("first", 200), ("renewed", 200), ("posted", 201), ("replayed", 401), ("bearer", 401), ("stolen", 401),
        ] {
            #expect(results[name]?.integer(as: Int.self) == status, "\(name): \(output)")
        }
    }
}
