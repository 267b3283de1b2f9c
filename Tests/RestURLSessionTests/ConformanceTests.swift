// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import RestURLSession
import Testing

#if canImport(BuiltPrograms)
import BuiltPrograms
#endif

@Suite(
    "URLSessionTransport passes the conformance cases that the operating system supports", .serialized,
    .timeLimit(.minutes(2)))
struct ConformanceTests {
    #if canImport(BuiltPrograms)
    init() { ignoreProxies() }
    #endif

    @Test(arguments: TransportConformance.cases.filter { !Self.impossible.contains($0.name) })
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = URLSessionTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }

    @Test("URLSessionTransport keeps every limit of the conformance suite", arguments: TransportConformance.limitCases)
    func keepsLimits(testCase: TransportConformance.LimitCase) async throws {
        try await testCase.run { limits in
            var configuration = SessionConfiguration()
            configuration.firstByteTimeout = limits.firstByteTimeout
            configuration.idleTimeout = limits.idleTimeout
            configuration.maximumConnectionsPerHost = limits.maximumConnectionsPerHost
            configuration.maximumBodyBytes = limits.maximumBodyBytes
            configuration.collectsMetrics = limits.collectsMetrics
            return URLSessionTransport(configuration: configuration)
        }
    }

    @Test("Every excluded case exists in the suite")
    func noStaleNames() {
        #expect(Self.impossible.subtracting(TransportConformance.cases.map(\.name)).isEmpty)
    }

    /// The cases that FoundationNetworking of Swift 6.3 cannot pass, for the reasons in docs/urlsession.md.
    private static let impossible: Set<String> = {
        #if canImport(FoundationNetworking)
        [
            // FoundationNetworking ends the process before any code of the SDK runs (U1, U2).
            "reads chunks with extensions and trailers", "rejects a response head without its end",
            "rejects a length that no memory can hold", "rejects a length that overflows", "rejects a negative length",
            // FoundationNetworking rejects these although they are valid (U13).
            "reads a status line without a reason", "reads header lines that end with a bare line feed",
            "reads bytes outside UTF-8 in a header",
            // A task that is resumed after it was suspended sends its request again.
            "makes the server wait while a stream is not read",
            // The libcurl inside takes the end of the message for the end of the compressed data.
            "rejects a gzip body without its end",
        ]
        #else
        []
        #endif
    }()
}

/// A deadline that no test reaches unless something hangs.
var soon: ContinuousClock.Instant { .now + .seconds(60) }

func text(_ response: HTTPResponse) -> String { String(decoding: response.body, as: UTF8.self) }

/// Runs a call that must fail, and returns its error.
func failure(
    _ body: () async throws(TransportError) -> HTTPResponse, sourceLocation: SourceLocation = #_sourceLocation
) async -> TransportError? {
    do {
        let response = try await body()
        Issue.record("expected an error, got status \(response.head.status)", sourceLocation: sourceLocation)
        return nil
    } catch {
        return error
    }
}
