// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// How a job is waited for.
///
/// The org is asked at growing intervals, and later where it says so (`Retry-After`). A question that fails says
/// nothing of the job, so it is asked again. A wait that ends early leaves the job as it is.
public struct BulkPatience: Sendable, Hashable {
    /// How long the first interval is; each further one is half as long again.
    public var firstInterval: Duration
    /// The longest interval.
    public var longestInterval: Duration
    /// How long a job is waited for; then the wait ends with ``BulkError/Code/timedOut``.
    public var limit: Duration

    /// Makes patience: from one second to thirty, for a day.
    public init(
        firstInterval: Duration = .seconds(1), longestInterval: Duration = .seconds(30),
        limit: Duration = .seconds(86_400)
    ) {
        (self.firstInterval, self.longestInterval, self.limit) = (firstInterval, longestInterval, limit)
    }

    /// The interval after one of this length.
    func interval(after interval: Duration?) -> Duration {
        let shortest = max(firstInterval, .milliseconds(1))
        return min(interval.map { $0 * 1.5 } ?? shortest, max(longestInterval, shortest))
    }
}

/// Waits for jobs.
struct JobWatch: Sendable {
    let calls: JobCalls
    let patience: BulkPatience
    /// Draws evenly from 0..<1.
    var draw: @Sendable () -> Double = { .random(in: 0..<1) }

    private var clock: any MonotonicClock { calls.client.clock }

    /// Waits until a job has ended.
    ///
    /// - Parameters:
    ///   - id: the job's id.
    ///   - report: is told how the job stands each time it is known.
    /// - Returns: how the job ended.
    /// - Throws: ``BulkError/Code/timedOut``, ``BulkError/Code/jobGone``, and failures that do not pass.
    func end(of id: String, report: (BulkJob) -> Void = { _ in }) async throws(BulkError) -> BulkJob {
        let end = clock.now + patience.limit
        var interval: Duration?
        while true {
            var asked: Duration?
            do throws(RestError) {
                let job = try BulkJob.reading(await calls.look(id), calls.kind).get()
                report(job)
                if job.state.isFinal { return job }
            } catch {
                guard error.mayPass else { throw BulkError(error, job: id) }
                asked = error.retryAfter
            }
            let next = patience.interval(after: interval)
            interval = next
            let jittered = next * (0.8 + 0.4 * draw())
            try await sleep(max(jittered, asked ?? .zero), until: end, id)
        }
    }

    private func sleep(
        _ duration: Duration, until end: ContinuousClock.Instant, _ id: String
    ) async throws(BulkError) {
        let now = clock.now
        guard now < end else {
            throw BulkError(.timedOut, "the job goes on, but the time it was given is over", job: id)
        }
        do {
            try await clock.sleep(until: min(now + duration, end), tolerance: nil)
        } catch {
            throw BulkError(.cancelled, "cancelled while the job was waited for; it goes on", job: id)
        }
    }
}
