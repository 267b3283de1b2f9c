// SPDX-License-Identifier: Apache-2.0

import RestSync

/// Syncs the copy with the org, on request and in the background.
final class Synchronizer: Sendable {
    /// The delays between the syncs in the background.
    struct Delays: Sendable {
        var interval = Duration.seconds(60)
        /// The delay after the first failed sync, which doubles with each further one.
        var firstRetry = Duration.seconds(5)
        var longestRetry = Duration.seconds(300)

        func next(afterFailures failures: Int) -> Duration {
            guard failures > 0 else { return interval }
            return min(firstRetry * (1 << min(failures - 1, 10)), longestRetry)
        }
    }

    private static let nothing = "Up to date."

    private let store: SyncStore
    private let client: RestClient
    private let delays: Delays
    private let (requests, requester) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(_ store: SyncStore, _ client: RestClient, delays: Delays = Delays()) {
        (self.store, self.client, self.delays) = (store, client, delays)
    }

    /// Makes ``run(report:)`` sync now, or again if a sync is in progress.
    func request() { requester.yield() }

    /// Syncs at once, after each request and at intervals, until the task is cancelled.
    ///
    /// - Parameter report: receives the results as text, but not the same failure twice in a row.
    func run(report: @Sendable (String) async -> Void) async {
        var (failures, lastFailure) = (0, "")
        var timer: Task<Void, any Error>?
        defer { timer?.cancel() }
        request()
        for await _ in requests {
            timer?.cancel()
            do throws(SyncError) {
                let result = try await sync()
                if failures > 0 || result != Self.nothing { await report(result) }
                (failures, lastFailure) = (0, "")
            } catch  where error.code != .busy {
                let failure = text(of: error)
                if failure != lastFailure { await report(failure) }
                (failures, lastFailure) = (failures + 1, failure)
            } catch {}
            let delay = delays.next(afterFailures: failures)
            timer = Task { [requester] in
                try await Task.sleep(for: delay)
                requester.yield()
            }
        }
    }

    /// Syncs once.
    ///
    /// - Returns: the result as text.
    func sync() async throws(SyncError) -> String {
        let report = try await store.sync(with: client)
        let numbers = [
            (report.pulled, "read"), (report.removed, "removed"), (report.created, "created"),
            (report.updated, "updated"), (report.deleted, "deleted"), (report.conflicts, "in conflict"),
        ]
        let words = numbers.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? Self.nothing : "Synced: \(words.joined(separator: ", "))"
    }

    /// Returns the error of a sync with the number of changes that wait for the next one.
    func text(of error: SyncError) -> String {
        let reason = error.rest?.code == .notConnected ? "no connection" : error.message
        return "Not synced: \(reason)\nPending changes: \((try? store.pendingCount) ?? 0)"
    }
}
