// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTesting

@Suite("Message framing")
struct MessageFramingTests {
    private static let requests = [
        "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n",
        "POST / HTTP/1.1\r\ncontent-length:  3\r\n\r\nabc", "POST / HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nab\r\nc\r\nA\r\n0123456789\r\n0\r\nT: 1\r\n\r\n",
    ]

    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nContent-Length: 9\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ]

    @Test("A message ends where its framing says, whole or byte by byte", arguments: requests + answers)
    func ends(text: String) {
        let bytes = Array(text.utf8)
        let start = text.hasPrefix("HTTP") ? MessageFraming.answer(to: "GET") : .request
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

    @Test("An answer without a length ends with its connection, one that is cut does not")
    func untilClose() {
        var open = MessageFraming.answer(to: "GET")
        _ = open.consume(Array("HTTP/1.0 200 OK\r\n\r\nabc".utf8)[...])
        #expect(!open.isComplete)
        open.end()
        #expect(open.isComplete)
        var cut = MessageFraming.answer(to: "GET")
        _ = cut.consume(Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc".utf8)[...])
        cut.end()
        #expect(!cut.isComplete)
    }

    @Test("An answer to HEAD has no body, whatever it announces")
    func head() {
        var framing = MessageFraming.answer(to: "HEAD")
        let header = Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n".utf8)
        #expect(framing.consume((header + [1, 2])[...]) == header.count)
        #expect(framing.isComplete)
    }

    @Test("The header alone can be taken")
    func onlyHeader() {
        var framing = MessageFraming.request
        let header = Array("PUT /x HTTP/1.1\r\nContent-Length: 2\r\n\r\n".utf8)
        #expect(framing.consume((header + [1, 2])[...], onlyHeader: true) == header.count)
        #expect(framing.isHeaderComplete && !framing.isComplete)
        #expect(framing.method == "PUT")
        #expect(framing.consume([1, 2, 3]) == 2)
    }

    @Test("Sizes no memory holds are no trap", arguments: ["7fffffffffffffff", "ffffffffffffffffff"])
    func hugeChunk(size: String) {
        var framing = MessageFraming.answer(to: "GET")
        _ = framing.consume(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\nabc".utf8)[...])
    }
}
