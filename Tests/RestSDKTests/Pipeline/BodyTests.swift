// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestJSON
@testable import RestSDK

@Suite("A call that ends while its long response is read")
struct LongResponseTests {
    private struct Row: Decodable, Sendable {
        let Id: String
    }

    private struct Rows: Endpoint {
        typealias RouteError = Never
        /// Runs between parsing and decoding.
        let meanwhile: @Sendable () -> Void

        func makeRequest() -> RestRequest { .create("Account", ["Name": "A"]) }
        func content(from response: RestResponse) throws(RestError) -> [Row] {
            meanwhile()
            return try response.decode([Row].self)
        }
    }

    /// A row that can be decoded only on the main actor.
    @MainActor private struct MainRow: Decodable {
        let Id: String
    }

    private struct NoFailure: Decodable, Error {}

    /// Decoding that lasts until the call is over, for at most a minute.
    private final class Reading: Sendable {
        private struct State {
            var hasBegun = false
            var hasEnded = false
            var isCallOver = false
        }

        private let state = Mutex(State())

        var hasBegun: Bool { state.withLock { $0.hasBegun } }
        var hasEnded: Bool { state.withLock { $0.hasEnded } }
        func callIsOver() { state.withLock { $0.isCallOver = true } }

        @Sendable func untilCallIsOver() {
            state.withLock { $0.hasBegun = true }
            let limit = ContinuousClock.now + .seconds(60)
            while !state.withLock({ $0.isCallOver }), .now < limit { usleep(1_000) }
            state.withLock { $0.hasEnded = true }
        }
    }

    enum Ending: CaseIterable { case cancel, deadline, cancelAll, shutdown }

    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)
    private let client: RestClient
    private let longBody = "[" + String(repeating: #"{"Id":"001"},"#, count: 30_000) + #"{"Id":"001"}]"#

    init() throws {
        client = try RestClient.of(transport, retryPolicy: .never, clock: clock)
    }

    /// Sends a write, and runs `meanwhile` between the arrival and the parsing of its response.
    private func write(_ meanwhile: @escaping @Sendable () -> Void) async -> RestError? {
        transport.enqueue(longBody)
        let options = Call.Options(onBody: { _ in meanwhile() })
        return await #expect(throws: RestError.self) {
            try await client.content(of: RestRequest.create("Account", ["Name": "A"]), options)
        }
    }

    @Test("if the call is cancelled or shut down, the response is not parsed, and the write was applied")
    func cancelled() async throws {
        let error = await write { [client] in client.cancelAll() }
        #expect(error?.code == .cancelled)
        #expect(error?.outcome == .applied)
        let last = await write { [client] in client.shutdown() }
        #expect(last?.code == .shutDown)
        #expect(last?.outcome == .applied)
    }

    private func failure(of endpoint: Rows) async -> RestError? {
        do throws(CallError<Never>) {
            _ = try await client.send(endpoint)
            return nil
        } catch {
            guard case .rest(let error) = error else { return nil }
            return error
        }
    }

    @Test("a call that ends does not wait for decoding, and the write was applied", arguments: Ending.allCases)
    func decoding(ending: Ending) async throws {
        transport.enqueue(longBody)
        let reading = Reading()
        let call = Task { await failure(of: Rows(meanwhile: reading.untilCallIsOver)) }
        while !reading.hasBegun { await Task.yield() }
        switch ending {
        case .cancel: call.cancel()
        case .deadline: clock.advance(by: .seconds(61))
        case .cancelAll: client.cancelAll()
        case .shutdown: client.shutdown()
        }
        let error = await call.value
        #expect(!reading.hasEnded)
        reading.callIsOver()
        switch ending {
        case .cancel, .cancelAll: #expect(error?.code == .cancelled)
        case .deadline: #expect(error?.code == .timedOut)
        case .shutdown: #expect(error?.code == .shutDown)
        }
        #expect(error?.outcome == .applied)
        #expect(error?.request?.name == "create")
    }

    @Test("decoding a long array stops when its task is cancelled")
    func cancelledTask() async throws {
        transport.enqueue(longBody)
        let response = try await client.send(.plainLimits)
        let task = Task { () -> RestError? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do throws(RestError) { _ = try response.decode([Row].self) } catch { return error }
            return nil
        }
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect((error?.underlying as? JSONDecodingError)?.reason == .interrupted)
    }

    @Test("a long response is decoded whole if the call does not end")
    func whole() async throws {
        transport.enqueue(longBody)
        #expect(try await client.send(Rows {}).count == 30_001)
        transport.enqueue(longBody)
        let rows = try await client.send(.plainLimits.as([Row].self, errors: NoFailure.self))
        #expect(rows.last?.Id == "001")
    }

    @Test("the memory for parsing a long response is reused after the response is released")
    func memory() throws {
        let tapes = JSONTapePool()
        for _ in 0..<3 {
            let http = HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(longBody.utf8))
            var response: RestResponse? = try RestResponse(http, expecting: .json, isWrite: false, tapes: tapes)
            #expect(try response?.decode([Row].self).count == 30_001)
            #expect(tapes.held.tapes == 0)
            response = nil
            #expect(tapes.held.tapes == 1)
        }
    }

    @Test("a type of one actor is decoded on that actor")
    @MainActor func isolated() async throws {
        transport.enqueue(longBody)
        let rows = try await client.send(.plainLimits, as: [MainRow].self)
        #expect(rows.last?.Id == "001")
    }
}

