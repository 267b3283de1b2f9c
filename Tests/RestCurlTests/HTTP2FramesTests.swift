// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc) || canImport(Musl)
import TestSupport
import RestCurl
import RestTesting
import RestTransport
import Testing

/// Answers that are odd or broken as frames, which no front would pass on.
@Suite("CurlTransport and frames", .timeLimit(.minutes(2)))
struct HTTP2FramesTests {
    private struct Answer: Sendable {
        let name: String
        let script: FrameServer.Script
        /// What the call must fail with; empty for an answer that must be read.
        let codes: Set<TransportError.Code>
        let status: Int
        let body: String

        init(_ name: String, _ script: FrameServer.Script, _ codes: Set<TransportError.Code>) {
            (self.name, self.script, self.codes, status, body) = (name, script, codes, 0, "")
        }

        init(_ name: String, _ script: FrameServer.Script, status: Int = 200, body: String) {
            (self.name, self.script, codes, self.status, self.body) = (name, script, [], status, body)
        }
    }

    private static let ordinary: FrameServer.Script = [
        .ok([("content-length", "2")]), .data(Array("ok".utf8), ends: true),
    ]
    private static let abc = Array("abc".utf8)
    private static let broken: Set<TransportError.Code> = [.connectionLost, .invalidResponse]

    private static let legal = [
        Answer(
            "interim answers", [.headers([(":status", "103"), ("link", "</a>")]), .ok(), .data(abc, ends: true)],
            body: "abc"),
        Answer("trailers", [.ok(), .data(abc), .headers([("x-trailer", "1")], ends: true)], body: "abc"),
        Answer("no length", [.ok(), .data(abc), .data(abc, ends: true)], body: "abcabc"),
        Answer("empty frames", [.ok(), .data([]), .data(abc), .data([]), .data([], ends: true)], body: "abc"),
        Answer("padding", [.ok(), .frame(type: 0, flags: 9, [4] + abc + [0, 0, 0, 0])], body: "abc"),
        Answer("frames of unknown types", [.ok(), .frame(type: 0xFA, abc), .data(abc, ends: true)], body: "abc"),
        Answer("no body at all", [.headers([(":status", "204")], ends: true)], status: 204, body: ""),
        Answer(
            "an end without an error behind the answer", [.ok(), .data(abc, ends: true), .reset(0)], body: "abc"),
        Answer(
            "many header fields in several frames",
            [.ok((0..<300).map { ("x-\($0)", String(repeating: "a", count: 100)) }), .data(abc, ends: true)],
            body: "abc"),
    ]

    private static let refused = [
        Answer("a body shorter than announced", [.ok([("content-length", "9")]), .data(abc, ends: true)], broken),
        Answer("a body longer than announced", [.ok([("content-length", "2")]), .data(abc, ends: true)], broken),
        Answer(
            "contradictory lengths",
            [.ok([("content-length", "3"), ("content-length", "4")]), .data(abc, ends: true)], broken),
        Answer("a negative length", [.ok([("content-length", "-1")]), .data(abc, ends: true)], broken),
        Answer(
            "a length that overflows", [.ok([("content-length", "99999999999999999999")]), .data(abc, ends: true)],
            broken.union([.tooLarge])),
        Answer("a stream that is reset instead of an answer", [.reset(2)], broken),
        Answer("a stream that is reset within the body", [.ok(), .data(abc), .reset(2)], broken),
        Answer("a stream that is refused", [.reset(7)], broken),
        Answer("an end of the connection instead of an answer", [.close], broken),
        Answer("an end of the connection within the body", [.ok(), .data(abc), .close], broken),
        Answer("a body before its header", [.data(abc, ends: true)], broken),
        Answer("a header without a status", [.headers([("x", "1")]), .data(abc, ends: true)], broken),
        Answer("a status that is none", [.headers([(":status", "abc")]), .data(abc, ends: true)], broken),
        Answer("two statuses", [.ok([(":status", "200")]), .data(abc, ends: true)], broken),
        Answer("a field name in upper case", [.ok([("X-Upper", "1")]), .data(abc, ends: true)], broken),
        Answer("a line end in a field", [.ok([("x", "1\r\ny: 2")]), .data(abc, ends: true)], broken),
        Answer("a header that cannot be unpacked", [.frame(type: 1, flags: 4, [0xFF, 0xFF, 0xFF, 0xFF])], broken),
        Answer(
            "an answer that was promised and not asked for", [.frame(type: 5, flags: 4, [0, 0, 0, 2, 0x88])], broken),
        Answer("text labelled as gzip", [.ok([("content-encoding", "gzip")]), .data(abc, ends: true)], broken),
    ]

    /// libcurl 7.88 goes on with the connection, whose rest the next call then stumbles over.
    private static let flood = Answer(
        "a header of 1 MB", [.ok((0..<100).map { ("x-\($0)", String(repeating: "a", count: 10_000)) }, ends: true)],
        broken.union([.tooLarge]))

    @Test("An odd answer is read or refused as it should be, and the next call gets its own")
    func answers() async throws {
        let authority = try await TestAuthority.make()
        let identity = try await authority.identity()
        var configuration = CurlConfiguration()
        configuration.tls.authoritiesFile = authority.certificateFile
        for answer in Self.legal + Self.refused + [Self.flood] {
            let origin = try FrameServer([answer.script, Self.ordinary])
            let front = try await FrontServer.tunnel(identity, toPort: origin.port)
            let transport = CurlTransport(configuration: configuration)
            await check(answer, at: front.url, on: transport, isLast: answer.name == Self.flood.name)
            await transport.shutdown()
            await front.stop()
        }
    }

    /// Sends a request and compares what comes with the answer; the next call may be lost with the connection if
    /// this one `isLast`.
    private func check(_ answer: Answer, at url: HTTPURL, on transport: CurlTransport, isLast: Bool) async {
        let request = HTTPRequest(method: .post, url: url, body: .bytes([0x61]))
        do throws(TransportError) {
            let response = try await transport.send(request, deadline: soon)
            #expect(answer.codes.isEmpty, "\(answer.name): status \(response.head.status)")
            #expect(response.head.status == answer.status, "\(answer.name)")
            #expect(text(response) == answer.body, "\(answer.name)")
        } catch {
            #expect(answer.codes.contains(error.code), "\(answer.name): \(error)")
            #expect(error.mayHaveReachedServer, "\(answer.name)")
        }
        do throws(TransportError) {
            if isLast { _ = try? await transport.send(request, deadline: soon) }
            let next = try await transport.send(request, deadline: soon)
            #expect(text(next) == "ok", "behind \(answer.name)")
        } catch {
            Issue.record("behind \(answer.name): \(error)")
        }
    }
}
#endif
