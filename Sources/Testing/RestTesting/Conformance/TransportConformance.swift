// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// What every `HTTPTransport` must do, as test cases for your own.
///
/// Each case plays exact bytes on a loopback server and checks the typed result and what the server saw. Run them as
/// the arguments of a parameterized test:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(to testCase: TransportConformance.Case) async throws {
///     try await testCase.run(on: MyTransport())
/// }
/// ```
public enum TransportConformance {
    /// One case; its name says what the transport must do.
    public struct Case: Sendable, CustomStringConvertible {
        /// What the transport must do.
        public let name: String
        private let body: @Sendable (any HTTPTransport) async throws -> Void

        /// Makes a case from a body that throws when the transport does not do it.
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

    /// What a transport did wrong.
    public struct Violation: Error, CustomStringConvertible {
        /// What was expected and what happened.
        public let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// All cases.
    public static var cases: [Case] {
        answers + refusals + behaviour + cancellation + promptness + streams + transfers + uploads + repeats + ranges
    }

    /// A deadline that no healthy case reaches.
    static var soon: ContinuousClock.Instant { .now + .seconds(60) }

    /// Throws unless the condition holds.
    static func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw Violation(message()) }
    }

    /// Requires a value, and names what was expected and what was found.
    static func require<Value: Equatable>(_ found: Value, is expected: Value, _ what: String) throws {
        guard found != expected else { return }
        let texts = [expected, found].map { value in
            let text = "\(value)"
            // prose: a message for people
            return text.count > 80 ? "\(text.prefix(80))… (\(text.utf8.count) bytes)" : "'\(text)'"
        }
        throw Violation("\(what): expected \(texts[0]), got \(texts[1])")
    }

    /// Runs a call that must fail and checks how.
    ///
    /// The error must say that the server was `reached` or not; `nil` accepts both.
    static func expectFailure(
        _ codes: Set<TransportError.Code>, reached: Bool?, of body: () async throws(TransportError) -> some Any
    ) async throws {
        _ = try await failure(codes, reached: reached, of: body)
    }

    /// The failure of a call, which must be one of these.
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

    /// The header of a successful answer with these lines.
    static func ok(_ fields: String) -> String { "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n" }

    /// The header of a successful answer with a body of so many bytes.
    static func ok(length: Int) -> String { ok("Content-Length: \(length)") }

    private static func labels(_ codes: Set<TransportError.Code>) -> String {
        codes.map(\.rawValue).sorted().joined(separator: " or ")
    }
}

extension TransportConformance {
    /// Legal answers, which must be read whole.
    static let answers: [Case] =
        legalAnswers.map { answer in
            Case("reads \(answer.name)") { transport in
                let server = try ScriptServer([.readRequest, .sendBytes(answer.wire)])
                let request = HTTPRequest(method: answer.method, url: server.url())
                let response = try await transport.send(request, deadline: soon)
                try require(
                    response.head.status == answer.status,
                    "status: expected \(answer.status), found \(response.head.status)")
                let body = String(decoding: response.body, as: UTF8.self)
                try require(body, is: answer.body, "body")
                if let (name, value) = answer.field {
                    let found = response.head.fields[name] ?? "nothing"
                    try require(found == value, "header \(name): expected \(value), found \(found)")
                }
                let count = await server.stop().requests.count
                try require(count, is: 1, "number of requests")
            }
        }

    /// An answer and how it must be read.
    private struct Answer: Sendable {
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

    private static let legalAnswers = framing + bodyless + challenges

