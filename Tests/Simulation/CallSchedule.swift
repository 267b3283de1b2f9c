// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import RestSDK
import RestTesting
import RestTransport

/// One call with random network, token endpoint, clock, app code, cancellation and deadline.
///
/// The pipeline is the real one. The transport, the clock and the app are simulated, so that a hundred thousand calls
/// take seconds, and the real events of each call are known. The call can be ended at each wait.
package struct CallSchedule: Sendable {
    package enum Fault: Sendable {
        /// The caller did not receive exactly one result.
        case deliveries(Int)
        /// The caller received a result that did not happen.
        case kind(told: String, allowed: String)
        /// The callback and the task's value have different results.
        case disagreement(callback: String, value: String)
        /// A write that is not idempotent may have been applied more than once.
        case duplicated(Int)
        /// The error's write outcome is wrong, or cannot be known by the client.
        case outcome(told: String, known: String, applications: Int)
        /// Too many requests were sent.
        case sends(Int)
        /// Requests were sent after the call had ended.
        case lateSends(Int)
    }

    package struct Report: Sendable {
        package let faults: [Fault]
        /// The place where the call was ended from outside, if it was.
        package let endedAt: ScheduledPlace?
    }

    private let seed: UInt64

    package init(seed: UInt64) {
        self.seed = seed
    }

    package func run() async throws -> Report {
        var random = SeededGenerator(seed: seed)
        let parts = ScheduledApp.Parts(using: &random)
        let clock = ManualClock(alarmsBeyond: ScheduledClock.longestWait)
        let director = ScheduleDirector(seed: random.next(), clock: clock)
        let client = try client(parts, director, clock)
        let request = Self.requests[Int.random(in: 0..<Self.requests.count, using: &random)]
        let style = ScheduledCaller.Style.allCases.randomElement(using: &random) ?? .async
        let caller = ScheduledCaller()
        var told = await caller.told(request, through: client, director, style)
        // Abandoned app code continues now and must have no effect.
        director.gate.open()
        for _ in 0..<3 { await Task.yield() }
        told.callbacks = await caller.callbacks ?? told.callbacks
        let truth = director.truth
        return Report(faults: faults(of: told, request, truth, parts), endedAt: truth.ending?.place)
    }

    private static let requests: [RestRequest] = [
        .plainLimits, .create("Account", ["Name": "A"]), .upsert("Account", externalID: "E__c", "1", ["Name": "A"]),
    ]

    private func client(
        _ parts: ScheduledApp.Parts, _ director: ScheduleDirector, _ clock: ManualClock
    ) throws -> RestClient {
        let app = ScheduledApp(director: director)
        var configuration = RestClient.Configuration(
            interceptors: parts.hasInterceptor ? [app] : [], transport: ScheduledNetwork(director: director),
            clock: ScheduledClock(base: clock, director: director))
        if parts.isPaced { configuration.limits = RestClient.RateLimits(perSecond: 1) }
        if parts.breaksCircuit {
            var policy = RestClient.CircuitBreakerPolicy()
            policy.minimumRequests = 1
            policy.pause = .seconds(1)
            configuration.circuitBreaker = policy
        }
        let client = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: configuration)
        if parts.hasHandler {
            client.onError(of: RestError.self) { error, _ in await app.decision(on: error) }
        }
        return client
    }

    private func faults(
        of told: ScheduledCaller.Told, _ request: RestRequest, _ truth: ScheduledTruth, _ parts: ScheduledApp.Parts
    ) -> [Fault] {
        guard told.callbacks.count == 1, let callback = told.callbacks.first else {
            return [.deliveries(told.callbacks.count)]
        }
        var faults: [Fault] = []
        let (kind, value) = (CallKind(callback), told.value)
        let allowed = truth.allowed(parts)
        if !allowed.contains(kind) { faults.append(.kind(told: "\(callback)", allowed: "\(allowed)")) }
        if kind != value.map(CallKind.init) ?? .loaded {
            faults.append(.disagreement(callback: "\(callback)", value: "\(String(describing: value))"))
        }
        if !request.isIdempotent, truth.applications > 1 { faults.append(.duplicated(truth.applications)) }
        if truth.sends > parts.maximumSends { faults.append(.sends(truth.sends)) }
        let isOrdered = truth.ending?.place != .anywhere
        if isOrdered, truth.lateSends > 0 { faults.append(.lateSends(truth.lateSends)) }
        if request.isWrite, !truth.agrees(with: value) {
            faults.append(
                .outcome(
                    told: "\(String(describing: value))", known: "\(truth.knowledge)",
                    applications: truth.applications))
        }
        return faults
    }
}

