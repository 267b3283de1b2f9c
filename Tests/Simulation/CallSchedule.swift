// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import RestSDK
import RestTesting
import RestTransport

/// One call of a client whose network, token endpoint, clock, app code, cancellation and deadline a seed decides.
///
/// The pipeline is the real one. The transport, the clock and the app are simulated, so that a hundred thousand calls
/// take seconds and it is known what really happened in each. The call can be ended wherever it waits.
package struct CallSchedule: Sendable {
    /// What was wrong with a call.
    package enum Fault: Sendable {
        /// The caller was not told the result exactly once.
        case deliveries(Int)
        /// The caller was told something that did not happen.
        case kind(told: String, allowed: String)
        /// The callback and the task's value tell different things.
        case disagreement(callback: String, value: String)
        /// A write that is not idempotent may have been applied several times.
        case duplicated(Int)
        /// The error says something about a write that the client could not know, or that did not happen.
        case outcome(told: String, known: String, applications: Int)
        /// More was sent than the rules allow.
        case sends(Int)
        /// Something was sent after the call had been ended.
        case lateSends(Int)
    }

    /// How a call went.
    package struct Report: Sendable {
        /// What was wrong; empty if nothing was.
        package let faults: [Fault]
        /// Where the call was ended from outside; `nil` when it was not.
        package let endedAt: ScheduledPlace?
    }

    private let seed: UInt64

    /// Makes the schedule of a seed.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Runs the call.
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
        // Host code that was left behind goes on now, and nothing may come of it.
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
    /// Whether what the caller was told about a write is true, and all that can be known.
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

/// Sends a call in one of the calling styles.
private actor ScheduledCaller {
    enum Style: CaseIterable {
        case async, closure, delegate, delegateOnQueue
    }

    /// Everything that the caller was told.
    struct Told {
        var callbacks: [RecordingDelegate.Callback]
        /// The error of the call; `nil` for a success.
        let value: RestError?
    }

    private let delegate = RecordingDelegate()
    private var hasCallbacks = false

    /// The callbacks so far; `nil` for a style without.
    var callbacks: [RecordingDelegate.Callback]? { hasCallbacks ? delegate.callbacks : nil }

    /// Sends the call and waits for its end.
    func told(
        _ request: RestRequest, through client: RestClient, _ director: ScheduleDirector, _ style: Style
    ) async -> Told {
        let task: CallTask<RestResponse, RestError>
        switch style {
        case .async: return await answer(to: request, client, director)
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

    private func answer(
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

/// What really happened to a scheduled call, and so what its caller may be told.
struct ScheduledTruth {
    /// How often the call was sent, without the requests for tokens.
    private(set) var sends = 0
    /// How often it was sent after it had been ended.
    private(set) var lateSends = 0
    /// How often the server applied it.
    private(set) var applications = 0
    /// What the client can know of a write by what it was answered.
    private(set) var knowledge = RestError.WriteOutcome.notApplied
    /// Where the call was ended from outside, and how.
    private(set) var ending: (place: ScheduledPlace, interruption: ScheduledInterruption)?
    /// Whether there was a token before.
    private var hasToken = false
    /// What the caller is told if nothing else happens.
    private var last: CallKind?

    /// The call comes to the network.
    mutating func sent() {
        sends += 1
        if ending != nil { lateSends += 1 }
    }

    /// An attempt ended so, as far as the client can know.
    mutating func attemptEnded(isApplied: Bool, knownAs outcome: RestError.WriteOutcome) {
        if isApplied { applications += 1 }
        switch (knowledge, outcome) {
        case (.applied, _), (.unknown, .notApplied): break
        default: knowledge = outcome
        }
    }

    /// The token endpoint gave a token.
    mutating func loggedIn() { hasToken = true }

    /// The token endpoint refused for good, which ends a session only where there was one.
    mutating func loginRefused() { heard(.failed(hasToken ? .refreshFailed : .loginFailed)) }

    /// The client heard this, which is the call's end unless more happens.
    mutating func heard(_ kind: CallKind) { last = kind }

    /// The call is ended from outside.
    mutating func end(at place: ScheduledPlace, by interruption: ScheduledInterruption) {
        ending = (place, interruption)
        // Before an attempt, nothing but the end can follow; a login that was refused for good stays refused.
        guard interruption == .deadline, place.isBeforeSending, last != .failed(.refreshFailed),
            last != .failed(.loginFailed)
        else { return }
        last = .timedOut
    }

    /// What the caller may be told.
    func allowed(_ app: ScheduledApp.Parts) -> Set<CallKind> {
        let last = last ?? .failed(.init(rawValue: "nothing"))
        let failures: Set<CallKind> = app.breaksCircuit ? [last, .failed(.circuitOpen)] : [last]
        switch ending?.interruption {
        case .cancel: return [.cancelled]
        case .cancelAnytime: return failures.union([.cancelled])
        // The app's code may be left behind even though the answer has arrived.
        case .shutDown where last == .loaded: return app.hasInterceptor ? [last, .failed(.shutDown)] : [last]
        case .shutDown: return [.failed(.shutDown)]
        case .deadline where last == .loaded: return app.hasInterceptor ? [last, .timedOut] : [last]
        case .deadline: return failures.union([.timedOut])
        case nil: return last == .loaded ? [last] : failures
        }
    }
}

/// Where a scheduled call is when it is ended.
package enum ScheduledPlace: Sendable, Hashable, CaseIterable {
    /// The caller's own task, at any moment.
    case anywhere
    /// Waiting for a token, the first or a new one.
    case token
    /// With the network.
    case flight
    /// In the client's own line.
    case line
    /// In the wait before it is sent again.
    case backOff
    /// In the wait that a handler asked for.
    case handlerWait
    /// In the app's interceptor, before the SDK's own steps and after them.
    case interceptorBefore, interceptorAfter
    /// In the app's handler of errors.
    case handler

    /// Whether an attempt must follow for the call to succeed.
    fileprivate var isBeforeSending: Bool {
        switch self {
        case .token, .line, .backOff, .handlerWait, .interceptorBefore: true
        case .anywhere, .flight, .interceptorAfter, .handler: false
        }
    }
}

/// What ends a scheduled call from outside.
enum ScheduledInterruption: Sendable, CaseIterable {
    case cancel, deadline, shutDown
    /// A cancellation that nothing orders with what the call does.
    case cancelAnytime
}

/// What a caller was told, whatever the style.
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
    /// The limits of the org as they come: the shortest call that there is.
    package static var plainLimits: RestRequest { RestRequest(name: "limits", resource: .data(["limits"])) }
}
