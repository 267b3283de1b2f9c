// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// Test cases for the requirements on every `HTTPTransport`, to run on your own transport.
///
/// Each case sends exact bytes from a loopback server and checks the typed result and the requests. Run them as the
/// arguments of a parameterized test:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(to testCase: TransportConformance.Case) async throws {
///     try await testCase.run(on: MyTransport())
/// }
/// ```
public enum TransportConformance {
    /// A test case, whose name is the requirement on the transport.
    public struct Case: Sendable, CustomStringConvertible {
        /// The requirement on the transport.
        public let name: String
        private let body: @Sendable (any HTTPTransport) async throws -> Void

        /// Creates a case from a body that throws if the transport does not meet the requirement.
        public init(_ name: String, body: @escaping @Sendable (any HTTPTransport) async throws -> Void) {
            self.name = name
            self.body = body
        }

        /// Runs the case.
        ///
        /// - Throws: `Violation`, or the error that prevented the case from running.
        public func run(on transport: any HTTPTransport) async throws {
            try await body(transport)
        }

        /// The case's name.
        public var description: String { name }
    }

    /// A violation of a requirement.
    public struct Violation: Error, CustomStringConvertible {
        /// The expected and the actual result.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// All cases.
    public static var cases: [Case] {
        responses + rejections + behaviour + cancellation + promptness + streams + transfers + uploads + repeats
            + ranges
    }

    /// A deadline that no passing case reaches.
    static var soon: ContinuousClock.Instant { .now + .seconds(60) }

    static func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw Violation(message()) }
    }

    /// Requires a value, with the expected and the actual value in the error.
    static func require<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
        guard found != expected else { return }
        let texts = [expected, found].map { value in
            let text = "\(value)"
            // prose: a message for people
            return text.count > 80 ? "\(text.prefix(80))… (\(text.utf8.count) bytes)" : "'\(text)'"
        }
        throw Violation("\(what): expected \(texts[0]), got \(texts[1])")
    }

    /// Runs a call that must fail with one of the codes.
    ///
    /// If `reached` is not `nil`, it is the expected value of the error's `mayHaveReachedServer`.
    static func expectFailure(
        _ codes: Set<TransportError.Code>, reached: Bool?, of body: () async throws(TransportError) -> some Any
    ) async throws {
        _ = try await failure(codes, reached: reached, of: body)
    }

    /// The error of a call, which must have one of the codes.
    static func failure(
        _ codes: Set<TransportError.Code>, reached: Bool?, of body: () async throws(TransportError) -> some Any
    ) async throws -> TransportError {
        do {
            let success = try await body()
            let status = (success as? HTTPResponse).map { " with status \($0.head.status)" } ?? ""
            throw Violation("expected \(labels(codes)), got a success\(status)")
        } catch let error as TransportError {
            try require(codes.contains(error.code), "expected \(labels(codes)), got \(error)")
            let said = error.mayHaveReachedServer
            try require(said == reached ?? said, "mayHaveReachedServer is \(said) for \(error)")
            return error
        }
    }

    static func ok(_ fields: String) -> String { "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n" }

    /// The head of a successful response with a body of `length` bytes.
    static func ok(length: Int) -> String { ok("Content-Length: \(length)") }

    private static func labels(_ codes: Set<TransportError.Code>) -> String {
        codes.map(\.rawValue).sorted().joined(separator: " or ")
    }
}

extension TransportConformance {
    /// Valid responses, which must be read completely.
    static let responses: [Case] =
        legalResponses.map { reply in
            Case("reads \(reply.name)") { transport in
                let server = try ScriptServer([.readRequest, .sendBytes(reply.wire)])
                let request = HTTPRequest(method: reply.method, url: server.url())
                let response = try await transport.send(request, deadline: soon)
                try require(
                    response.head.status == reply.status,
                    "status: expected \(reply.status), found \(response.head.status)")
                let body = String(decoding: response.body, as: UTF8.self)
                try require(body, is: reply.body, "body")
                if let (name, value) = reply.field {
                    let found = response.head.fields[name] ?? "nothing"
                    try require(found == value, "header \(name): expected \(value), found \(found)")
                }
                let count = await server.stop().requests.count
                try require(count, is: 1, "number of requests")
            }
        }

    private struct Response: Sendable {
        let name: String
        let wire: [UInt8]
        let method: HTTPMethod
        let status: Int
        let body: String
        let field: (name: String, value: String)?

        init(
            _ name: String, _ wire: String, method: HTTPMethod = .get, status: Int = 200, body: String = "",
            field: (String, String)? = nil
        ) {
            self.init(name, Array(wire.utf8), method: method, status: status, body: body, field: field)
        }

        init(
            _ name: String, _ wire: [UInt8], method: HTTPMethod = .get, status: Int = 200, body: String = "",
            field: (String, String)? = nil
        ) {
            self.name = name
            self.wire = wire
            self.method = method
            self.status = status
            self.body = body
            self.field = field.map { (name: $0.0, value: $0.1) }
        }
    }

    private static let legalResponses = framing + bodyless + challenges

