// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// A call in progress that was started with a delegate or a closure.
public struct CallTask<Value: Sendable, Failure: Error>: Sendable {
    /// The requested priority, or `nil` for the caller's priority.
    public let priority: TaskPriority?

    private let task: Task<Result<Value, Failure>, Never>
    private let feed: LatestValueFeed<TransferProgress>

    init(
        _ task: Task<Result<Value, Failure>, Never>, _ feed: LatestValueFeed<TransferProgress>,
        _ priority: TaskPriority?
    ) {
        self.task = task
        self.feed = feed
        self.priority = priority
    }

    /// Cancels the call if it is still running.
    ///
    /// Its callback is still called once, with the error of the cancellation.
    public func cancel() { task.cancel() }

    /// The result of the call, available after its callback has returned.
    ///
    /// - Throws: the call's error.
    public var value: Value {
        get async throws(Failure) { try await task.value.get() }
    }

    /// The progress of the request and response bodies, from now on until the call ends.
    ///
    /// Each reader has a separate stream. A slow reader misses intermediate values, but not the latest. A retry starts
    /// from zero.
    public var progress: AsyncStream<TransferProgress> { feed.stream }
}
