// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import Testing

@Suite("CurlTransport conforms", .timeLimit(.minutes(2)))
struct ConformanceTests {
    @Test(arguments: TransportConformance.cases)
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = CurlTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }
}
