// SPDX-License-Identifier: Apache-2.0

import RestHTTP2
import RestTesting
import RestTransport
import Testing

@Suite("gRPC calls", .timeLimit(.minutes(2)))
struct GRPCTests {
    @Test("Messages are cut out of bytes that arrive in any pieces", arguments: 0..<20)
    func messages(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var sent: [[UInt8]] = []
        for index in 0..<50 {
            let length = Int.random(in: 0...(index % 10 == 0 ? 5_000 : 20), using: &random)
            sent.append([UInt8](repeating: UInt8(index), count: length))
        }
        var bytes: [UInt8] = []
        for message in sent { bytes += try GRPCMessageReader.framed(message) }
        var reader = GRPCMessageReader(limit: 5_000)
        var received: [[UInt8]] = []
        while !bytes.isEmpty {
            let count = min(bytes.count, Int.random(in: 1...300, using: &random))
            reader.append(Array(bytes[..<count]))
            bytes.removeFirst(count)
            while let message = try reader.next() { received.append(message) }
        }
        #expect(received == sent && !reader.isWithinMessage)
    }

    @Test("A compressed message, one that is too long and one that does not end are errors")
    func brokenMessages() throws {
        func read(_ bytes: [UInt8]) throws(GRPCError) -> [UInt8]? {
            var reader = GRPCMessageReader(limit: 100)
            reader.append(bytes)
            return try reader.next()
        }
        #expect(throws: GRPCError.self) { try read([1, 0, 0, 0, 0]) }
        #expect(throws: GRPCError.self) { try read([0, 0, 0, 0, 101]) }
        #expect(throws: GRPCError.self) { try read([0, 0xFF, 0xFF, 0xFF, 0xFF]) }
        #expect(try read([0, 0, 0, 0, 2, 1]) == nil)
        #expect(try read([0, 0, 0, 0, 0]) == [])
    }

    /// The methods of the server of these tests.
    @Sendable private static func respond(_ call: GRPCServerCall) async throws(GRPCError) {
        switch call.path {
        case "/test/Echo":
            while let message = try await call.next() { try await call.send(message) }
        case "/test/Fail":
            throw GRPCError(.invalidArgument, "naïve 100 %\n", trailers: ["error-code": "x.y", "grpc-status": "0"])
        case "/test/FailLate":
            try await call.send([1])
            throw GRPCError(.aborted, "late")
        case "/test/Empty": try call.respond(with: ["x-first": "yes"])
        case "/test/Timeout":
            try await call.send(Array("\(call.metadata["grpc-timeout"] ?? "")".utf8))
        case "/test/Sleep":
            _ = try await call.next()
            _ = try await call.next()
            try? await Task.sleep(for: .seconds(60))
        default: throw GRPCError(.unimplemented, "no method \(call.path)")
        }
    }

    @Test("Unary and bidirectional calls to our own server, with every way to end")
    func calls() async throws {
        let server = try LoopbackServer(grpc: Self.respond)
        let connection = try await server.connect()
        for size in [0, 1, 300_000] {
            let message = [UInt8](repeating: 3, count: size)
            #expect(try await GRPCCall.unary("/test/Echo", message, on: connection) == message)
        }
        let failed = await failure { () async throws(GRPCError) in
            try await GRPCCall.unary("/test/Fail", [], on: connection)
        }
        #expect(failed?.code == .invalidArgument && failed?.message == "naïve 100 %\n")
        #expect(failed?.trailers["error-code"] == "x.y" && failed?.isUnprocessed == false)
        let unknown = await failure { () async throws(GRPCError) in
            try await GRPCCall.unary("/test/None", [], on: connection)
        }
        #expect(unknown?.code == .unimplemented)
        let late = try GRPCCall("/test/FailLate", on: connection)
        #expect(try await late.next() == [1])
        let aborted = await failure { () async throws(GRPCError) in try await late.next() }
        #expect(aborted?.code == .aborted && aborted?.message == "late")
        let empty = try GRPCCall("/test/Empty", on: connection)
        #expect(try await empty.metadata["x-first"] == "yes")
        #expect(try await empty.next() == nil)
        let missing = await failure { () async throws(GRPCError) in
            try await GRPCCall.unary("/test/Empty", [], on: connection)
        }
        #expect(missing?.code == .internal)
        await connection.shutdown()
        await server.stop()
    }

    @Test("Ten thousand messages in both directions at a time")
    func chat() async throws {
        let server = try LoopbackServer(grpc: Self.respond)
        let connection = try await server.connect()
        let call = try GRPCCall("/test/Echo", on: connection)
        let writer = Task {
            for index in 0..<10_000 { try await call.send([UInt8](repeating: UInt8(index % 256), count: index % 300)) }
            try await call.finishSending()
        }
        var count = 0
        while let message = try await call.next() {
            #expect(message.count == count % 300)
            count += 1
        }
        #expect(count == 10_000)
        try await writer.value
        await connection.shutdown()
        await server.stop()
    }

