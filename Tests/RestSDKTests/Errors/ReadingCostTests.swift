// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Testing

@testable import RestSDK

/// Something that is read out of an answer, made as long as the test wants it.
struct ReadingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The length to begin with, in bytes or about.
    var length = 32_768
    let response: @Sendable (Int) -> HTTPResponse
    var read: @Sendable (HTTPResponse) -> Void = { _ = RestError(refusal: $0, isWrite: true).retryAfter }

    private static func body(
        _ name: String, type: String = "application/json", _ begin: String, _ part: String, _ end: String
    ) -> ReadingCase {
        ReadingCase(testDescription: name) { length in
            let text = begin + String(repeating: part, count: length / part.utf8.count) + end
            return HTTPResponse(
                head: HTTPResponse.Head(status: 429, fields: ["Content-Type": type]), body: Array(text.utf8))
        }
    }

    private static func field(
        _ name: String, _ part: String, _ read: @escaping @Sendable (HTTPResponse) -> Void
    ) -> ReadingCase {
        ReadingCase(
            testDescription: "\(name): \(part)…", length: 8_192,
            response: { length in
                let value = String(repeating: part, count: length / part.utf8.count)
                return HTTPResponse(head: HTTPResponse.Head(status: 429, fields: [name: value]), body: [])
            }, read: read)
    }

    static let bodies: [ReadingCase] = [
        body("faults", "[", #"{"errorCode":"A","message":"m"},"#, "1]"),
        body("faults in lists of lists", "[", #"[[[[{"errors":["x"]}]]]],"#, "1]"),
        body("members that hold faults", "{", #""errors":[1],"body":{"a":1},"#, #""a":1}"#),
        body("members that hold nothing", "{", #""abc":{"d":[]},"#, #""a":1}"#),
        body("one long message", #"[{"errorCode":"A","message":""#, "é\\n", #""}]"#),
        body("one message of positions", #"[{"errorCode":"A","message":""#, "ERROR at Row:1:", #""}]"#),
        body("many fields", #"[{"errorCode":"A","fields":["#, #""F","#, #""F"]}]"#),
        body("a body that is cut", "[", #"{"errorCode":"A"},"#, ""),
        body("text", type: "text/plain", "", "word\u{1} ", ""),
        body("a page", type: "text/html", "", "<title", ">"),
    ]

    static let headers: [ReadingCase] =
        ["api-usage=1/2;", ";", "=", "api-usage=", " ", "1/"].map {
            field("Sforce-Limit-Info", $0) { _ = APIAllowance(in: $0.head.fields) }
        }
        + ["1", " ", ":", "-", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun,"].map {
            field("Retry-After", $0) { _ = RetryAfter.delay(in: $0.head.fields) }
        }

    private static let composite: Composite = {
        var composite = Composite()
        composite.add(.limits, as: "a")
        return composite
    }()

    private static func answer(
        _ name: String, _ begin: String, _ part: String, _ end: String,
        _ read: @escaping @Sendable (RestResponse) throws -> Void
    ) -> ReadingCase {
        var answer = body(name, begin, part, end)
        answer.read = { response in
            let response = HTTPResponse(head: HTTPResponse.Head(status: 200), body: response.body)
            _ = try? read(RestResponse(response, expecting: .json, isWrite: true))
        }
        return answer
    }

    static let answers: [ReadingCase] = [
        answer(
            "a composite's part", #"{"compositeResponse":[{"referenceId":"a","httpStatusCode":400,"body":["#,
            #"{"errorCode":"A"},"#, "1]}]}"
        ) {
            _ = try composite.results(in: $0)
        },
        answer(
            "a composite's fields", #"{"compositeResponse":[{"referenceId":"a","httpStatusCode":200,"httpHeaders":{"#,
            #""A":"b","#, #""a":"b"}}]}"#
        ) {
            _ = try composite.results(in: $0)
        },
        answer("too many parts", #"{"compositeResponse":["#, #"{"referenceId":"a"},"#, "1]}") {
            _ = try composite.results(in: $0)
        },
        answer("a batch's part", #"{"results":[{"statusCode":400,"result":["#, #"{"errorCode":"A"},"#, "1]}]}") {
            _ = try Batch([.limits]).results(in: $0)
        },
        answer("a collection", "[", #"{"success":false,"errors":["x"]},"#, "1]") {
            _ = try SaveResults($0, count: 1)
        },
        answer("a page of a query", #"{"totalSize":1,"done":true,"records":["#, #"{"Id":"1"},"#, "1]}") {
            _ = try QueryPage($0)
        },
    ]
}

@Suite("What it costs to read answers of any length")
struct ReadingCostTests {
    @Test(
        "eight times the input costs about eight times the work, never its square",
        arguments: ReadingCase.bodies + ReadingCase.headers + ReadingCase.answers)
    func linear(reading: ReadingCase) {
        let (short, long) = (reading.response(reading.length), reading.response(8 * reading.length))
        let shortTime = processorTime { reading.read(short) }
        let longTime = processorTime { reading.read(long) }
        // The square would be 64 times as much. What takes less than a fraction of a millisecond measures nothing.
        #expect(longTime < 24 * max(shortTime, 0.000_2), "\(shortTime) s, then \(longTime) s")
    }
}
