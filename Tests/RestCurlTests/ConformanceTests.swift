// SPDX-License-Identifier: Apache-2.0

import BuiltPrograms
import Foundation
import RestCurl
import RestTesting
import Testing

@Suite("CurlTransport conforms", .timeLimit(.minutes(3)))
struct ConformanceTests {
    init() { ignoreProxies() }

    @Test(arguments: TransportConformance.cases)
    func conforms(to testCase: TransportConformance.Case) async throws {
        let transport = CurlTransport()
        try await testCase.run(on: transport)
        await transport.shutdown()
    }

    @Test("Limits", arguments: TransportConformance.limitCases)
    func keepsLimits(testCase: TransportConformance.LimitCase) async throws {
        try await testCase.run { limits in CurlTransport(configuration: CurlConfiguration().keeping(limits)) }
    }

    @Test("All cases leave no descriptor and no thread behind")
    func leavesNothing() async {
        let path = Self.reportPath()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await Self.report(to: path) { try await TransportConformance.audit { CurlTransport() } }
        }
        #expect(Self.violation(in: path) == nil)
    }

    @Test("Refusing a decompression bomb costs little memory")
    func memory() async {
        let path = Self.reportPath()
        await #expect(processExitsWith: .success) { [path = path as String] in
            try await Self.report(to: path) { try await TransportConformance.auditMemory(on: CurlTransport()) }
        }
        #expect(Self.violation(in: path) == nil)
    }

    /// Where a process of its own tells what it found.
    private static func reportPath() -> String { NSTemporaryDirectory() + "rest-audit-\(UUID().uuidString)" }

    private static func report(to path: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch {
            try "\(error)".write(toFile: path, atomically: false, encoding: .utf8)
        }
    }

    private static func violation(in path: String) -> String? {
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try? String(contentsOfFile: path, encoding: .utf8)
    }

    #if canImport(Glibc) || canImport(Musl)
    @Test("A60: certificates, authorities and protocols", arguments: TransportConformance.trustCases)
    func trusts(testCase: TransportConformance.TrustCase) async throws {
        try await testCase.run { file in
            var configuration = CurlConfiguration()
            configuration.tls.authoritiesFile = file
            return CurlTransport(configuration: configuration)
        }
    }

    @Test("Bytes behind an answer over TLS", arguments: TransportConformance.leftoverCases)
    func leavesBytes(testCase: TransportConformance.LeftoverCase) async throws {
        try await testCase.run { setting in
            var configuration = CurlConfiguration()
            configuration.tls.authoritiesFile = setting.authoritiesFile
            configuration.tls.clientCertificateFile = setting.clientCertificateFile
            configuration.tls.clientKeyFile = setting.clientKeyFile
            if let proxy = setting.proxy { configuration.proxy = .server(proxy) }
            return CurlTransport(configuration: configuration)
        }
    }
    #endif
}
