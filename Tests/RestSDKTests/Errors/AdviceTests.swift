// SPDX-License-Identifier: Apache-2.0

import RestSDK
import RestTesting
import Testing

@Suite("Advice about errors")
struct AdviceTests {
    private static let again = ["Try again", "try again", "Wait", "wait"]

    @Test("nobody is told to send a write again that may have been applied", arguments: RestError.Code.all)
    func unknown(code: RestError.Code) {
        let faults: [APIFault] = [
            APIFault(errorCode: .unableToLockRow, message: "m"),
            APIFault(errorCode: .requestLimitExceeded, message: "m"),
        ]
        for outcome in [RestError.WriteOutcome.unknown, .applied] {
            for faults in [[], [faults[0]], [faults[1]]] {
                let advice = RestError(code, "", faults: faults, outcome: outcome).advice
                #expect(advice.hasPrefix(outcome == .applied ? "Do not send it again" : "Check whether"))
                #expect(!Self.again.contains { advice.contains($0) }, "\(advice)")
            }
        }
    }

    @Test("what else can be fixed is told as well")
    func besides() {
        #expect(
            RestError(.decoding, "", outcome: .applied).advice
                == "Do not send it again. The write was applied. "
                + "Compare your type with the body of the answer in RestError.body.")
        #expect(RestError(.tls, "", outcome: .unknown).advice.hasSuffix("and the trusted authorities of this machine."))
        let pins = RestError(.tls, "SSL: public key does not match pinned public key").advice
        #expect(pins == "Compare the pins with the server's public key. If the server has a new key, pin its digest.")
        #expect(RestError(.timedOut, "", outcome: .unknown).advice.hasSuffix("before you send it again."))
    }

    @Test("a read, and a write that was not applied, can be sent again")
    func safe() {
        for outcome in [nil, RestError.WriteOutcome.notApplied] {
            #expect(RestError(.server, "", outcome: outcome).advice == "Try again later.")
        }
    }

    @Test("'not connected' is said only when no byte of the attempt can have left", arguments: [true, false])
    func notConnected(mayHaveReachedServer: Bool) async throws {
        let transport = StubTransport()
        transport.enqueue(
            .failure(TransportError(.notConnected, "no way", mayHaveReachedServer: mayHaveReachedServer)))
        let client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport))
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == (mayHaveReachedServer ? .transport : .notConnected))
        #expect(error?.outcome == (mayHaveReachedServer ? .unknown : .notApplied))
    }
}
