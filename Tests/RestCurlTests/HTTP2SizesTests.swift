// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Answers of every size after every number of small ones, by HTTP/2 from servers that cut their frames differently.
@Suite("CurlTransport and sizes by HTTP/2", .timeLimit(.minutes(2)))
struct HTTP2SizesTests {
    /// Around the ends of frames (16 KiB), of records and of buffers.
    private static let sizes = [
        0, 1, 1_000, 1_024, 1_500, 2_048, 3_000, 4_096, 8_192, 9_000, 16_000, 16_384, 16_385, 20_000, 32_768, 65_536,
        1_000_000, SizedBodyServer.largest,
    ]

    @Test("A body of any size comes whole after any number of small answers", arguments: FrontServer.Program.allCases)
    func afterSmall(program: FrontServer.Program) async throws {
        try await withFront(program) { url, make in
            for count in 0...40 {
                let transport = make()
                for number in 0..<count { try await check(100, number, url, transport) }
                // Three of the sizes each, so that every one comes after few and after many small answers.
                for step in 0..<3 {
                    try await check(Self.sizes[(count * 5 + step * 7) % Self.sizes.count], 1_000 + step, url, transport)
                }
                await transport.shutdown()
            }
        }
    }

    @Test("So it does beside others on the same connection", arguments: FrontServer.Program.allCases)
    func besideOthers(program: FrontServer.Program) async throws {
        try await withFront(program) { url, make in
            let transport = make()
            for round in 0..<10 {
                for number in 0..<40 { try await check(100, number, url, transport) }
                try await withThrowingTaskGroup { group in
                    for (number, size) in Self.sizes.enumerated() {
                        group.addTask { try await check(size, round * 100 + number, url, transport) }
                    }
                    try await group.waitForAll()
                }
            }
            await transport.shutdown()
        }
    }

    /// Asks for a body and compares every byte.
    private func check(_ size: Int, _ number: Int, _ url: HTTPURL, _ transport: CurlTransport) async throws {
        let path = SizedBodyServer.path(size: size, number: number)
        let request = HTTPRequest(url: HTTPURL(origin: url.origin, path: path))
        let response = try await transport.send(request, deadline: soon)
        try #require(response.metrics?.protocolName == "HTTP/2")
        let isWhole = response.head.status == 200 && SizedBodyServer.isBody(response.body, size: size, number: number)
        let found = "\(response.head.status), \(response.body.count) bytes"
        try #require(isWhole, "number \(number) of \(size) bytes: \(found)")
    }

    private func withFront(
        _ program: FrontServer.Program, _ body: (HTTPURL, () -> CurlTransport) async throws -> Void
    ) async throws {
        let authority = try await TestAuthority.make()
        let origin = try SizedBodyServer()
        let front = try await FrontServer.start(
            authority.identity(), program: program, originPort: origin.port, keepsOrigin: true)
        try await body(front.url) {
            var configuration = CurlConfiguration()
            configuration.tls.authoritiesFile = authority.certificateFile
            configuration.collectsMetrics = true
            return CurlTransport(configuration: configuration)
        }
        await front.stop()
    }
}
#endif