@Suite("Bodies that are sent again")
struct RestartableBodyTests {
    enum Origin: CaseIterable {
        case file, stream, form
    }

    /// The response to the first attempt, after which the body must be sent again.
    enum Obstacle: Int, CaseIterable {
        case expired = 401, temporarilyElsewhere = 307, elsewhere = 308, unavailable = 503
    }

    private static let expired = #"[{"message":"Session expired or invalid","errorCode":"INVALID_SESSION_ID"}]"#
    private static let content = String(repeating: "0123456789", count: 20_000)

    private let folder: TemporaryDirectory
    private let resource = RestRequest.Resource.data(["upload"])

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(Self.content, to: "up")
    }

    private func token(_ text: String) -> String {
        #"{"access_token":"\#(text)","instance_url":"https://example.my.salesforce.com"}"#
    }

    private func client(_ transport: any HTTPTransport) throws -> RestClient {
        try RestClient.loggingIn(
            RestClient.Configuration(transport: transport, clock: ManualClock(alarmsBeyond: .seconds(20))))
    }

    private func upload(from origin: Origin) -> RestRequest {
        switch origin {
        case .file: RestRequest(method: .put, resource: resource, body: .file(path: folder.path("up")))
        case .stream:
            RestRequest(method: .put, resource: resource, body: .stream(Self.source(Self.content)))
        case .form:
            .form([.json("entity", ["a": 1]), .file("content", path: folder.path("up"))], to: resource, method: .put)
        }
    }

    /// Returns a source that produces the text in two chunks, any number of times.
    private static func source(_ text: String) -> HTTPBody.Source {
        .restartable(length: Int64(text.utf8.count)) {
            let bytes = Array(text.utf8)
            let chunks = Mutex([Array(bytes[..<7]), Array(bytes[7...])][...])
            return { chunks.withLock { $0.popFirst() } }
        }
    }

    private func enqueue(_ obstacle: Obstacle, on stub: StubTransport) {
        stub.enqueue(token("a1"))
        switch obstacle {
        case .expired:
            stub.enqueue(status: 401, Self.expired)
            stub.enqueue(token("a2"))
        case .temporarilyElsewhere, .elsewhere:
            stub.enqueue(status: obstacle.rawValue, fields: ["Location": "/services/data/v66.0/elsewhere"])
        case .unavailable: stub.enqueue(status: 503)
        }
        stub.enqueue("{}")
    }

    private func bodies(of stub: StubTransport) -> [HTTPBody] {
        stub.requests.filter { $0.method == .put }.map(\.body)
    }

    @Test(
        "a file, a stream and a form survive a renewal, a redirect and a retry", arguments: Origin.allCases,
        Obstacle.allCases)
    func survives(origin: Origin, obstacle: Obstacle) async throws {
        let transport = ReadingTransport()
        enqueue(obstacle, on: transport.stub)
        _ = try await client(transport).send(upload(from: origin))
        let bodies = bodies(of: transport.stub)
        #expect(bodies.count == 2)
        #expect(bodies.first == bodies.last)
        let sent = try #require(bodies.last?.inMemory)
        #expect(sent.count >= Self.content.utf8.count)
        #expect(String(decoding: sent, as: UTF8.self).contains(Self.content))
        #expect(transport.stub.unusedResponses == 0)
    }

    @Test(
        "a one-time stream is sent once, and the error gives the reason and the solution", arguments: Obstacle.allCases)
    func once(obstacle: Obstacle) async throws {
        let transport = ReadingTransport()
        enqueue(obstacle, on: transport.stub)
        let left = Mutex([[UInt8]("once".utf8)][...])
        let body = HTTPBody.stream(.once { left.withLock { $0.popFirst() } })
        let client = try client(transport)
        let error = await #expect(throws: RestError.self) {
            try await client.send(RestRequest(method: .put, resource: resource, body: body))
        }
        #expect(error?.message.contains("created only once") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("HTTPBody.Source.restartable") == true)
        #expect(error?.status == obstacle.rawValue)
        #expect(bodies(of: transport.stub) == [.bytes(Array("once".utf8))])
    }

    private struct OwnFailure: Error, Equatable { let number: Int }

    @Test("an error thrown by a body's source is the underlying error, at any chunk", arguments: 0..<3)
    func ownFailure(chunks: Int) async throws {
        let source: HTTPBody.Source
        if chunks == 0 {
            source = .restartable { throw OwnFailure(number: 7) }
        } else {
            let left = Mutex(chunks)
            source = .once {
                let isLast = left.withLock { left in
                    left -= 1
                    return left == 0
                }
                if isLast { throw OwnFailure(number: 7) }
                return Array("piece".utf8)
            }
        }
        let server = try ScriptServer([.readRequest, .respond("{}")])
        let client = try RestClient(instanceURL: "http://127.0.0.1:\(server.port)", accessToken: "t")
        let error = await #expect(throws: RestError.self) {
            try await client.send(RestRequest(method: .post, resource: resource, body: .stream(source)))
        }
        #expect(error?.code == .bodySource && error?.underlying as? OwnFailure == OwnFailure(number: 7))
        #expect(error?.message.contains("OwnFailure(number: 7)") == true)
        #expect(error?.advice.contains("underlying") == true)
        #expect(error?.outcome != nil && error?.outcome != .applied)
        #expect(await server.stop().requests.isEmpty)
    }

    @Test("a read that is redirected with 303 continues without its body, for every kind of source")
    func becomesRead() async throws {
        for source in [HTTPBody.Source.once { nil }, .restartable { { nil } }] {
            let transport = ReadingTransport()
            transport.stub.enqueue(token("a1"))
            transport.stub.enqueue(status: 303, fields: ["Location": "/services/data/v66.0/elsewhere"])
            transport.stub.enqueue(#"{"searchRecords":[]}"#)
            var search = RestRequest.Typed.search(ParameterizedSearch("x"))
            search.request.body = .stream(source)
            _ = try await client(transport).send(search)
            let last = try #require(transport.stub.requests.last)
            #expect(last.method == .get)
            #expect(last.body == .empty)
            #expect(last.url.path == "/services/data/v66.0/elsewhere")
        }
    }

    @Test("a file that changes between two attempts is its own error", arguments: [Origin.file, .form])
    func changed(origin: Origin) async throws {
        let folder = folder
        let transport = ReadingTransport { count in
            if count == 1 { try? folder.write("another", to: "up") }
        }
        enqueue(.unavailable, on: transport.stub)
        let (client, upload) = (try client(transport), upload(from: origin))
        let error = await expectFailure(.bodyChanged, outcome: .unknown) { try await client.send(upload) }
        #expect(error?.attempts.map(\.status) == [503])
        // The result of the first attempt is unknown. The second attempt was not sent.
        #expect(bodies(of: transport.stub).count == 1)
        #expect(transport.stub.unusedResponses == 1)
    }

    @Test("the next call sends the file as it is then")
    func nextCall() async throws {
        let transport = ReadingTransport()
        transport.stub.enqueue(token("a1"))
        let client = try client(transport)
        let upload = upload(from: .file)
        for text in ["one", "another"] {
            try folder.write(text, to: "up")
            transport.stub.enqueue("{}")
            _ = try await client.send(upload)
        }
        #expect(bodies(of: transport.stub) == [.bytes(Array("one".utf8)), .bytes(Array("another".utf8))])
    }

    @Test("over a socket, an upload is sent whole after a redirect and after a retry", arguments: Origin.allCases)
    func overSocket(origin: Origin) async throws {
        let server = try ScriptServer([
            .readRequest, .respond(status: 307, fields: [("Location", "/elsewhere")]),
            .readRequest, .respond(status: 503, fields: [("Retry-After", "0")]),
            .readRequest, .respond("{}"),
        ])
        let client = try RestClient(
            instanceURL: "\(server.url().origin)", accessToken: "t",
            configuration: RestClient.Configuration(timeout: .seconds(20)))
        _ = try await client.send(upload(from: origin))
        let requests = server.journal.requests
        #expect(requests.count == 3)
        #expect(requests.filter { $0.contains(Self.content) }.count == 3)
        let bodies: [String] = requests.map { $0.components(separatedBy: "\r\n\r\n").dropFirst().joined() }
        #expect(Set(bodies).count == 1)
    }
}
