// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestURLSession
import Testing

@Suite("URLSessionTransport conforms as far as the platform lets it", .serialized, .timeLimit(.minutes(2)))
struct ConformanceTests {
    @Test(arguments: TransportConformance.cases.filter { !Self.knownFailures.contains($0.name) })
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = URLSessionTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }

    /// What FoundationNetworking of Swift 6.3 cannot do; an app there uses `CurlTransport`.
    private static let knownFailures: Set<String> = {
        #if canImport(FoundationNetworking)
        [
            // These end the process.
            "reads chunks with extensions and trailers", "refuses a length no memory can hold",
            "refuses a length that overflows", "refuses a negative length", "refuses a header without its end",
            // These are refused although they are legal.
            "reads a status line without a reason", "reads header lines that end with a bare line feed",
            "reads bytes outside UTF-8 in a field",
            // libcurl inside repeats the request by itself, and nothing can forbid it.
            "never sends a write twice when a reused connection dies",
            // libcurl inside does not look whether bytes wait on a connection it uses again.
            "never takes bytes behind an answer for the next answer",
        ]
        #else
        []
        #endif
    }()
}