    private static let framing = [
        Answer(
            "chunks with extensions and trailers",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: 1\r\nY: 2\r\n\r\n",
            body: "hello", field: ("X-Trailer", "nothing")),
        Answer("an empty chunked body", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        Answer(
            "an equal Content-Length twice", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nok",
            body: "ok"),
        Answer("a status line without a reason", "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Answer("header lines that end with a bare line feed", "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", body: "ok"),
        Answer("a body that ends with the connection", "HTTP/1.0 200 OK\r\n\r\nto the end", body: "to the end"),
        Answer(
            "interim answers before the final one",
            "HTTP/1.1 100 Continue\r\n\r\n"
                + "HTTP/1.1 103 Hints\r\nX: interim\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            body: "ok", field: ("X", "nothing")),
        Answer(
            "bytes outside UTF-8 in a field",
            Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8),
            field: ("X", "café")),
        Answer(
            "a gzip body",
            Array(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(GzipSamples.hello.count)\r\n\r\n".utf8)
                + GzipSamples.hello, body: "hello hello hello"),
    ]

    private static let bodyless = [
        Answer("204 without a body", "HTTP/1.1 204 No Content\r\n\r\n", status: 204),
        Answer("304 with a length and no body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304),
        Answer(
            "an answer to HEAD with a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 9000000000000\r\n\r\n",
            method: .head, field: ("Content-Length", "9000000000000")),
        Answer(
            "204 with a body", "HTTP/1.1 204 No Content\r\nContent-Length: 4\r\n\r\nbody", status: 204,
            field: ("Content-Length", "4")),
        Answer("304 with a body", "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\nbody", status: 304),
        Answer("an answer to HEAD with a body", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", method: .head),
    ]

    private static let challenges =
        [
            "Basic realm=\"r\"", "Bearer", "Token", "Digest realm=\"r\", nonce=\"n\"", "Negotiate", "NTLM", "",
        ].map { scheme in
            Answer(
                "401 with the challenge '\(scheme)'",
                "HTTP/1.1 401 No\r\n"
                    + "\(scheme.isEmpty ? "" : "WWW-Authenticate: \(scheme)\r\n")Content-Length: 2\r\n\r\nno",
                status: 401, body: "no")
        }
        + [
            Answer(
                "407 of a server that takes itself for a proxy",
                "HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"r\"\r\nContent-Length: 2\r\n\r\nno", status: 407,
                body: "no"),
            Answer(
                "an error of the server", "HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops", status: 500,
                body: "oops"),
        ]
        + [301, 302, 303, 307, 308].map { status in
            Answer(
                "redirect \(status) without following it",
                "HTTP/1.1 \(status) Moved\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", status: status,
                field: ("Location", "/elsewhere"))
        }
}

/// Packed bodies.
package enum GzipSamples {
    /// The text "hello hello hello".
    package static let hello: [UInt8] = [
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40,
        0x90, 0x00, 0x80, 0x88, 0xf9, 0xe5, 0x11, 0x00, 0x00, 0x00,
    ]

    /// Zeros, 512 MiB of them in half a megabyte.
    package static var bomb: [UInt8] {
        let mebibyte: [UInt8] =
            [236, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 8, 95, 160] + [UInt8](repeating: 0, count: 1016)
            + [62, 3, 0, 0, 255, 255]
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255] + (0..<512).flatMap { _ in mebibyte }
    }
}

extension TransportConformance {
    /// Runs every case on its own transport, one after the other, and checks that the process leaks nothing.
    ///
    /// Each case must end in time and leave no descriptor behind its transport's `shutdown()`, all of them together no
    /// thread. The figures are those of the whole process, so call this in one that does nothing else, such as an exit
    /// test's. They are checked where `/proc` has them.
    ///
    /// - Throws: `Violation` for the first thing that is wrong.
    public static func audit(
        _ cases: [Case] = cases, making make: @Sendable () -> any HTTPTransport
    ) async throws {
        // Whatever is loaded or opened once for the process is there from now on.
        for testCase in behaviour { try await run(testCase, on: make()) }
        let threads = ProcessFigures.threads
        for testCase in cases {
            let descriptors = ProcessFigures.descriptors
            try await run(testCase, on: make())
            try await settle("\(testCase) leaves descriptors", at: descriptors) { ProcessFigures.descriptors }
        }
        try await settle("the cases leave threads", at: threads) { ProcessFigures.threads }
    }

    /// Checks that refusing a decompression bomb, 512 MiB in half a megabyte, costs no more than 16 MiB of memory.
    ///
    /// As with `audit`, the figure is the process's own, and it is checked where `/proc` has it.
    ///
    /// - Throws: `Violation` when it costs more.
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
        try require(growth <= 16 * 1_048_576, "a decompression bomb cost \(growth) bytes of memory")
        await transport.shutdown()
        await server.stop()
    }

    /// The longest time for a case, in which the longest of its deadlines fits.
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

    /// Waits until there are no more than before: threads that have nothing to do end by themselves, not at once.
    private static func settle(_ what: String, at base: [String]?, list: () -> [String]?) async throws {
        guard let base else { return }
        let end = ContinuousClock.now + patience
        while let present = list(), present.count > base.count {
            try require(.now < end, "\(what): \(base.sorted()) became \(present.sorted())")
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}
