// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestSDK
import RestTransport

/// One call of a client whose network, token endpoint, clock, cancellation and deadline a seed decides.
///
/// The pipeline is the real one; only the transport and the clock are ours, so that a hundred thousand calls take
/// seconds, and the truth about each is known.
package struct CallSchedule: Sendable {
    /// What was wrong with a call.
    package enum Fault: Sendable {
        /// The caller was not told exactly once.
        case deliveries(Int)
        /// The caller was told something else than what happened.
        case kind(told: String, allowed: String)
        /// A write that is not idempotent may have been applied that often.
        case duplicated(Int)
        /// The error denies a write that was applied, or claims one that was not.
        case outcome(told: String, applications: Int)
        /// More was sent than the rules allow.
        case sends(Int)
    }

    private let seed: UInt64

    /// Makes the schedule of a seed.
    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Runs the call.
    ///
    /// - Returns: what was wrong; empty if nothing was.
    package func run() async throws -> [Fault] {
        var random = SeededGenerator(seed: seed)
        let clock = ManualClock(alarmsBeyond: .seconds(30))
        let network = ScheduledNetwork(seed: random.next(), clock: clock)
        let client = try RestClient(
            loginURL: "https://example.my.salesforce.com", clientID: "id", clientSecret: "secret",
            configuration: RestClientConfiguration(transport: network, clock: clock))
        let request = Self.requests[Int.random(in: 0..<Self.requests.count, using: &random)]
        let style = ScheduledCaller.Style.allCases.randomElement(using: &random) ?? .async
        let told = await ScheduledCaller().told(request, through: client, network, style)
        return faults(of: told, request, network.truth)
    }

    private static let requests: [RestRequest] = [
        .limits, .create("Account", ["Name": "A"]), .upsert("Account", externalID: "E__c", "1", ["Name": "A"]),
    ]

    private func faults(
        of told: [RecordingDelegate.Callback], _ request: RestRequest, _ truth: ScheduledTruth
    ) -> [Fault] {
        guard told.count == 1, let callback = told.first else { return [.deliveries(told.count)] }
        var faults: [Fault] = []
        if !truth.allowed.contains(CallKind(callback)) {
            faults.append(.kind(told: "\(callback)", allowed: "\(truth.allowed)"))
        }
        if !request.isIdempotent, truth.applications > 1 { faults.append(.duplicated(truth.applications)) }
        // Three attempts and one replay.
        if truth.sends > 4 { faults.append(.sends(truth.sends)) }
        if request.isWrite, !truth.agrees(with: callback) {
            faults.append(.outcome(told: "\(callback)", applications: truth.applications))
        }
        return faults
    }
}

/// Somebody who sends a call in one of the calling styles.
private actor ScheduledCaller {
    enum Style: CaseIterable {
        case async, closure, delegate, delegateOnQueue
    }

    private let delegate = RecordingDelegate()

    /// Sends the call and waits for its end.
    ///
    /// - Returns: everything that the caller was told.
    func told(
        _ request: RestRequest, through client: RestClient, _ network: ScheduledNetwork, _ style: Style
    ) async -> [RecordingDelegate.Callback] {
        let task: RestTask
        switch style {
        case .async: return [await answer(to: request, client, network)]
        case .closure: task = client.send(request) { [delegate] in delegate.record(.init($0)) }
        case .delegate: task = client.send(request, delegate: delegate)
        case .delegateOnQueue: task = client.send(request, delegate: delegate, on: .global())
        }
        network.setCancel { task.cancel() }
        _ = try? await task.value
        return delegate.callbacks
    }

    private func answer(
        to request: RestRequest, _ client: RestClient, _ network: ScheduledNetwork
    ) async -> RecordingDelegate.Callback {
        let task = Task { () -> Result<RestResponse, RestError> in
            do throws(RestError) {
                return .success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
        network.setCancel { task.cancel() }
        return RecordingDelegate.Callback(await task.value)
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

/// What a caller was told, whatever the style.
enum CallKind: Hashable {
    case loaded, cancelled, timedOut
    case failed(RestError.Code)

    init(_ callback: RecordingDelegate.Callback) {
        switch callback {
        case .loaded: self = .loaded
        case .cancelled: self = .cancelled
        case .timedOut: self = .timedOut
        case .failed(let error) where error.code == .cancelled: self = .cancelled
        case .failed(let error) where error.code == .timedOut: self = .timedOut
        case .failed(let error): self = .failed(error.code)
        }
    }
}
