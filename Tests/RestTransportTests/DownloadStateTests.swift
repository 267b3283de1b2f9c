// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import RestTransport

@Suite("The state of a download: ranges that it requests, and responses that it accepts")
struct DownloadStateTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private let url: HTTPURL
    private let request: HTTPRequest

    init() throws {
        url = try HTTPURL(parsing: "https://a.example/file")
        request = HTTPRequest(url: url)
    }

    /// Returns a download that was interrupted after a number of bytes.
    private func broken(
        _ fields: HTTPFields, length: Int? = 100, after count: Int = 40, range: HTTPRequest.ByteRange? = nil
    ) throws -> DownloadState {
        var state = DownloadState(range: range)
        _ = state.ask(request)
        var head = HTTPResponse.Head(status: 200, fields: fields)
        if let length { head.fields["Content-Length"] = "\(length)" }
        #expect(try state.receive(head, from: url) == .newFile)
        _ = try state.take(count)
        return state
    }

    private func part(_ content: String, _ fields: HTTPFields = [:]) -> HTTPResponse.Head {
        var head = HTTPResponse.Head(status: 206, fields: fields)
        head.fields["Content-Range"] = content
        return head
    }

    @Test("the rest is requested with a strong entity tag, or with a strong date if there is no tag")
    func asksForRest() throws {
        let strong: [(HTTPFields, String)] = [
            (["ETag": #""a""#], #""a""#), (["ETag": #""""#], #""""#),
            (["Last-Modified": Self.date, "Date": "Sun, 06 Nov 1994 08:50:37 GMT"], Self.date),
            (["ETag": #""a""#, "Accept-Ranges": "bytes"], #""a""#),
        ]
        for (fields, validator) in strong {
            var state = try broken(fields)
            let next = state.ask(request)
            #expect(next.fields["Range"] == "bytes=40-99", "\(fields)")
            #expect(next.fields["If-Range"] == validator)
            #expect(next.fields["Accept-Encoding"] == "identity")
        }
        var state = try broken(["ETag": #""a""#], length: nil)
        #expect(state.ask(request).fields["Range"] == "bytes=40-")
    }

    @Test(
        "without a strong validator or with compressed bytes, the whole file is requested",
        arguments: [
            [:], ["ETag": #"W/"a""#], ["ETag": "a"], ["ETag": #""a"b""#], ["ETag": "\""],
            ["Last-Modified": date], ["Last-Modified": date, "Date": "Sun, 06 Nov 1994 08:50:36 GMT"],
            ["ETag": #"W/"a""#, "Last-Modified": date, "Date": "Sun, 06 Nov 1994 09:50:37 GMT"],
            ["ETag": #""a""#, "Content-Encoding": "gzip"], ["ETag": #""a""#, "Accept-Ranges": "none"],
        ] as [HTTPFields])
    func asksForAll(fields: HTTPFields) throws {
        var state = try broken(fields)
        #expect(state.ask(request) == request)
    }

    @Test("requests with another URL, another method or their own range are not changed")
    func otherRequests() throws {
        var state = try broken(["ETag": #""a""#])
        for other in [
            HTTPRequest(url: try HTTPURL(parsing: "https://a.example/file?x=1")), HTTPRequest(method: .post, url: url),
            HTTPRequest(url: url, fields: ["Range": "bytes=1-2"]),
        ] { #expect(state.ask(other) == other) }
        #expect(state.ask(request).fields["Range"] == "bytes=40-99")
        var empty = try broken(["ETag": #""a""#], after: 0)
        #expect(empty.ask(request) == request)
    }

    @Test("a matching rest is appended, a whole response starts over, and an error response changes nothing")
    func takesRest() throws {
        var state = try broken(["ETag": #""a""#])
        _ = state.ask(request)
        #expect(try state.receive(HTTPResponse.Head(status: 503), from: url) == .memory)
        _ = state.ask(request)
        #expect(try state.receive(part("bytes 40-99/100", ["ETag": #""a""#]), from: url) == .append)
        #expect(throws: TransportError.self) { try state.finish() }
        #expect(try state.take(60) == 0..<60)
        try state.finish()
        #expect(state.amounts == (100, 100))

        var changed = try broken(["ETag": #""a""#])
        _ = changed.ask(request)
        let whole = HTTPResponse.Head(status: 200, fields: ["ETag": #""b""#, "Content-Length": "7"])
        #expect(try changed.receive(whole, from: url) == .newFile)
        #expect(changed.amounts == (0, 7))
    }

    @Test(
        "a rest that does not match the requested range is rejected, and the next attempt starts over",
        arguments: [
            "bytes 41-99/100", "bytes 39-99/100", "bytes 40-98/100", "bytes 40-99/101", "bytes 40-99/*",
            "bytes 40-100/100", "bytes -40-99/100", "bytes 40--99/100", "bytes 99-40/100", "bytes 40-99",
            "bytes 40-99/99", "bytes 40-99/100, bytes 40-99/100", "bytes */100", "items 40-99/100", "",
            "bytes 40-99999999999999999999/99999999999999999999", "bytes 40-9223372036854775807/*", "bytes +40-99/100",
            "bytes 40-99/100/100", "bytes  40-99/100", "bytes 40-99/-1",
        ])
    func lies(content: String) throws {
        var state = try broken(["ETag": #""a""#])
        _ = state.ask(request)
        let error = #expect(throws: TransportError.self) {
            try state.receive(part(content, ["ETag": #""a""#]), from: url)
        }
        #expect(error?.code == .invalidResponse)
        #expect(state.ask(request) == request)
    }

    @Test("a rest with another tag, compressed, with another length or without its range is rejected")
    func otherStates() throws {
        let heads = [
            part("bytes 40-99/100"), part("bytes 40-99/100", ["ETag": #""b""#]),
            part("bytes 40-99/100", ["ETag": #"W/"a""#]),
            part("bytes 40-99/100", ["ETag": #""a""#, "Content-Encoding": "gzip"]),
            part("bytes 40-99/100", ["ETag": #""a""#, "Content-Length": "61"]),
            HTTPResponse.Head(status: 206, fields: ["ETag": #""a""#]), HTTPResponse.Head(status: 416),
        ]
        for head in heads {
            var state = try broken(["ETag": #""a""#])
            _ = state.ask(request)
            let error = #expect(throws: TransportError.self) { try state.receive(head, from: url) }
            #expect(error?.code == .invalidResponse)
            #expect(state.ask(request) == request)
        }
    }

    @Test("a part must be exactly the requested range, up to the end of the resource")
    func parts() throws {
        let cases: [(HTTPRequest.ByteRange, String, right: [String], wrong: [String])] = [
            (
                .bytes(10..<20), "bytes=10-19", ["bytes 10-19/100", "BYTES 10-19/*", "bytes 10-14/15"],
                ["bytes 10-14/100", "bytes 10-14/*", "bytes 9-19/100", "bytes 10-20/100"]
            ),
            (.from(90), "bytes=90-", ["bytes 90-99/100", "bytes 90-99/*"], ["bytes 90-98/100", "bytes 91-99/*"]),
            (.last(10), "bytes=-10", ["bytes 90-99/100", "bytes 0-4/5"], ["bytes 90-99/*", "bytes 89-99/100"]),
        ]
        for (range, text, right, wrong) in cases {
            for (contents, isRight) in [(right, true), (wrong, false)] {
                for content in contents {
                    var state = DownloadState(range: range)
                    #expect(state.ask(request).fields["Range"] == text)
                    let placement = try? state.receive(part(content), from: url)
                    #expect(placement == (isRight ? .newFile : nil), "\(range) \(content)")
                }
            }
        }
    }

    @Test("a part must have the length that it announces")
    func partLength() throws {
        for (counts, code) in [([10], nil), ([4, 6], nil), ([9], .connectionLost), ([6, 5], .invalidResponse)]
            as [([Int], TransportError.Code?)]
        {
            var state = DownloadState(range: .bytes(10..<20))
            _ = state.ask(request)
            _ = try state.receive(part("bytes 10-19/100"), from: url)
            var failure: TransportError?
            do throws(TransportError) {
                for count in counts { _ = try state.take(count) }
                try state.finish()
            } catch { failure = error }
            #expect(failure?.code == code, "\(counts)")
        }
    }

    @Test("the requested part is cut out of a whole response")
    func cut() throws {
        let cases: [(HTTPRequest.ByteRange, Int?, Range<Int>?)] = [
            (.bytes(10..<20), 100, 10..<20), (.bytes(10..<20), nil, 10..<20), (.bytes(90..<200), 100, 90..<100),
            (.from(95), 100, 95..<100), (.from(95), nil, 95..<100), (.last(3), 100, 97..<100),
            (.last(300), 100, 0..<100), (.last(3), nil, nil), (.from(100), 100, nil), (.bytes(100..<101), nil, nil),
        ]
        for (range, length, expected) in cases {
            var state = DownloadState(range: range)
            _ = state.ask(request)
            var head = HTTPResponse.Head(status: 200)
            if let length { head.fields["Content-Length"] = "\(length)" }
            var taken: [Int] = []
            do throws(TransportError) {
                _ = try state.receive(head, from: url)
                for start in stride(from: 0, to: 100, by: 7) {
                    taken += try state.take(min(7, 100 - start)).map { start + $0 }
                }
                try state.finish()
            } catch {
                #expect(expected == nil, "\(range): \(error)")
                continue
            }
            #expect(taken == expected.map(Array.init), "\(range) of \(length ?? -1)")
        }
    }

    @Test("a retry cuts the part out again if the server sends the whole response again")
    func cutAgain() throws {
        var state = try broken(["ETag": #""a""#], after: 40, range: .bytes(30..<60))
        #expect(state.amounts == (10, 30))
        #expect(state.ask(request).fields["Range"] == "bytes=40-59")
        let whole = HTTPResponse.Head(status: 200, fields: ["ETag": #""a""#, "Content-Length": "100"])
        #expect(try state.receive(whole, from: url) == .newFile)
        #expect(try state.take(100) == 30..<60)
        try state.finish()
    }

    @Test("an unrequested part is rejected, unless the caller set the Range header")
    func unasked() throws {
        var state = DownloadState(range: nil)
        _ = state.ask(request)
        #expect(throws: TransportError.self) { try state.receive(part("bytes 0-9/10"), from: url) }
        _ = state.ask(HTTPRequest(url: url, fields: ["Range": "bytes=0-9"]))
        #expect(try state.receive(part("bytes 0-9/10"), from: url) == .newFile)
    }

    @Test("empty ranges and ranges outside the supported numbers are rejected")
    func ranges() {
        let wrong: [HTTPRequest.ByteRange] = [
            .bytes(5..<5), .bytes(-1..<5), .bytes(0..<Int64.max), .from(-1), .from(.max), .last(0), .last(-1),
        ]
        for range in wrong { #expect(range.problem != nil, "\(range)") }
        for range in [HTTPRequest.ByteRange.bytes(0..<1), .from(0), .last(1)] { #expect(range.problem == nil) }
    }
}