extension ScheduledTruth {
    /// Whether the reported write outcome is true and as precise as possible.
    fileprivate func agrees(with failure: RestError?) -> Bool {
        guard let failure else { return applications > 0 }
        guard failure.outcome == knowledge else { return false }
        switch knowledge {
        case .applied: return applications > 0
        case .notApplied: return applications == 0
        case .unknown: return true
        }
    }
}

private actor ScheduledCaller {
    enum Style: CaseIterable {
        case async, closure, delegate, delegateOnQueue
    }

    /// Everything that the caller received.
    struct Told {
        var callbacks: [RecordingDelegate.Callback]
        /// The error of the call, if any.
        let value: RestError?
    }

    private let delegate = RecordingDelegate()
    private var hasCallbacks = false

    /// The callbacks so far, or `nil` for a style without callbacks.
    var callbacks: [RecordingDelegate.Callback]? { hasCallbacks ? delegate.callbacks : nil }

    func told(
        _ request: RestRequest, through client: RestClient, _ director: ScheduleDirector, _ style: Style
    ) async -> Told {
        let task: CallTask<RestResponse, RestError>
        switch style {
        case .async: return await respond(to: request, client, director)
        case .closure: task = client.send(request) { [delegate] in delegate.record(.init($0)) }
        case .delegate: task = client.send(request, delegate: delegate)
        case .delegateOnQueue: task = client.send(request, delegate: delegate, on: .global())
        }
        hasCallbacks = true
        director.begin(ScheduledCall(client: client) { task.cancel() })
        await director.cancelAnytime()
        do throws(RestError) {
            _ = try await task.value
            return Told(callbacks: delegate.callbacks, value: nil)
        } catch {
            return Told(callbacks: delegate.callbacks, value: error)
        }
    }

    private func respond(
        to request: RestRequest, _ client: RestClient, _ director: ScheduleDirector
    ) async -> Told {
        let task = Task { () -> Result<RestResponse, RestError> in
            do throws(RestError) {
                return .success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
        director.begin(ScheduledCall(client: client) { task.cancel() })
        await director.cancelAnytime()
        let outcome = await task.value
        if case .failure(let error) = outcome { return Told(callbacks: [.init(outcome)], value: error) }
        return Told(callbacks: [.init(outcome)], value: nil)
    }
}

extension RecordingDelegate.Callback {
    fileprivate init(_ outcome: Result<RestResponse, RestError>) {
        switch outcome {
        case .success(let response): self = .loaded(response.payload, response.head)
        case .failure(let error): self = .failed(error)
        }
    }
}

/// The real events of a scheduled call, which determine the results that its caller may receive.
struct ScheduledTruth {
    /// The number of requests sent, except token requests.
    private(set) var sends = 0
    /// The number of requests sent after the call had ended.
    private(set) var lateSends = 0
    /// The number of times the server applied the request.
    private(set) var applications = 0
    /// The write outcome that the client can know from responses.
    private(set) var knowledge = RestError.WriteOutcome.notApplied
    /// The place and the way in which the call was ended from outside.
    private(set) var ending: (place: ScheduledPlace, interruption: ScheduledInterruption)?
    private var hasToken = false
    /// The caller's result if nothing else happens.
    private var last: CallKind?

    mutating func sent() {
        sends += 1
        if ending != nil { lateSends += 1 }
    }

    /// Records the end of an attempt, with its real result and the outcome that the client can know.
    mutating func attemptEnded(isApplied: Bool, knownAs outcome: RestError.WriteOutcome) {
        if isApplied { applications += 1 }
        switch (knowledge, outcome) {
        case (.applied, _), (.unknown, .notApplied): break
        default: knowledge = outcome
        }
    }

    mutating func loggedIn() { hasToken = true }

    /// Records a permanent rejection by the token endpoint, which ends a session only if there was one.
    mutating func loginRefused() { heard(.failed(hasToken ? .refreshFailed : .loginFailed)) }

    /// Records a result, which is the call's result unless more happens.
    mutating func heard(_ kind: CallKind) { last = kind }

    mutating func end(at place: ScheduledPlace, by interruption: ScheduledInterruption) {
        ending = (place, interruption)
        // Before an attempt, only the end can follow, except that a permanently rejected login stays rejected.
        guard interruption == .deadline, place.isBeforeSending, last != .failed(.refreshFailed),
            last != .failed(.loginFailed)
        else { return }
        last = .timedOut
    }

    /// The results that the caller may receive.
    func allowed(_ app: ScheduledApp.Parts) -> Set<CallKind> {
        let last = last ?? .failed(.init(rawValue: "nothing"))
        let failures: Set<CallKind> = app.breaksCircuit ? [last, .failed(.circuitOpen)] : [last]
        switch ending?.interruption {
        case .cancel: return [.cancelled]
        case .cancelAnytime: return failures.union([.cancelled])
        // The app's code may be abandoned even after the response has arrived.
        case .shutDown where last == .loaded: return app.hasInterceptor ? [last, .failed(.shutDown)] : [last]
        case .shutDown: return [.failed(.shutDown)]
        case .deadline where last == .loaded: return app.hasInterceptor ? [last, .timedOut] : [last]
        case .deadline: return failures.union([.timedOut])
        case nil: return last == .loaded ? [last] : failures
        }
    }
}

/// The place where a scheduled call is ended.
package enum ScheduledPlace: Sendable, Hashable, CaseIterable {
    /// The caller's own task, at any time.
    case anywhere
    /// Waiting for the first or a new token.
    case token
    /// In flight.
    case flight
    /// In the client's queue.
    case line
    /// In the delay before a retry.
    case backOff
    /// In the delay that a handler requested.
    case handlerWait
    /// In the app's interceptor, before or after the SDK's own steps.
    case interceptorBefore, interceptorAfter
    /// In the app's error handler.
    case handler

    /// Whether an attempt must follow for the call to succeed.
    fileprivate var isBeforeSending: Bool {
        switch self {
        case .token, .line, .backOff, .handlerWait, .interceptorBefore: true
        case .anywhere, .flight, .interceptorAfter, .handler: false
        }
    }
}

/// An interruption of a scheduled call from outside.
enum ScheduledInterruption: Sendable, CaseIterable {
    case cancel, deadline, shutDown
    /// A cancellation at an arbitrary time.
    case cancelAnytime
}

/// The caller's result, independent of the calling style.
enum CallKind: Hashable {
    case loaded, cancelled, timedOut
    case failed(RestError.Code)

    init(_ callback: RecordingDelegate.Callback) {
        switch callback {
        case .loaded: self = .loaded
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .failed(let error): self.init(error)
        }
    }

    init(_ error: RestError) {
        switch error.code {
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        default: self = .failed(error.code)
        }
    }
}

extension Endpoint where Self == RestRequest {
    /// The org's limits, which is the shortest call.
    package static var plainLimits: RestRequest { RestRequest(name: "limits", resource: .data(["limits"])) }
}
