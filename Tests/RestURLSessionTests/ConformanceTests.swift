// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestURLSession
import Testing

@Suite("URLSessionTransport conforms as far as the platform lets it", .serialized, .timeLimit(.minutes(2)))
struct ConformanceTests {
    @Test(arguments: TransportConformance.cases.filter { !Self.impossible.contains($0.name) })
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = URLSessionTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }

    @Test("Every case said to be impossible is one of the suite")
    func noStaleNames() {
        #expect(Self.impossible.subtracting(TransportConformance.cases.map(\.name)).isEmpty)
    }

    /// What FoundationNetworking of Swift 6.3 cannot do; docs/urlsession.md gives the reasons.
    private static let impossible: Set<String> = {
        #if canImport(FoundationNetworking)
        [
            // FoundationNetworking ends the process before any of our code runs (U1, U2).
            "reads chunks with extensions and trailers", "refuses a header without its end",
            "refuses a length no memory can hold", "refuses a length that overflows", "refuses a negative length",
            // FoundationNetworking refuses these although they are legal (U13).
            "reads a status line without a reason", "reads header lines that end with a bare line feed",
            "reads bytes outside UTF-8 in a field",
            // libcurl inside takes the end of the message for the end of what is packed in it.
            "refuses a gzip body without its end",
        ]
        #else
        []
        #endif
    }()
}
