// SPDX-License-Identifier: Apache-2.0

import RestTesting
import RestTransport
import Simulation
import Synchronization
import Testing

@testable import RestSDK

@Suite("App code that ignores the end of its call", .timeLimit(.minutes(2)))
struct AppCodeTests {
    @Test("ending a call waits for the SDK's own steps, but not for app code")
    func states() {
        var state = CallState<Int>()
        #expect(state.wait(1) == nil)
        #expect(state.unboundWorkBegins() == nil)
        #expect(state.end(.cancelled) == 1)
        #expect(state.end(.timedOut) == nil)
        #expect(state.phase == .over)
        #expect(state.finish(.succeeded) == nil)

        state = CallState()
        #expect(state.wait(2) == nil)
        #expect(state.unboundWorkBegins() == nil)
        state.unboundWorkEnds()
        #expect(state.begin() == .attempt(0))
        #expect(state.end(.timedOut) == nil)
        #expect(state.end(.cancelled) == nil)
        state.attemptEnded()
        let left = state.unboundWorkBegins()
        #expect(left?.ending == .timedOut)
        #expect(left?.waiter == 2)
        #expect(state.unboundWorkBegins()?.waiter == nil)
        #expect(state.finish(.failed(.cancelled)) == nil)

        state = CallState()
        #expect(state.wait(3) == nil)
        #expect(state.unboundWorkBegins() == nil)
        state.unboundWorkEnds()
        #expect(state.unboundWorkBegins() == nil)
        #expect(state.finish(.succeeded) == .success)
        #expect(state.end(.cancelled) == nil)
    }

    @Test("a call that ended before its caller waits reports that at once, and starts no work")
    func endedEarly() {
        var state = CallState<Int>()
        #expect(state.end(.shutDown) == nil)
        #expect(state.wait(1) == .shutDown)
        #expect(state.phase == .over)
        #expect(state.begin() == .refused(.cancelled))
        #expect(state.unboundWorkBegins()?.ending == .cancelled)
        #expect(state.finish(.succeeded) == nil)
    }

    @Test("a call that its own work cancels immediately is always reported as cancelled")
    func cancelledAtOnce() async {
        for _ in 0..<2_000 {
            let call = Call(.plainLimits, at: clock.now, timeout: .seconds(60))
            let outcome = await call.outcome { () -> Result<Bool, RestError> in
                call.end(.cancelled)
                // Represents a transport, which returns only when its task is cancelled.
                let transport = ManualClock(alarmsBeyond: .zero)
                let isCancelled = (try? await transport.sleep(until: .now + .seconds(1), tolerance: nil)) == nil
                return isCancelled ? .failure(RestError(.cancelled, "cancelled")) : .success(false)
            }
            guard case .failure(let error) = outcome, error.code == .cancelled else { return #expect(Bool(false)) }
        }
    }

    /// Blocks every visitor until it is opened, even if the visitor is cancelled.
    private final class Gate: Sendable {
        private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

        var waiting: Int { waiters.withLock { $0.count } }
        func pass() async { await withCheckedContinuation { waiter in waiters.withLock { $0.append(waiter) } } }
        func open() {
            let waiting = waiters.withLock { waiters in
                defer { waiters = [] }
                return waiters
            }
            for waiter in waiting { waiter.resume() }
        }
        func decision() async -> RestClient.FailedCall.Decision {
            await pass()
            return .propagate
        }
    }

    private struct Stubborn: Interceptor {
        enum Place { case before, after }
        let place: Place
        let gate: Gate

        func intercept(
            _ request: HTTPRequest, context: RequestContext, next: Next
        ) async throws(RestError) -> HTTPResponse {
            if place == .before { await gate.pass() }
            let response = try await next(request)
            if place == .after { await gate.pass() }
            return response
        }
    }

    enum Ending: CaseIterable {
        case cancel, deadline, shutdown

        var code: RestError.Code {
            switch self {
            case .cancel: .cancelled
            case .deadline: .timedOut
            case .shutdown: .shutDown
            }
        }
    }

    private let transport = StubTransport()
    private let clock = ManualClock(alarmsBeyond: .zero)
    private let gate = Gate()

    private func client(_ interceptors: [any Interceptor] = []) throws -> RestClient {
        try RestClient.of(transport, retryPolicy: .never, interceptors: interceptors, clock: clock)
    }

    /// Sends a write, and ends the call while app code is running.
    private func error(of client: RestClient, _ ending: Ending) async -> RestError? {
        let (gate, clock) = (gate, clock)
        let call = Task {
            await Result { () async throws(RestError) in try await client.send(.create("Account", [:])) }
        }
        while gate.waiting == 0 || clock.alarms == 0 { await Task.yield() }
        switch ending {
        case .cancel: call.cancel()
        case .deadline: clock.advance(by: .seconds(61))
        case .shutdown: client.shutdown()
        }
        return await call.value.failure
    }

    @Test(
        "if an interceptor hangs before the request, nothing is sent", arguments: Ending.allCases)
    func before(ending: Ending) async throws {
        let error = await error(of: try client([Stubborn(place: .before, gate: gate)]), ending)
        #expect(error?.code == ending.code)
        #expect(error?.outcome == .notApplied)
        gate.open()
        for _ in 0..<50 { await Task.yield() }
        #expect(transport.requests.isEmpty)
    }

    @Test("if an interceptor hangs after the response, the write was applied", arguments: Ending.allCases)
    func after(ending: Ending) async throws {
        transport.enqueue(status: 201, #"{"id":"001"}"#)
        let error = await error(of: try client([Stubborn(place: .after, gate: gate)]), ending)
        #expect(error?.code == ending.code)
        #expect(error?.outcome == .applied)
        gate.open()
    }

    @Test("if a handler hangs, the error that it was called with is the underlying error", arguments: Ending.allCases)
    func handler(ending: Ending) async throws {
        transport.enqueue(.failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: true)))
        let (client, gate) = (try client(), gate)
        client.onError(of: RestError.self) { _, _ in
            await gate.pass()
            return .retry(after: .zero)
        }
        let error = await error(of: client, ending)
        #expect(error?.code == ending.code)
        #expect(error?.outcome == .unknown)
        #expect((error?.underlying as? RestError)?.code == .transport)
        #expect(error?.request?.name == "create")
        gate.open()
        for _ in 0..<50 { await Task.yield() }
        #expect(transport.requests.count == 1)
    }