    @Test("A deadline and a cancellation end a call, and the server's too")
    func ends() async throws {
        let (begun, ended) = (Watched(0), Watched(0))
        let server = try LoopbackServer { call async throws(GRPCError) in
            begun.update { $0 += 1 }
            defer { ended.update { $0 += 1 } }
            try await Self.respond(call)
        }
        let connection = try await server.connect()
        let clock = ManualClock(alarmsBeyond: .seconds(1))
        let late = Task { () async -> GRPCError? in
            await failure { () async throws(GRPCError) in
                try await GRPCCall.unary(
                    "/test/Sleep", [], on: connection, deadline: clock.now + .seconds(30), clock: clock)
            }
        }
        _ = await begun.wait { $0 == 1 }
        while clock.alarms == 0 { try await Task.sleep(for: .milliseconds(5)) }
        clock.advance(by: .seconds(31))
        #expect(await late.value?.code == .deadlineExceeded)
        let cancelled = Task { () async -> GRPCError? in
            await failure { () async throws(GRPCError) in
                try await GRPCCall.unary("/test/Sleep", [], on: connection)
            }
        }
        _ = await begun.wait { $0 == 2 }
        cancelled.cancel()
        #expect(await cancelled.value?.code == .cancelled)
        _ = await ended.wait { $0 == 2 }
        let timeout = try await GRPCCall.unary("/test/Timeout", [], on: connection, deadline: .now + .seconds(20))
        let sent = String(decoding: timeout, as: UTF8.self)
        #expect(sent == "20000m" || sent.hasPrefix("19") && sent.hasSuffix("m"))
        await connection.shutdown()
        await server.stop()
    }

    /// A raw response, and the code that a call reports for it.
    struct RawResponse: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        var fields: HTTPFields = ["content-type": "application/grpc"]
        var body: [UInt8]? = []
        var trailers: HTTPFields? = ["grpc-status": "0"]
        var reset: HTTP2ErrorCode?
        let code: GRPCError.Code
    }

    static let responses = [
        RawResponse(testDescription: "status 503", status: 503, body: nil, code: .unavailable),
        RawResponse(testDescription: "status 401", status: 401, body: nil, code: .unauthenticated),
        RawResponse(testDescription: "status 418", status: 418, body: nil, code: .unknown),
        RawResponse(testDescription: "a page", fields: ["content-type": "text/html"], code: .unknown),
        RawResponse(testDescription: "no trailers", trailers: nil, code: .unknown),
        RawResponse(testDescription: "no status", trailers: ["a": "b"], code: .unknown),
        RawResponse(testDescription: "no number", trailers: ["grpc-status": "x"], code: .unknown),
        RawResponse(testDescription: "an unknown status", trailers: ["grpc-status": "99"], code: .unknown),
        RawResponse(testDescription: "half a message", body: [0, 0, 0, 0, 9, 1], code: .internal),
        RawResponse(testDescription: "a compressed message", body: [1, 0, 0, 0, 0], code: .internal),
        RawResponse(testDescription: "a huge message", body: [0, 0x7F, 0, 0, 0], code: .resourceExhausted),
        RawResponse(
            testDescription: "only trailers",
            fields: ["content-type": "application/grpc", "grpc-status": "7"], body: nil, code: .permissionDenied),
        RawResponse(testDescription: "REFUSED_STREAM", reset: .refusedStream, code: .unavailable),
        RawResponse(testDescription: "ENHANCE_YOUR_CALM", reset: .enhanceYourCalm, code: .resourceExhausted),
        RawResponse(testDescription: "CANCEL", reset: .cancel, code: .cancelled),
        RawResponse(testDescription: "NO_ERROR", reset: .noError, code: .internal),
        RawResponse(testDescription: "INADEQUATE_SECURITY", reset: .inadequateSecurity, code: .permissionDenied),
        RawResponse(testDescription: "STREAM_CLOSED", reset: .streamClosed, code: .unknown),
    ]

    @Test("Every other response is a typed error", arguments: responses)
    func rawResponses(response: RawResponse) async throws {
        let server = try LoopbackServer { socket throws(HTTP2Error) in
            try HTTP2ServerConnection(socket) { _, stream in
                do throws(HTTP2Error) {
                    let head = HTTP2Response(status: response.status, fields: response.fields)
                    try stream.respond(head, isEnd: response.body == nil)
                    guard let body = response.body else { return }
                    try await stream.send(body, isEnd: response.trailers == nil && response.reset == nil)
                    if let reset = response.reset { return stream.cancel(reset) }
                    if let trailers = response.trailers { try stream.finish(trailers: trailers) }
                } catch {}
            }
        }
        let connection = try await server.connect()
        let error = await failure { () async throws(GRPCError) in
            try await GRPCCall.unary("/test/Any", [1], on: connection)
        }
        #expect(error?.code == response.code, "\(String(describing: error))")
        #expect(error?.isUnprocessed == (response.reset == .refusedStream))
        await connection.shutdown()
        await server.stop()
    }

    @Test("A server's task that still reads ends with the call, although the client has not finished")
    func readerOfFinishedCall() async throws {
        let ends = Watched(0)
        let server = try LoopbackServer(grpc: { call async throws(GRPCError) in
            Task {
                _ = try? await call.next()
                ends.update { $0 += 1 }
            }
            throw GRPCError(.aborted, "early")
        })
        let connection = try await server.connect()
        let call = try GRPCCall("/test/Early", on: connection)
        #expect(await failure { () async throws(GRPCError) in try await call.next() }?.code == .aborted)
        _ = await ends.wait { $0 == 1 }
        await connection.shutdown()
        await server.stop()
    }
}
