// SPDX-License-Identifier: Apache-2.0

import RestCurl
import RestTesting
import RestTransport
import TestSupport

/// Measures HTTP/2 calls without a response or with a wrong one, over three servers with different frame sizes.
///
/// The bodies have 0 B to 4 MB, after every number of small responses, alone and concurrently.
func framedReliabilityFigures() async throws {
    #if canImport(Glibc) || canImport(Musl)
    var tally = FramedCalls.Tally()
    for program in FrontServer.Program.allCases { tally += try await FramedCalls.run(over: program) }
    let note = "\(tally.calls) calls over nginx, HAProxy and Apache"
    for (name, count) in [("http2.hung", tally.hung), ("http2.wrong", tally.wrong)] {
        Figure(name: name, value: Double(count), unit: "calls", relation: .atMost, bound: 0, note: note).print()
    }
    #else
    Figure.absent("http2", peer: "nginx, HAProxy and Apache under Linux, which")
    #endif
}

#if canImport(Glibc) || canImport(Musl)
private struct FramedCalls: Sendable {
    struct Tally: Sendable {
        var calls = 0
        var hung = 0
        var wrong = 0

        static func += (left: inout Tally, right: Tally) {
            left.calls += right.calls
            left.hung += right.hung
            left.wrong += right.wrong
        }
    }

    /// Sizes near the limits of frames (16 KiB), records and buffers.
    private static let sizes = [
        0, 1, 1_000, 1_024, 1_500, 2_048, 3_000, 4_096, 8_192, 9_000, 16_000, 16_384, 16_385, 20_000, 32_768, 65_536,
        1_000_000, SizedBodyServer.largest,
    ]
    private static let smallBytes = 100
    /// A timeout that no correct call reaches.
    private static let patience = Duration.seconds(10)
    private static let besideOthers = extent(4_000, short: 32)
    private static let atATime = 16

    private let url: HTTPURL
    private let authoritiesFile: String

    static func run(over program: FrontServer.Program) async throws -> Tally {
        let authority = try await TestAuthority.make()
        let origin = try SizedBodyServer()
        let front = try await FrontServer.start(
            authority.identity(), program: program, originPort: origin.port, keepsOrigin: true)
        let calls = FramedCalls(url: front.url, authoritiesFile: authority.certificateFile)
        var tally = await calls.afterSmall()
        tally += await calls.beside()
        await front.stop()
        return tally
    }

    private func transport() -> CurlTransport {
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authoritiesFile
        configuration.collectsMetrics = true
        return CurlTransport(configuration: configuration)
    }

    /// Requests each size after each number of small responses, on new connections.
    private func afterSmall() async -> Tally {
        var tally = Tally()
        for count in 0...extent(40, short: 1) {
            for size in Self.sizes {
                let transport = transport()
                for number in 0..<count { tally += await call(Self.smallBytes, number, on: transport) }
                tally += await call(size, count, on: transport)
                await transport.shutdown()
            }
        }
        return tally
    }

    /// Requests all sizes concurrently in random order, most of them small.
    private func beside() async -> Tally {
        let transport = transport()
        let tally = await withTaskGroup { group in
            for lane in 0..<Self.atATime {
                group.addTask {
                    var tally = Tally()
                    var numbers = SeededGenerator(seed: 14, path: [lane])
                    for step in 0..<Self.besideOthers / Self.atATime {
                        let draw = Int.random(in: 0..<4 * Self.sizes.count, using: &numbers)
                        let size = draw < Self.sizes.count ? Self.sizes[draw] : Self.smallBytes
                        tally += await call(size, lane * Self.besideOthers + step, on: transport)
                    }
                    return tally
                }
            }
            return await group.reduce(into: Tally()) { $0 += $1 }
        }
        await transport.shutdown()
        return tally
    }

    private func call(_ size: Int, _ number: Int, on transport: CurlTransport) async -> Tally {
        let path = SizedBodyServer.path(size: size, number: number)
        let request = HTTPRequest(url: HTTPURL(origin: url.origin, path: path))
        var tally = Tally(calls: 1)
        do throws(TransportError) {
            let response = try await transport.send(request, deadline: .now + Self.patience)
            let isRight =
                response.head.status == 200 && response.metrics?.protocolName == "HTTP/2"
                && SizedBodyServer.isBody(response.body, size: size, number: number)
            if !isRight { tally.wrong = 1 }
        } catch {
            if error.code == .timedOut { tally.hung = 1 } else { tally.wrong = 1 }
        }
        return tally
    }
}
#endif