    @Test("a call that is cancelled in flight waits for its transport, which knows the write outcome")
    func inFlight() async throws {
        transport.enqueue(.silence)
        let (client, transport) = (try client([Stubborn(place: .after, gate: gate)]), transport)
        let call = Task {
            await Result { () async throws(RestError) in try await client.send(.create("Account", [:])) }
        }
        while transport.requests.isEmpty { await Task.yield() }
        call.cancel()
        let error = await call.value.failure
        #expect(error?.code == .cancelled)
        #expect(error?.outcome == .unknown)
    }

    @Test(
        "a call that was cancelled before app code is called ends without calling it",
        arguments: [true, false])
    func endedBefore(hasInterceptor: Bool) async throws {
        let client = try client(hasInterceptor ? [Stubborn(place: .before, gate: gate)] : [])
        if !hasInterceptor { client.onError(of: RestError.self) { [gate] _, _ in await gate.decision() } }
        let response = HTTPResponse(head: HTTPResponse.Head(status: 404), body: [])
        transport.enqueue(.response(response)) { [weak client] _ in
            client?.cancelAll()
            return true
        }
        let call = Task {
            if hasInterceptor { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            return await Result { () async throws(RestError) in try await client.send(.create("Account", [:])) }
        }
        let error = await call.value.failure
        #expect(error?.code == .cancelled)
        #expect(error?.outcome == .notApplied)
        #expect(gate.waiting == 0)
    }

    @Test("errors thrown by the app have the write outcome, even if the app does not set it")
    func careless() async throws {
        transport.enqueue(status: 201, #"{"id":"001"}"#)
        let careless = Intercepting { request, next async throws(RestError) in
            _ = try await next(request)
            throw RestError(.init(rawValue: "host"), "no")
        }
        let error = await #expect(throws: RestError.self) {
            try await client([careless]).send(.create("Account", [:]))
        }
        #expect(error?.outcome == .applied)
        transport.enqueue(.failure(TransportError(.connectionLost, "closed", mayHaveReachedServer: true)))
        let handled = try client()
        handled.onError(of: RestError.self) { _, _ in .replace(with: RestError(.init(rawValue: "host"), "no")) }
        let other = await #expect(throws: RestError.self) { try await handled.send(.create("Account", [:])) }
        #expect(other?.code == .init(rawValue: "host"))
        #expect(other?.outcome == .unknown)
    }

    @Test("the handlers of a call that timed out are called, for a limited time")
    func lastWords() async throws {
        transport.enqueue(.failure(TransportError(.timedOut, "late", mayHaveReachedServer: true)))
        let client = try client()
        client.onError(of: RestError.self) { error, _ in .replace(with: RestError(.server, "slow", underlying: error)) }
        let error = await #expect(throws: RestError.self) { try await client.send(.plainLimits) }
        #expect(error?.message == "slow")
    }
}
