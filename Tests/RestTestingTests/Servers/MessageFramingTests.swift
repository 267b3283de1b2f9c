// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RestTesting

@Suite("HTTP message framing")
struct MessageFramingTests {
    private static let requests = [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n",
        "POST / HTTP/1.1\r\ncontent-length:  3\r\n\r\nabc", "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nab\r\nc\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
    ]

    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]

    @Test(
        "A message ends where its framing says, whether it arrives whole or byte by byte",
        arguments: requests + responses
    )
    func ends(text: String) {
        let bytes = Array(text.utf8)
        let start = text.hasPrefix("HTTP") ? MessageFraming.respond(to: "GET") : .request
        var whole = start
        #expect(whole.consume((bytes + Array("GET /next".utf8))[...]) == bytes.count)
        #expect(whole.isComplete)
        var drip = start
        for byte in bytes {
            #expect(!drip.isComplete)
            #expect(drip.consume([byte]) == 1)
        }
        #expect(drip.isComplete)
        #expect(drip.status == whole.status)
    }

    @Test("A response without a length ends with its connection, and a truncated response does not")
    func untilClose() {
        var open = MessageFraming.respond(to: "GET")
        _ = open.consume(Array("HTTP/1.0 200 OK\r\n\r\nabc".utf8)[...])
        #expect(!open.isComplete)
        open.end()
        #expect(open.isComplete)
        var cut = MessageFraming.respond(to: "GET")
        _ = cut.consume(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc".utf8)[...])
        cut.end()
        #expect(!cut.isComplete)
    }

    @Test("A response to HEAD has no body, even if it announces one")
    func head() {
        var framing = MessageFraming.respond(to: "HEAD")
        let header = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8)
        #expect(framing.consume((header + [1, 2])[...]) == header.count)
        #expect(framing.isComplete)
    }

    @Test("The head can be consumed without the body")
    func onlyHeader() {
        var framing = MessageFraming.request
        let header = Array("PUT /x HTTP/1.1\r\nContent-Length: 2\r\n\r\n".utf8)
        #expect(framing.consume((header + [1, 2])[...], onlyHeader: true) == header.count)
        #expect(framing.isHeaderComplete && !framing.isComplete)
        #expect(framing.method == "PUT")
        #expect(framing.consume([1, 2, 3]) == 2)
    }

    @Test("Chunk sizes larger than memory do not trap", arguments: ["7fffffffffffffff", "ffffffffffffffffff"])
    func hugeChunk(size: String) {
        var framing = MessageFraming.respond(to: "GET")
        _ = framing.consume(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nabc".utf8)[...])
    }
}

/// The test uses all descriptors of a process, so it runs in its own process.
@Suite("Servers and descriptors", .timeLimit(.minutes(5)))
struct DescriptorTests {
    @Test("A server without a free descriptor waits without using the processor, and continues when one is free")
    func exhausted() async {
        await #expect(processExitsWith: .success) {
            // Dispatch opens descriptors when a clock is first awaited, and ends the process if none is free. The
            // test's time limit also awaits a clock at some time.
            try await ContinuousClock().sleep(for: .nanoseconds(1))
            try await SuspendingClock().sleep(for: .nanoseconds(1))
            let server = try ScriptServer([.readRequest, .respond("hello")])
            var taken = takeDescriptors()
            try #require(close(taken.removeLast()) == 0)
            let client = try RawClient(port: server.port)
            try #require(openNull() < 0, "the client has the last descriptor")
            let before = processorTime()
            usleep(400_000)
            try #require(processorTime() - before < 0.1)
            for descriptor in taken { close(descriptor) }
            try #require(await client.exchange("GET / HTTP/1.1\r\n\r\n").text.hasSuffix("hello"))
            try #require(await server.stop().requests.count == 1)
        }
    }
}

/// Opens descriptors until the process has no more, after lowering the limit to a few more than are open.
private func takeDescriptors() -> [Int32] {
    var limit = rlimit(rlim_cur: 200, rlim_max: 200)
    #if canImport(Darwin)
    unsafe setrlimit(RLIMIT_NOFILE, &limit)
    #else
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    #endif
    var taken: [Int32] = []
    while true {
        let descriptor = openNull()
        guard descriptor >= 0 else { return taken }
        taken.append(descriptor)
    }
}

private func openNull() -> Int32 { unsafe open("/dev/null", O_RDONLY) }

/// The processor time of this process, in seconds.
private func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }
