// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Testing

@testable import RestCurl

@Suite("The header of an answer")
struct ResponseHeadParserTests {
    private static let status = "HTTP/1.1 200 OK\r\n"

    /// Reads headers with the same parser, one response after the other.
    private func read(_ heads: [String]) throws -> [HTTPFields] {
        var parser = ResponseHeadParser()
        return try heads.map { head in
            parser.reset()
            try receive(head, by: &parser)
            #expect(parser.isComplete)
            return parser.fields
        }
    }

    private func receive(_ head: String, by parser: inout ResponseHeadParser) throws {
        unsafe try Array((head + "\r\n").utf8).withUnsafeBytes { bytes in unsafe try parser.receive(bytes) }
    }

    private static let lines = ["A: 1\r\n", "Content-Length: 2\r\n", "B: x\r\n", "C: 3\r\n"]

    /// Headers of which each shares lines with the one before: all of them, or less at one place.
    private static let sequels = [
        lines, lines, Array(lines.dropLast()), lines, lines + ["D: 4\r\n"], Array(lines.dropFirst()), lines,
        [lines[0], lines[1], "B: xy\r\n", lines[3]], [lines[0], lines[1], "B: \r\n", lines[3]], lines,
        ["A: 1\n"] + lines.dropFirst(), lines, [],
    ]

    @Test("What the last header had in common with this one does not show")
    func sequels() throws {
        let inTurn = try read(Self.sequels.map { Self.status + $0.joined() })
        for (lines, fields) in zip(Self.sequels, inTurn) {
            #expect(try read([Self.status + lines.joined()]) == [fields])
            #expect(fields.count == lines.count)
        }
    }

    @Test("A length of the last header does not count for this one")
    func forgottenLength() throws {
        var parser = ResponseHeadParser()
        try receive(Self.status + "Content-Length: 2\r\nContent-Encoding: gzip\r\n", by: &parser)
        #expect(parser.contentLength == 2)
        #expect(parser.contentCoding == "gzip")
        parser.reset()
        try receive(Self.status + "A: 1\r\n", by: &parser)
        #expect(parser.contentLength == nil)
        #expect(parser.contentCoding == nil)
    }

    @Test("An interim answer leaves nothing behind, and nothing follows the final header")
    func interim() throws {
        var parser = ResponseHeadParser()
        try receive("HTTP/1.1 103 Early Hints\r\nLink: x\r\nContent-Length: 9\r\n", by: &parser)
        #expect(!parser.isComplete)
        try receive("HTTP/2 201 \r\nA: 1\r\n", by: &parser)
        #expect(parser.isComplete)
        #expect(parser.status == 201)
        #expect(parser.contentLength == nil)
        try receive(Self.status + "B: 2\r\n", by: &parser)
        #expect(parser.fields.map(\.name) == ["A"])
    }

    @Test(
        "A header that says two things, or nothing, is refused, also after a good one",
        arguments: [
            "HTTP/1.1\r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 101 Switching\r\n", "A: 1\r\n", "",
            status + "A: 1\r\n folded\r\n", status + "no colon\r\n", status + ": no name\r\n", status + "a b: 1\r\n",
            status + "Content-Length: 2\r\nContent-Length: 3\r\n", status + "Content-Length: -2\r\n",
            status + "Transfer-Encoding: gzip\r\n", status + " \r\n", status + "\rA: 1\r\n",
        ])
    func refused(head: String) throws {
        var parser = ResponseHeadParser()
        #expect(throws: ResponseHeadParser.Refusal.self) { try receive(head, by: &parser) }
        parser = ResponseHeadParser()
        try receive(Self.status + Self.lines.joined(), by: &parser)
        parser.reset()
        #expect(throws: ResponseHeadParser.Refusal.self) { try receive(head, by: &parser) }
    }
}
