// SPDX-License-Identifier: Apache-2.0

import RestTransport
import Synchronization

/// Reports one client's calls to its sink; without a sink it does nothing at all.
final class Observer: Sendable {
    private let sink: (any RestEventSink)?
    private let clock: any MonotonicClock
    private let calls = Atomic<UInt64>(0)

    init(sink: (any RestEventSink)?, clock: any MonotonicClock) {
        self.sink = sink
        self.clock = clock
    }

    /// The number of the next call; 0 when nobody listens.
    func nextCall() -> UInt64 {
        sink == nil ? 0 : calls.add(1, ordering: .relaxed).newValue
    }

    /// Runs a whole call.
    func call<Value>(
        _ context: RequestContext, _ body: () async throws(RestError) -> Value
    ) async throws(RestError) -> Value {
        guard sink != nil else { return try await body() }
        let start = clock.now
        report(.callStarted, context)
        do {
            let value = try await body()
            report(.callSucceeded(duration: clock.now - start), context)
            return value
        } catch {
            report(
                .callFailed(code: error.code, attempts: context.attemptCount, duration: clock.now - start), context)
            throw error
        }
    }

    /// Runs one attempt to send a request.
    func attempt(
        _ number: Int, _ context: RequestContext, _ body: () async throws(RestError) -> HTTPResponse
    ) async throws(RestError) -> HTTPResponse {
        guard sink != nil else { return try await body() }
        let start = clock.now
        report(.attemptStarted(number: number), context)
        do {
            let response = try await body()
            report(
                .attemptAnswered(
                    number: number, status: response.head.status, size: response.body.count,
                    duration: clock.now - start), context)
            return response
        } catch {
            report(.attemptFailed(number: number, code: error.code, duration: clock.now - start), context)
            throw error
        }
    }

    /// What tells the progress of an attempt to whoever wants to know; `nil` when nobody does.
    func progress(_ context: RequestContext) -> TransferProgress.Handler? {
        guard sink != nil else { return context.progress }
        let pace = ProgressPace(clock: clock)
        return { progress in
            context.progress?(progress)
            if pace.isDue { self.report(.progress(progress), context) }
        }
    }

    /// Reports a page of a query's result, under a number of its own: each page is a call too.
    func pageGiven(_ number: Int, at position: QueryPosition, of query: RestRequest, call: UInt64) {
        sink?.record(
            RestEvent(
                call: call, name: query.name,
                kind: .pageGiven(number: number, records: position.recordCount, total: position.totalSize)))
    }

    /// Reports what belongs to one call.
    func report(_ kind: RestEvent.Kind, _ context: RequestContext) {
        sink?.record(RestEvent(call: context.call, name: context.request.name, kind: kind))
    }
}
