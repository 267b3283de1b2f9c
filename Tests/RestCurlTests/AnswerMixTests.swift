// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import TestSupport
import Testing

@Suite("Ordinary and odd answers in every order", .timeLimit(.minutes(3)))
struct AnswerMixTests {
    @Test("The corpus has more than 300 answers, each with a name of its own")
    func corpus() {
        let names = AnswerMix.answers.map(\.name)
        #expect(names.count > 300)
        #expect(Dictionary(grouping: names, by: \.self).filter { $0.value.count > 1 }.keys.sorted() == [])
    }

    @Test("Each call gets its own answer or the error that it must get, in plain text", arguments: [1, 64])
    func plain(width: Int) async throws {
        let server = try AnswerServer(AnswerMix.answers)
        let transport = CurlTransport()
        let origin = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
        await check(AnswerMix(at: origin, on: transport), width)
        await transport.shutdown()
        await server.stop()
    }

    #if canImport(Glibc) || canImport(Musl)
    @Test("Each call gets its own answer or the error that it must get, over TLS", arguments: [1, 64])
    func overTLS(width: Int) async throws {
        let authority = try await TestAuthority.make()
        let server = try AnswerServer(AnswerMix.answers)
        let front = try await TLSFront.start(authority.identity(), to: server.port)
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        let transport = CurlTransport(configuration: configuration)
        await check(AnswerMix(at: front.origin, on: transport), width)
        await transport.shutdown()
        await front.stop()
        await server.stop()
    }

    @Test(
        "An answer that calls itself HTTP/2 has no other call share an HTTP/1.1 connection", arguments: [false, true])
    func liars(isTLS: Bool) async throws {
        let authority = try await TestAuthority.make()
        let server = try AnswerServer(AnswerMix.answers)
        let front = try await TLSFront.start(authority.identity(), to: server.port)
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        configuration.maximumConnectionsPerHost = 8
        let transport = CurlTransport(configuration: configuration)
        let plain = Origin(scheme: .http, host: "127.0.0.1", port: server.port)
        let mix = AnswerMix(at: isTLS ? front.origin : plain, on: transport)
        await mix.run(1_000, atATime: 64, seed: 2026, among: AnswerMix.liars)
        expectNothing(of: mix)
        await transport.shutdown()
        await front.stop()
        await server.stop()
    }
    #endif

    /// One call after the other, or so many at a time.
    private func check(_ mix: AnswerMix, _ width: Int) async {
        if width == 1 { await mix.runInTurn() } else { await mix.run(1_500, atATime: width, seed: 2026) }
        expectNothing(of: mix)
    }

    private func expectNothing(of mix: AnswerMix) {
        let result = mix.result
        #expect(result.swapped == [])
        #expect(result.hung == [])
        #expect(result.verdicts == [])
    }
}
