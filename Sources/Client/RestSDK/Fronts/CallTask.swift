// SPDX-License-Identifier: Apache-2.0

import RestBase
public import RestTransport

/// A call under way that was started with a delegate or a closure.
public struct CallTask<Value: Sendable, Failure: Error>: Sendable {
    /// The priority that was asked for; `nil` takes the caller's.
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

    /// Asks the call to end.
    ///
    /// If it was not over yet, it ends as cancelled; its callback still comes, once.
    public func cancel() {
        task.cancel()
    }

    /// The call's value; its callback has returned by then.
    ///
    /// - Throws: the call's error.
    public var value: Value {
        get async throws(Failure) { try await task.value.get() }
    }

    /// How far the bodies have come, from now on until the call is over.
    ///
    /// Each reader has a stream of its own. A slow reader misses steps, never the newest. A call that is sent again
    /// starts again from zero.
    public var progress: AsyncStream<TransferProgress> { feed.stream }
}
