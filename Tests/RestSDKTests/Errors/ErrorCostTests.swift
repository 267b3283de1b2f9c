// SPDX-License-Identifier: Apache-2.0

import Costs
import Foundation
import RestTesting
import RestTransport
import Simulation
import Testing

@testable import RestSDK

@Suite("The cost of reading an error")
struct ErrorCostTests {
    private func response(_ body: [UInt8], type: String = "text/plain", status: Int = 503) -> HTTPResponse {
        HTTPResponse(head: HTTPResponse.Head(status: status, fields: ["Content-Type": type]), body: body)
    }

    private static let kinds: [(String, String, @Sendable (Int) -> [UInt8])] = [
        ("words", "text/plain", { Array(repeating: Array("word ".utf8), count: $0 / 5).flatMap(\.self) }),
        ("blanks", "text/plain", { [UInt8](repeating: 0x20, count: $0) }),
        ("control characters", "text/plain", { [UInt8](repeating: 0x01, count: $0) }),
        (
            "one character of many marks", "text/plain",
            { [0x61] + Array(repeating: [0xCC, 0x81], count: $0 / 2).joined() }
        ),
        ("broken UTF-8", "text/plain", { [UInt8](repeating: 0xFF, count: $0) }),
        (
            "a page of title beginnings", "text/html",
            { Array(repeating: Array("<titl".utf8), count: $0 / 5).flatMap(\.self) }
        ),
        ("UTF-16", "text/plain; charset=utf-16", { Array(repeating: [0x61, 0x00], count: $0 / 2).flatMap(\.self) }),
        ("Latin", "text/plain; charset=iso-8859-1", { [UInt8](repeating: 0xE9, count: $0) }),
    ]

    @Test("at most 64 KiB of an error text are read, for every kind of body", arguments: kinds.indices)
    func beginning(kind: Int) throws {
        let (_, type, body) = Self.kinds[kind]
        let texts = [1 << 17, 1 << 18].map { ErrorText(of: response(body($0), type: type)).text }
        for text in texts { #expect(text.unicodeScalars.count <= ErrorText.maximumSize) }
        // The text read does not depend on the length of the body, so the work does not either.
        #expect(texts[0] == texts[1])
        let error = RestError(rejection: response(body(1 << 18), type: type), isWrite: false)
        #expect(error.code == .server)
        #expect(error.message.count <= 300)
    }

    @Test("a truncated body ends between two characters")
    func boundary() {
        for shift in 0..<4 {
            let body = Array((String(repeating: "a", count: shift) + String(repeating: "日", count: 40_000)).utf8)
            let text = ErrorText(of: response(body, type: "text/plain; charset=iso-8859-1")).text
            #expect(text.hasSuffix("日") && text.utf8.count > ErrorText.maximumSize - 4)
        }
    }

    @Test("a body with many errors is read in linear time, and a limited number of errors is kept")
    func faults() throws {
        let fault = #"{"errorCode":"A","message":"m"}"#
        for count in [APIFault.mostFaults, 2 * APIFault.mostFaults] {
            let body = "[" + Array(repeating: fault, count: count).joined(separator: ",") + "]"
            let error = RestError(rejection: response(Array(body.utf8), type: "application/json"), isWrite: false)
            #expect(error.faults.count == APIFault.mostFaults)
        }
    }

    @Test("an error keeps only the beginning of a long string")
    func longTexts() throws {
        let long = String(repeating: "é", count: 1 << 16)
        let value = JSONValue(["errorCode": JSONValue(long), "message": JSONValue(long), "fields": [JSONValue(long)]])
        let fault = try #require(APIFault.faults(in: value).first)
        for text in [fault.errorCode.rawValue, fault.message, fault.fields[0]] {
            #expect(text.utf8.count == 16_384)
            #expect(text.allSatisfy { $0 == "é" })
        }
    }

    @Test("parsing a long JSON body stops when the call is ended or times out", arguments: [true, false])
    func left(isCancelled: Bool) async throws {
        let fault = #"{"errorCode":"A","message":"m"}"#
        let body = "[" + Array(repeating: fault, count: 9_000).joined(separator: ",") + "]"
        let clock = ManualClock(alarmsBeyond: .zero)
        let transport = StubTransport()
        var configuration = RestClient.Configuration(transport: transport, clock: clock)
        configuration.retryPolicy = .never
        let client = try RestClient.of(configuration)
        transport.enqueue(.response(response(Array(body.utf8), type: "application/json"))) { [weak client] _ in
            if isCancelled { client?.cancelAll() } else { clock.advance(by: .seconds(61)) }
            return true
        }
        let error = await #expect(throws: RestError.self) { try await client.send(.create("Account", [:])) }
        #expect(error?.code == (isCancelled ? .cancelled : .timedOut))
        #expect(error?.outcome == .unknown)
        #expect((error?.underlying as? RestError)?.faults.isEmpty == true)
    }

    /// 4 MiB of zeros in 4 KiB, the maximum size that is accepted at any compression ratio.
    private static let packed: [UInt8] = {
        let mebibyte: [UInt8] =
            [236, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 8, 95, 160] + [UInt8](repeating: 0, count: 1_016)
            + [62, 3, 0, 0, 255, 255]
        let checksum: [UInt8] = [106, 64, 71, 17]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255] + (0..<4).flatMap { _ in mebibyte } + [3, 0] + checksum
            + [0, 0, 64, 0]
    }()

