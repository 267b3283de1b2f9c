// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestSDK
import RestTesting
import RestTransport

/// One call of a client whose network, token endpoint, clock, host code, cancellation and deadline a seed decides.
///
/// The pipeline is the real one; only the transport, the clock and the host are ours, so that a hundred thousand calls
/// take seconds, and the truth about each is known. The call can be ended wherever it waits.
package struct CallSchedule: Sendable {
    /// What was wrong with a call.
    package enum Fault: Sendable {
        /// The caller was not told exactly once.
        case deliveries(Int)
        /// The caller was told something else than what happened.
        case kind(told: String, allowed: String)
        /// The callback and the task's value tell different things.
        case disagreement(callback: String, value: String)
        /// A write that is not idempotent may have been applied that often.
        case duplicated(Int)
        /// The error says something else of a write than what its client could know, or what the server did.
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
        let parts = ScheduledHost.Parts(using: &random)
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
        .limits, .create("Account", ["Name": "A"]), .upsert("Account", externalID: "E__c", "1", ["Name": "A"]),
    ]

    private func client(
        _ parts: ScheduledHost.Parts, _ director: ScheduleDirector, _ clock: ManualClock
    ) throws -> RestClient {
        let host = ScheduledHost(director: director)
        var configuration = RestClient.Configuration(
            interceptors: parts.hasInterceptor ? [host] : [], transport: ScheduledNetwork(director: director),
            clock: ScheduledClock(base: clock, director: director))
        if parts.isPaced { configuration.limits = RateLimits(perSecond: 1) }
        if parts.breaksCircuit {
            var policy = CircuitBreakerPolicy()
            policy.minimumRequests = 1
            policy.pause = .seconds(1)
            configuration.circuitBreaker = policy
        }
        let client = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: configuration)
        if parts.hasHandler {
            client.onError(of: RestError.self) { error, _ in await host.decision(on: error) }
        }
        return client
    }

    private func faults(
        of told: ScheduledCaller.Told, _ request: RestRequest, _ truth: ScheduledTruth, _ parts: ScheduledHost.Parts
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
    /// Whether what the caller was told of a write is all that can be known, and true.
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

/// Somebody who sends a call in one of the calling styles.
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
