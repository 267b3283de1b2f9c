// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import RestCurl
import RestTesting
import RestTransport
import TestSupport
import Testing

#if canImport(Glibc) || canImport(Musl)
@Suite("CurlTransport conforms over HTTP/2", .timeLimit(.minutes(3)))
struct HTTP2ConformanceTests {
    init() { ignoreProxies() }

    @Test("Every case that means something over HTTP/2")
    func conforms() async throws {
        try await withFront { configuration, front in
            for testCase in TransportConformance.framedCases {
                let transport = CurlTransport(configuration: configuration)
                do {
                    try await testCase.run(on: FrontedTransport(transport, front: front))
                } catch {
                    Issue.record("\(testCase): \(error)")
                }
                await transport.shutdown()
            }
        }
    }

    @Test("Every limit that means something over HTTP/2")
    func keepsLimits() async throws {
        try await withFront { configuration, front in
            for testCase in TransportConformance.framedLimitCases {
                do {
                    try await testCase.run { limits in
                        let transport = CurlTransport(configuration: configuration.keeping(limits))
                        return FrontedTransport(transport, front: front)
                    }
                } catch {
                    Issue.record("\(testCase): \(error)")
                }
            }
        }
    }

    @Test("Every case without a meaning there is one of the suite")
    func noStaleNames() {
        let names = TransportConformance.cases.map(\.name) + TransportConformance.limitCases.map(\.name)
        #expect(Set(TransportConformance.withoutMeaning.keys).isSubset(of: names))
    }

    private func withFront(_ body: (CurlConfiguration, Origin) async throws -> Void) async throws {
        let authority = try await TestAuthority.make()
        let front = try await FrontServer.start(authority.identity(), originPort: nil)
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        try await body(configuration, front.url.origin)
        await front.stop()
    }
}
#endif

extension CurlConfiguration {
    /// This configuration with the limits of a case.
    func keeping(_ limits: TransportConformance.Limits) -> CurlConfiguration {
        var configuration = self
        configuration.firstByteTimeout = limits.firstByteTimeout
        configuration.idleTimeout = limits.idleTimeout
        configuration.maximumConnectionsPerHost = limits.maximumConnectionsPerHost
        configuration.maximumBodyBytes = limits.maximumBodyBytes
        configuration.collectsMetrics = limits.collectsMetrics
        return configuration
    }
}
