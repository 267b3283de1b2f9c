// SPDX-License-Identifier: Apache-2.0

public import RestTransport

/// A call under way that was started by a delegate or closure front.
public struct RestTask: Sendable {
    /// The priority that was asked for; `nil` takes the caller's.
    public let priority: TaskPriority?

    private let task: Task<Result<RestResponse, RestError>, Never>
    private let feed: ProgressFeed

    init(_ task: Task<Result<RestResponse, RestError>, Never>, feed: ProgressFeed, priority: TaskPriority?) {
        self.task = task
        self.feed = feed
        self.priority = priority
    }

    /// Asks the call to end.
    ///
    /// If it was not over yet, it ends as cancelled; the call-back comes all the same, once.
    public func cancel() {
        task.cancel()
    }

    /// What the call came to; its call-back has returned by then.
    ///
    /// - Throws: the call's ``RestError``.
    public var value: RestResponse {
        get async throws(RestError) { try await task.value.get() }
    }

    /// How far the bodies have come, from now on until the call is over.
    ///
    /// Each reader has a stream of its own. A slow reader misses steps, never the newest. A call that is sent again
    /// starts again from zero.
    public var progress: AsyncStream<TransferProgress> { feed.stream }
}

extension RestClient {
    /// The outcome of a call as a value, for the fronts that hand it on.
    @concurrent
    func outcome(of request: RestRequest, feed: ProgressFeed) async -> Result<RestResponse, RestError> {
        defer { feed.finish() }
        do throws(RestError) {
            return .success(try await response(to: request) { feed.report($0) })
        } catch {
            return .failure(error)
        }
    }
}
