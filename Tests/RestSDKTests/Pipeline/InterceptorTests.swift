// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("Interceptors", .timeLimit(.minutes(2)))
struct InterceptorTests {
    private let transport = StubTransport()
    private let create = RestRequest.create("Account", ["Name": "x"])

    /// An interceptor that uses `next` in one of the permitted ways.
    private struct Acting: Interceptor {
        enum Act: Sendable {
            case again
            case twice
            case firstOfTwo
            case stamp
            case change
            case cache
            case keepNext
            /// Returns its own response, before or after it calls `next`.
            case response(HTTPResponse, after: Bool)
        }

        final class Kept: Sendable {
            let response = Mutex<HTTPResponse?>(nil)
            let next = Mutex<RequestContext.Next?>(nil)
        }

        let act: Act
        var kept = Kept()

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            switch act {
            case .again:
                do { return try await next(request) } catch { return try await next(request) }
            case .twice:
                do { _ = try await next(request) } catch {}
                return try await next(request)
            case .firstOfTwo:
                let first = try await next(request)
                _ = try await next(request)
                return first
            case .stamp:
                var response = try await next(request)
                response.head.fields["X-Seen"] = "yes"
                return response
            case .change:
                var response = try await next(request)
                response.body = Array("changed".utf8)
                return response
            case .cache:
                if let response = kept.response.withLock({ $0 }) { return response }
                let response = try await next(request)
                kept.response.withLock { $0 = response }
                return response
            case .keepNext:
                kept.next.withLock { $0 = next }
                throw RestError(.init(rawValue: "app"), "no")
            case .response(let response, let isAfter):
                if isAfter { do { _ = try await next(request) } catch {} }
                return response
            }
        }
    }

    private final class Watching: Interceptor {
        let errors = Mutex<[RestError]>([])

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            do { return try await next(request) } catch {
                errors.withLock { $0.append(error) }
                throw error
            }
        }
    }

    private func client(
        _ act: Acting.Act, kept: Acting.Kept = Acting.Kept(), watching: Watching? = nil,
        transport: (any HTTPTransport)? = nil
    ) throws -> RestClient {
        var interceptors: [any Interceptor] = []
        if let watching { interceptors.append(watching) }
        interceptors.append(Acting(act: act, kept: kept))
        return try RestClient.of(
            transport ?? self.transport, interceptors: interceptors, clock: ManualClock(alarmsBeyond: .seconds(30)))
    }

    private let lost = StubTransport.Response.failure(
        TransportError(.connectionLost, "closed", mayHaveReachedServer: true))
    private let neverLeft = StubTransport.Response.failure(
        TransportError(.notConnected, "refused", mayHaveReachedServer: false))

    @Test("a create that an interceptor sent twice is not sent again if it may have been applied")
    func sentAgain() async throws {
        for handlerRetries in [false, true] {
            let client = try client(.again)
            if handlerRetries { client.onError(of: RestError.self) { _, _ in .retry(after: .zero) } }
            for response in [lost, neverLeft] { transport.enqueue(response) }
            let before = transport.requests.count
            await expectFailure(.notConnected, outcome: .unknown) { try await client.send(create) }
            #expect(transport.requests.count - before == 2)
        }
    }

    @Test("an error has the outcome of everything that was sent, for outer interceptors and for the caller")
    func outcomes() async throws {
        let watching = Watching()
        let client = try client(.twice, watching: watching)
        let rejection = HTTPResponse(head: HTTPResponse.Head(status: 400))
        let created = HTTPResponse(head: HTTPResponse.Head(status: 201), body: Array(#"{"success":true}"#.utf8))
        let errors = #"{"success":false,"errors":[{"statusCode":"DUPLICATE_VALUE","message":"twice"}]}"#
        let denied = HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(errors.utf8))
        let firsts: [(StubTransport.Response, RestError.WriteOutcome)] = [
            (lost, .unknown), (.response(created), .applied), (.response(denied), .notApplied),
            (neverLeft, .notApplied),
        ]
        for (first, outcome) in firsts {
            for response in [first, .response(rejection)] { transport.enqueue(response) }
            await expectFailure(.api, outcome: outcome) { try await client.send(create) }
            #expect(watching.errors.withLock { $0.popLast() }?.outcome == outcome)
        }
    }

    @Test("an expired session is renewed, but a create that may have been applied before is not replayed")
    func notReplayed() async throws {
        let client = try client(.again)
        transport.enqueue(lost)
        transport.enqueue(status: 401, #"[{"errorCode":"INVALID_SESSION_ID","message":"expired"}]"#)
        await expectFailure(.unauthorized, outcome: .unknown) { try await client.send(create) }
        #expect(transport.requests.count == 2)
    }

    @Test("a redirect of a create that may have been applied before is not followed")
    func notRedirected() async throws {
        let client = try client(.again)
        transport.enqueue(lost)
        transport.enqueue(status: 307, fields: ["Location": "/moved"])
        await expectFailure(.redirected, outcome: .unknown) { try await client.send(create) }
        #expect(transport.requests.count == 2)
    }

    @Test("the body of a response determines the write outcome, even after an interceptor changed the head")
    func bodies() async throws {
        let client = try client(.stamp)
        transport.enqueue(#"{"success":false,"errors":[{"statusCode":"DUPLICATE_VALUE","message":"twice"}]}"#)
        let error = await #expect(throws: RestError.self) { try await client.send(create) }
        #expect(error?.outcome == .notApplied)
    }

    @Test("calling `next` after its interceptor returned sends nothing")
    func lateNext() async throws {
        let kept = Acting.Kept()
        let client = try client(.keepNext, kept: kept)
        client.onError(of: RestError.self) { _, _ in
            let next = kept.next.withLock { $0 }
            await expectFailure(.cancelled) {
                try await next?(HTTPRequest(method: .post, url: HTTPURL(path: "/late", query: nil)))
            }
            return .propagate
        }
        let error = await #expect(throws: RestError.self) { try await client.send(create) }
        #expect(error?.code == .init(rawValue: "app"))
        #expect(error?.outcome == .notApplied)
        #expect(transport.requests.isEmpty)
    }
}

extension InterceptorTests {
    private func answering(
        _ status: Int, _ body: String, fields: HTTPFields = [:], after calls: Bool = false,
        transport: (any HTTPTransport)? = nil
    ) throws -> RestClient {
        let head = HTTPResponse.Head(status: status, fields: fields)
        return try client(
            .response(HTTPResponse(head: head, body: Array(body.utf8)), after: calls), transport: transport)
    }

    @Test("a response from an interceptor is judged by its status")
    func statuses() async throws {
        let response = try await answering(200, #"{"a":1}"#).send(.plainLimits)
        #expect(response.payload["a"]?.int == 1)
        #expect(try await answering(304, "").send(.plainLimits).payload == .empty)
        for (status, code) in [
            (404, RestError.Code.notFound), (401, .unauthorized), (302, .redirected), (503, .server),
        ] {
            let client = try answering(status, #"[{"errorCode":"OWN","message":"says no"}]"#)
            let error = await expectFailure(code) { try await client.send(.plainLimits) }
            #expect(error?.faults.first?.message == "says no")
            #expect(error?.attempts.count == (status == 503 ? 2 : 0))
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("handlers and outer interceptors get an error that an interceptor caused")
    func seen() async throws {
        let watching = Watching()
        let client = try client(
            .response(HTTPResponse(head: HTTPResponse.Head(status: 404)), after: false), watching: watching)
        client.onError(of: RestError.self) { error, _ in
            .replace(with: RestError(.init(rawValue: "host"), "\(error.code)"))
        }
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.message == "notFound")
        #expect(watching.errors.withLock { $0.map(\.code) } == [.notFound])
    }

    @Test("a response body from an interceptor is written to the downloaded file, whole or the requested range")
    func downloads() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/file"
        let head = try await answering(200, "own content").download(.plainLimits, to: path)
        #expect(head.status == 200)
        #expect(folder.text(of: "file") == "own content")
        try await answering(200, "own content").download(.plainLimits, to: path, range: .bytes(4..<8))
        #expect(folder.text(of: "file") == "cont")
        try await answering(200, "").download(.plainLimits, to: path)
        #expect(folder.text(of: "file")?.isEmpty == true)
        let failing = try answering(503, "no")
        await expectFailure(.server) {
            try await failing.download(.plainLimits, to: folder.path + "/other")
        }
        #expect(folder.names == ["file"])
        let nowhere = try answering(200, "x")
        await expectFailure(.file) {
            try await nowhere.download(.plainLimits, to: folder.path + "/none/file")
        }
    }

    /// A transport that interrupts each body in the middle.
    private struct Breaking: HTTPTransport {
        func send(
            _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
            progress: TransferProgress.Handler?
        ) async throws(TransportError) -> HTTPResponse {
            let isBegun = Atomic(false)
            let body = HTTPBody.Stream { () throws(TransportError) in
                guard isBegun.exchange(true, ordering: .relaxed) else { return Array("half".utf8) }
                throw TransportError(.connectionLost, "closed", mayHaveReachedServer: true)
            }
            return HTTPResponse(
                head: HTTPResponse.Head(status: 200, fields: ["ETag": "\"1\"", "Content-Length": "100"]),
                content: .stream(body))
        }

        func shutdown() async {}
    }

    @Test("if an interceptor returns its own response after a download, that response is in the file")
    func afterDownload() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/file"
        try await answering(200, "whole", after: true, transport: Breaking()).download(.plainLimits, to: path)
        #expect(folder.text(of: "file") == "whole")
        await #expect(throws: RestError.self) {
            try await answering(404, "no", after: true, transport: Breaking()).download(
                .plainLimits, to: folder.path + "/other")
        }
        #expect(folder.names == ["file"])
        transport.enqueue("from the server")
        try await answering(200, "own", after: true).download(.plainLimits, to: path)
        #expect(folder.text(of: "file") == "own")
        transport.enqueue("from the server")
        try await client(.stamp).download(.plainLimits, to: path)
        #expect(folder.text(of: "file") == "from the server")
    }

    @Test("a stream has the body of the returned response, regardless of its origin")
    func streams() async throws {
        let own = try await answering(200, "own").stream(.plainLimits)
        #expect(try await own.text == "own")
        let part = try await answering(200, "0123456789").stream(.plainLimits, range: .bytes(2..<5))
        #expect(try await part.text == "234")
        let first = try client(.firstOfTwo)
        for body in ["first", "second"] { transport.enqueue(body) }
        #expect(try await first.stream(.plainLimits).text == "first")
        let changed = try client(.change)
        transport.enqueue("from the server")
        #expect(try await changed.stream(.plainLimits).text == "changed")
    }

    @Test("a stream that an interceptor returns goes to the call's destination, and is judged by its status")
    func ownStreams() async throws {
        func response(_ status: Int, _ text: String = #"{"a":1}"#) throws -> RestClient {
            let head = HTTPResponse.Head(status: status)
            let body = HTTPBody.Stream(of: Array(text.utf8))
            return try client(.response(HTTPResponse(head: head, content: .stream(body)), after: false))
        }
        let folder = try TemporaryDirectory()
        try await response(200).download(.plainLimits, to: folder.path("file"), range: .bytes(1..<4))
        #expect(folder.text(of: "file") == #""a""#)
        #expect(try await response(200).stream(.plainLimits).text == #"{"a":1}"#)
        #expect(try await response(200).send(.plainLimits).payload["a"]?.int == 1)
        let failing = try response(404, #"[{"errorCode":"OWN","message":"says no"}]"#)
        let error = await expectFailure(.notFound) { try await failing.send(.plainLimits) }
        #expect(error?.faults.first?.message == "says no")
        let long = String(repeating: "x", count: 100_000)
        let page = try await response(200, #"{"a":"\#(long)"}"#).send(.plainLimits)
        #expect(page.payload["a"]?.string == long)
        let missing = try response(404, long)
        let notFound = await expectFailure(.notFound) { try await missing.send(.plainLimits) }
        #expect(notFound?.body.count == RestError.maximumBodySize)
        let broken = HTTPBody.Stream { () throws(TransportError) in
            throw TransportError(.connectionLost, "closed", mayHaveReachedServer: true)
        }
        let head = HTTPResponse.Head(status: 201)
        let breaking = try client(.response(HTTPResponse(head: head, content: .stream(broken)), after: false))
        await expectFailure(.transport, outcome: .applied) { try await breaking.send(create) }
    }

    @Test("a response whose body was already read is an error, not an empty success")
    func gone() async throws {
        let folder = try TemporaryDirectory()
        let kept = Acting.Kept()
        let caching = try client(.cache, kept: kept)
        transport.enqueue("content")
        #expect(try await caching.stream(.plainLimits).text == "content")
        for _ in 0..<2 {
            await expectFailure(.decoding) {
                try await caching.download(.plainLimits, to: folder.path + "/file")
            }
            await expectFailure(.decoding) { try await caching.stream(.plainLimits) }
            await expectFailure(.decoding) { try await caching.send(.plainLimits) }
            kept.response.withLock { $0 = nil }
            transport.enqueue("content")
            try await caching.download(.plainLimits, to: folder.path + "/first")
        }
        #expect(folder.names == ["first"])
    }
}

extension ResponseStream {
    fileprivate var text: String {
        get async throws {
            var bytes: [UInt8] = []
            for try await chunk in self { bytes += chunk }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