    @Test("a compressed text that expands to megabytes costs only its beginning")
    func packed() async throws {
        let fields = "Content-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(Self.packed.count)"
        let server = try ScriptServer([
            .readRequest, .send("HTTP/1.1 503 X\r\n\(fields)\r\n\r\n"), .sendBytes(Self.packed),
        ])
        let client = try RestClient(
            instanceURL: "http://127.0.0.1:\(server.port)", accessToken: "t",
            configuration: RestClient.Configuration(retryPolicy: .never))
        let error = await expectFailure(.server) { try await client.send(.plainLimits) }
        #expect(error?.message == "the server responded with status 503")
        #expect(error?.body.count == RestError.maximumBodySize)
    }

    @Test("an empty HTML page has no text, and the message does not mention a page", arguments: ["", "  \r\n"])
    func emptyPage(body: String) {
        let error = RestError(rejection: response(Array(body.utf8), type: "text/html", status: 502), isWrite: false)
        #expect(error.message == "the server responded with status 502")
    }

    @Test("strings among a collection's errors are reported")
    func texts() throws {
        let body = #"[{"success":false,"errors":["no such record",{"statusCode":"A","message":"m"},""]}]"#
        let faults = try APIFault.faults(in: JSONValue(parsing: body))
        #expect(faults.map(\.errorCode) == [.unknown, "A"])
        #expect(faults.map(\.message) == ["no such record", "m"])
    }
}

/// A value that is read from a response, in any length that the test wants.
struct ReadingCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The initial length, in bytes or similar units.
    var length = 32_768
    let response: @Sendable (Int) -> HTTPResponse
    var read: @Sendable (HTTPResponse) -> Void = { _ = RestError(rejection: $0, isWrite: true).retryAfter }

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
        body("a page whose title does not end", type: "text/html", "", "<title", ""),
    ]

    static let headers: [ReadingCase] =
        ["api-usage=1/2;", ";", "=", "api-usage=", " ", "1/"].map {
            field("Sforce-Limit-Info", $0) { _ = RestClient.APIAllowance(in: $0.head.fields) }
        }
        + ["1", " ", ":", "-", "Sun, 06 Nov 1994 08:49:37 GMT ", "Sun,"].map {
            field("Retry-After", $0) { _ = RetryAfter.delay(in: $0.head.fields) }
        }

    private static let composite: Composite = {
        var composite = Composite()
        composite.add(.plainLimits, as: "a")
        return composite
    }()

    private static func respond(
        _ name: String, _ begin: String, _ part: String, _ end: String,
        _ read: @escaping @Sendable (RestResponse) throws -> Void
    ) -> ReadingCase {
        var response = body(name, begin, part, end)
        response.read = { response in
            let response = HTTPResponse(head: HTTPResponse.Head(status: 200), body: response.body)
            _ = try? read(RestResponse(response, expecting: .json, isWrite: true))
        }
        return response
    }

    static let responses: [ReadingCase] = [
        respond(
            "a composite's part", #"{"compositeResponse":[{"referenceId":"a","httpStatusCode":400,"body":["#,
            #"{"errorCode":"A"},"#, "1]}]}"
        ) {
            _ = try composite.content(from: $0)
        },
        respond(
            "a composite's fields", #"{"compositeResponse":[{"referenceId":"a","httpStatusCode":200,"httpHeaders":{"#,
            #""A":"b","#, #""a":"b"}}]}"#
        ) {
            _ = try composite.content(from: $0)
        },
        respond("too many parts", #"{"compositeResponse":["#, #"{"referenceId":"a"},"#, "1]}") {
            _ = try composite.content(from: $0)
        },
        respond("a batch's part", #"{"results":[{"statusCode":400,"result":["#, #"{"errorCode":"A"},"#, "1]}]}") {
            _ = try Batch([.plainLimits]).content(from: $0)
        },
        respond("a collection", "[", #"{"success":false,"errors":["x"]},"#, "1]") {
            _ = try SaveResults($0, count: 1)
        },
        respond("a page of a query", #"{"totalSize":1,"done":true,"records":["#, #"{"Id":"1"},"#, "1]}") {
            _ = try QueryPage($0)
        },
    ]
}

@Suite("The cost of reading responses of any length")
struct ReadingCostTests {
    @Test(
        "an input eight times as long costs about eight times the work",
        arguments: ReadingCase.bodies + ReadingCase.headers + ReadingCase.responses)
    func linear(reading: ReadingCase) {
        let (short, long) = (reading.response(reading.length), reading.response(8 * reading.length))
        // Quadratic work would cost 64 times as much.
        let ratio = costRatio(
            below: 24, floor: 0.000_2, short: { reading.read(short) }, long: { reading.read(long) })
        #expect(ratio < 24)
    }
}