    private static let framing = [
        Response(
            "chunks with extensions and trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: 1\r\nY: 2\r\n\r\n",
            body: "hello", field: ("X-Trailer", "nothing")),
        Response("an empty chunked body", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Response(
            "an equal Content-Length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
            body: "ok"),
        Response("a status line without a reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Response("header lines that end with a bare line feed", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", body: "ok"),
        Response("a body that ends with the connection", "HTTP/1.0 200 OK\r\n\r\nto the end", body: "to the end"),
        Response(
            "interim responses before the final one",
            "HTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 103 Hints\r\nX: interim\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            body: "ok", field: ("X", "nothing")),
        Response(
            "bytes outside UTF-8 in a header",
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8),
            field: ("X", "café")),
        Response(
            "a gzip body",
            Array(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(GzipSamples.hello.count)\r\n\r\n".utf8)
                + GzipSamples.hello, body: "hello hello hello"),
    ]

    private static let bodyless = [
        Response("204 without a body", "HTTP/1.1 204 No Content\r\n\r\n", status: 204),
        Response(
            "304 with a length and no body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304),
        Response(
            "a response to HEAD with a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\n",
            method: .head, field: ("Content-Length", "9000000000000")),
        Response(
            "204 with a body", "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody", status: 204,
            field: ("Content-Length", "4")),
        Response("304 with a body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nbody", status: 304),
        Response("a response to HEAD with a body", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", method: .head),
    ]

    private static let challenges =
        [
            "Basic realm=\"r\"", "Bearer", "Token", "Digest realm=\"r\", nonce=\"n\"", "Negotiate", "NTLM", "",
        ].map { scheme in
            Response(
                "401 with the challenge '\(scheme)'",
                "HTTP/1.1 401 No\r\n"
                    + "\(scheme.isEmpty ? "" : "WWW-Authenticate: \(scheme)\r\n")Content-Length: 2\r\n\r\nno",
                status: 401, body: "no")
        }
        + [
            Response(
                "407 of a server that is not a proxy",
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno", status: 407,
                body: "no"),
            Response(
                "an error response", "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops", status: 500,
                body: "oops"),
        ]
        + [301, 302, 303, 307, 308].map { status in
            Response(
                "redirect \(status) without following it",
                "HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", status: status,
                field: ("Location", "/elsewhere"))
        }
}

package enum GzipSamples {
    package static let hello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40,
        0x90, 0x00, 0x80, 0x88, 0xf9, 0xe5, 0x11, 0x00, 0x00, 0x00,
    ]

    /// 512 MiB of zeros, compressed to half a megabyte.
    package static var bomb: [UInt8] {
        let mebibyte: [UInt8] =
            [236, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 8, 95, 160] + [UInt8](repeating: 0, count: 1016)
            + [62, 3, 0, 0, 255, 255]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255] + (0..<512).flatMap { _ in mebibyte }
    }
}

extension TransportConformance {
    /// Runs each case on its own transport, one after another, and checks for leaks in the process.
    ///
    /// Each case must end in time and leave no descriptor open after its transport's `shutdown()`. All cases together
    /// must leave no thread. The counts are those of the whole process, so call this in a process that does nothing
    /// else, such as an exit test. They are checked only if the system has `/proc`.
    ///
    /// - Throws: `Violation` for the first problem.
    public static func audit(
        _ cases: [Case] = cases, making make: @Sendable () -> any HTTPTransport
    ) async throws {
        // After this, everything is loaded that is loaded once per process.
        for testCase in behaviour { try await run(testCase, on: make()) }
        let threads = ProcessFigures.threads
        for testCase in cases {
            let descriptors = ProcessFigures.descriptors
            try await run(testCase, on: make())
            try await settle("\(testCase) leaves descriptors open", at: descriptors) { ProcessFigures.descriptors }
        }
        try await settle("the cases leave threads running", at: threads) { ProcessFigures.threads }
    }

    /// Checks that rejecting a decompression bomb, 512 MiB in half a megabyte, uses at most 16 MiB of memory.
    ///
    /// As with `audit`, the count is that of the process, and is checked only if the system has `/proc`.
    ///
    /// - Throws: `Violation` if it uses more.
    public static func auditMemory(on transport: any HTTPTransport) async throws {
        let plain = try ScriptServer([.readRequest, .respond("ok")])
        _ = try await transport.send(HTTPRequest(url: plain.url()), deadline: soon)
        await plain.stop()
        let bomb = ScriptServer.Step.sendBytes(GzipSamples.bomb)
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(GzipSamples.bomb.count)\r\n\r\n"
        let server = try ScriptServer([.readRequest, .send(head), bomb])
        guard ProcessFigures.resetPeak(), let base = ProcessFigures.peakBytes else { return }
        try await expectFailure([.tooLarge], reached: true) { () async throws(TransportError) in
            try await transport.send(HTTPRequest(url: server.url()), deadline: soon)
        }
        let growth = (ProcessFigures.peakBytes ?? base) - base
        try require(growth <= 16 * 1_048_576, "a decompression bomb used \(growth) bytes of memory")
        await transport.shutdown()
        await server.stop()
    }

    /// The maximum time for a case, which is longer than any of its deadlines.
    private static let patience = Duration.seconds(80)

    private static func run(_ testCase: Case, on transport: any HTTPTransport) async throws {
        let start = ContinuousClock.now
        do {
            try await testCase.run(on: transport)
        } catch {
            throw Violation("\(testCase): \(error)")
        }
        await transport.shutdown()
        let spent = ContinuousClock.now - start
        try require(spent < patience, "\(testCase) took \(spent)")
    }

    /// Waits until the number is at most that of `base`, because idle threads end with a delay.
    private static func settle(_ what: String, at base: [String]?, list: () -> [String]?) async throws {
        guard let base else { return }
        let end = ContinuousClock.now + patience
        while let present = list(), present.count > base.count {
            try require(.now < end, "\(what): \(base.sorted()) became \(present.sorted())")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
