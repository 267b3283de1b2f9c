// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

/// Calls that wait for the platform's own transport.
@Suite("Ending calls at the transport")
@MainActor
struct InterruptedTransportTests {
    @Test(
        "a client that is shut down, or told to cancel all, ends the call under way once and closes its connection",
        arguments: Front.allCases, [RestError.Code.shutDown, .cancelled])
    func ended(front: Front, code: RestError.Code) async throws {
        let server = try ScriptServer([.readRequest, .readToEnd])
        let transport = PlatformTransport.make(RestClient.TransportLimits())
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(transport: transport))
        let outcomes = await front.outcomes(
            of: .query("SELECT Id FROM A"), through: client, cancelWhen: { server.journal.requests.count == 1 }
        ) {
            if code == .shutDown { client.shutdown() } else { client.cancelAll() }
        }
        #expect(outcomes.map(\.failure?.code) == [code])
        let journal = await server.wait { $0.connections.allSatisfy(\.isClosedByPeer) }
        #expect(journal.requests.count == 1)
        await transport.shutdown()
        await server.stop()
    }
}
