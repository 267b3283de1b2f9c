// SPDX-License-Identifier: Apache-2.0

import Foundation
import RestTesting
import RestTransport
import Synchronization
import Testing

@testable import RestJSON
@testable import RestSDK

/// Calls whose long answer has come when they are ended.
@Suite("A call that ends while its long answer is read")
struct LongAnswerTests {
    private struct Row: Decodable, Sendable {
        let Id: String
    }

    private struct Rows: Endpoint {
        typealias RouteError = Never
        /// Happens between parsing and decoding.
        let meanwhile: @Sendable () -> Void

        func makeRequest() -> RestRequest { .create("Account", ["Name": "A"]) }
        func content(from response: RestResponse) throws(RestError) -> [Row] {
            meanwhile()
            return try response.decode([Row].self)
        }
    }

    /// A row that nobody but the main actor can read.
    @MainActor private struct MainRow: Decodable {
        let Id: String
    }

    private struct NoFailure: Decodable, Error {}

    /// Reading that takes until the call is over, or a minute.
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
    private let answer = "[" + String(repeating: #"{"Id":"001"},"#, count: 30_000) + #"{"Id":"001"}]"#

    init() throws {
        client = try RestClient(
            instanceURL: "https://example.my.salesforce.com", accessToken: "t",
            configuration: RestClient.Configuration(retryPolicy: .never, transport: transport, clock: clock))
    }

    /// A call that something happens to when its answer has come, before that is parsed.
    private func write(_ meanwhile: @escaping @Sendable () -> Void) async -> RestError? {
        transport.enqueue(answer)
        let options = Call.Options(onBody: { _ in meanwhile() })
        return await #expect(throws: RestError.self) {
            try await client.response(to: .create("Account", ["Name": "A"]), options)
        }
    }

    @Test("cancelled or shut down, it is not parsed, and the write was applied")
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
            _ = try await client.content(of: endpoint)
            return nil
        } catch {
            guard case .rest(let error) = error else { return nil }
            return error
        }
    }

    @Test("it does not wait for its answer to be decoded, and the write was applied", arguments: Ending.allCases)
    func decoding(ending: Ending) async throws {
        transport.enqueue(answer)
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

    @Test("decoding lets go of a long array when its task is cancelled")
    func cancelledTask() async throws {
        transport.enqueue(answer)
        let response = try await client.send(.limits)
        let task = Task { () -> RestError? in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            do throws(RestError) { _ = try response.decode([Row].self) } catch { return error }
            return nil
        }
        let error = await task.value
        #expect(error?.code == .cancelled)
        #expect((error?.underlying as? JSONDecodingError)?.reason == .interrupted)
    }

    @Test("a long answer that nobody ends is decoded whole")
    func whole() async throws {
        transport.enqueue(answer)
        #expect(try await client.content(of: Rows {}).count == 30_001)
        transport.enqueue(answer)
        let rows = try await client.send(.limits, as: [Row].self, errors: NoFailure.self)
        #expect(rows.last?.Id == "001")
    }

    @Test("the memory beside a long answer serves the next one once the answer is let go of")
    func memory() throws {
        let tapes = JSONTapePool()
        for _ in 0..<3 {
            let http = HTTPResponse(head: HTTPResponse.Head(status: 200), body: Array(answer.utf8))
            var response: RestResponse? = try RestResponse(http, expecting: .json, isWrite: false, tapes: tapes)
            #expect(try response?.decode([Row].self).count == 30_001)
            #expect(tapes.held.tapes == 0)
            response = nil
            #expect(tapes.held.tapes == 1)
        }
    }

    @Test("a type that only its own actor can decode is read there")
    @MainActor func isolated() async throws {
        transport.enqueue(answer)
        let rows = try await client.send(.limits, as: [MainRow].self, errors: NoFailure.self)
        #expect(rows.last?.Id == "001")
    }
}
