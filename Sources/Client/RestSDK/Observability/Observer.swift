// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Reports one client's calls to its sink, and does nothing if there is no sink.
final class Observer: Sendable {
    private let sink: (any RestEvent.Sink)?
    private let client: String
    private let clock: any MonotonicClock
    private let calls = Atomic<UInt64>(0)

    init(_ configuration: RestClient.Configuration) {
        sink = configuration.eventSink
        client = configuration.name
        clock = configuration.clock
    }

    /// Returns the number of the next call, or 0 if there is no sink.
    func nextCall() -> UInt64 { sink == nil ? 0 : calls.add(1, ordering: .relaxed).newValue }

    /// Reports the start of a call, and returns the time from which its duration counts.
    func callStarted(_ call: Call) -> ContinuousClock.Instant? {
        guard sink != nil else { return nil }
        report(.callStarted, call)
        return clock.now
    }

    /// Reports the end of a call, before its caller gets the result.
    @inline(never)
    func callEnded<Value>(_ call: Call, _ result: Result<Value, RestError>, since start: ContinuousClock.Instant?) {
        guard let start else { return }
        let duration = clock.now - start
        switch result {
        case .success: report(.callSucceeded(duration: duration), call)
        case .failure(let error):
            report(.callFailed(code: error.code, attempts: call.attemptCount, duration: duration), call)
        }
    }

    @inline(never)
    func attemptEnded(
        _ number: Int, _ result: Result<HTTPResponse, RestError>, since start: ContinuousClock.Instant, _ call: Call
    ) {
        guard sink != nil else { return }
        let duration = clock.now - start
        switch result {
        case .success(let response):
            report(
                .attemptAnswered(
                    number: number, status: response.head.status, size: response.body.count, duration: duration,
                    requestID: RestError.requestID(in: response.head)), call)
        case .failure(let error):
            report(.attemptFailed(number: number, code: error.code, duration: duration), call)
        }
    }

    /// Runs `work` and reports the event that `kind` makes of its value and duration, if any.
    func wait<Value>(
        _ call: Call, _ kind: (Value, Duration) -> RestEvent.Kind?, until work: () async -> Value
    ) async -> Value {
        guard sink != nil else { return await work() }
        let start = clock.now
        let value = await work()
        if let kind = kind(value, clock.now - start) { report(kind, call) }
        return value
    }

    /// Returns the handler for the progress of an attempt that began at `start`, or `nil` if no progress is needed.
    func progress(_ call: Call, since start: ContinuousClock.Instant) -> TransferProgress.Handler? {
        guard sink != nil else { return call.progress }
        let pace = ProgressPace(clock: clock, start: start)
        return { progress in
            call.progress?(progress)
            if pace.isDue { self.report(.progress(progress), call) }
        }
    }

    /// Reports a page of a query's result, with the number of the query, while each page also has its own call.
    func pageGiven(_ number: Int, at position: QueryPage.Position, of query: RestRequest, call: UInt64) {
        report(
            .pageGiven(number: number, records: position.recordCount, total: position.totalSize), of: query, call)
    }

    /// Reports an event of a call, and is not inlined to keep the event out of the caller's async frame.
    @inline(never)
    func report(_ kind: @autoclosure () -> RestEvent.Kind, _ call: Call) {
        guard sink != nil else { return }
        report(kind(), of: call.request, call.number, call.trace)
    }

    private func report(
        _ kind: RestEvent.Kind, of request: RestRequest, _ call: UInt64, _ trace: RestRequest.TraceContext? = nil
    ) {
        sink?.record(RestEvent(client: client, call: call, request: request, kind: kind, trace: trace))
    }
}

/// Limits reports of progress to one per second, beginning after one second.
private final class ProgressPace: Sendable {
    private static let interval: Duration = .seconds(1)

    private let clock: any MonotonicClock
    private let last: Mutex<ContinuousClock.Instant>

    init(clock: any MonotonicClock, start: ContinuousClock.Instant) {
        self.clock = clock
        last = Mutex(start)
    }

    /// Whether a report is due, which counts as a report.
    var isDue: Bool {
        let now = clock.now
        return last.withLock { last in
            guard now - last >= Self.interval else { return false }
            last = now
            return true
        }
    }
}
