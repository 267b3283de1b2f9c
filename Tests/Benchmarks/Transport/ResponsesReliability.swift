// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import RestCurl
import RestTesting
import RestTransport

/// Measures 100,000 calls, half of which receive an odd or broken response.
///
/// They are made in plain text and over TLS, alone and 64 at a time. No call may receive another call's response, wait
/// until its deadline, or return a false result.
func responseReliabilityFigures() async throws {
    let authority = try await TestAuthority.make()
    let server = try ResponseServer(ResponseMix.responses)
    let front = try await TLSFront.start(authority.identity(), to: server.port)
    var configuration = CurlConfiguration()
    configuration.tls.authoritiesFile = authority.certificateFile
    let plain = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
    var tallies: [ResponseMix.Tally] = []
    for (seed, origin) in [plain, front.origin].enumerated() {
        for (width, total) in extent([(1, 10_000), (64, 40_000)], short: [(1, 16), (64, 64)]) {
            let transport = CurlTransport(configuration: configuration)
            let mix = ResponseMix(at: origin, on: transport)
            await mix.run(total, atATime: width, seed: UInt64(2026 + 2 * seed + width))
            tallies.append(mix.result)
            await transport.shutdown()
        }
    }
    await front.stop()
    await server.stop()
    show(tallies)
}

private func show(_ tallies: [ResponseMix.Tally]) {
    let calls = tallies.reduce(0) { $0 + $1.calls }
    let note = "\(calls) calls, \(ResponseMix.responses.count) answers, plain and TLS, 1 and 64 at a time"
    let kinds: [(String, [String])] = [
        ("swapped", tallies.flatMap(\.swapped)), ("hung", tallies.flatMap(\.hung)),
        ("verdicts", tallies.flatMap(\.verdicts)),
    ]
    for (name, faults) in kinds {
        Figure(
            name: "responses.\(name)", value: Double(faults.count), unit: "calls", relation: .atMost, bound: 0,
            note: faults.first ?? note
        ).print()
    }
}
#else
func responseReliabilityFigures() {
    Figure.absent("responses", peer: "a TLS server, which the tests have under Linux,")
}
#endif
