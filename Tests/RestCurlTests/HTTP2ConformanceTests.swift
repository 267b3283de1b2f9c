// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import Testing

@Suite("CurlTransport conforms over HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2ConformanceTests {
    @Test("Every case that means something over HTTP/2")
    func conforms() async throws {
        let authority = try await TestAuthority.make()
        let front = try await FrontServer.start(authority.identity(), originPort: nil)
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        for testCase in TransportConformance.framedCases {
            let transport = CurlTransport(configuration: configuration)
            do {
                try await testCase.run(on: FrontedTransport(transport, front: front.url.origin))
            } catch {
                Issue.record("\(testCase): \(error)")
            }
            await transport.shutdown()
        }
        await front.stop()
    }

    @Test("Every case without a meaning there is one of the suite")
    func noStaleNames() {
        let names = Set(TransportConformance.cases.map(\.name))
        #expect(Set(TransportConformance.withoutMeaning.keys).isSubset(of: names))
    }
}
