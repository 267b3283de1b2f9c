// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension RestClient {
    /// Sends a request and hands its outcome to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor.
    ///   - completion: gets the outcome.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation,
        completion: @escaping (Result<RestResponse, RestError>) -> Void
    ) -> RestTask {
        let feed = ProgressFeed()
        let task = Task(name: request.name, priority: priority) {
            _ = isolation  // the task stays on the caller's actor, and so does the closure
            let outcome = await outcome(of: request, feed: feed)
            completion(outcome)
            return outcome
        }
        return RestTask(task, feed: feed, priority: priority)
    }

    /// Sends a request and calls one of two closures on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor.
    ///   - success: gets the answer.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, isolation: isolated any Actor = #isolation,
        success: @escaping (RestResponse) -> Void, failure: @escaping (RestError) -> Void
    ) -> RestTask {
        send(request, priority: priority, isolation: isolation) { outcome in
            switch outcome {
            case .success(let response): success(response)
            case .failure(let error): failure(error)
            }
        }
    }

    /// Sends a request and hands its outcome to a closure on a queue, once, for callers that are on no actor.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closure is called.
    ///   - completion: gets the outcome.
    @discardableResult
    public func send(
        _ request: RestRequest, priority: TaskPriority? = nil, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<RestResponse, RestError>) -> Void
    ) -> RestTask {
        let feed = ProgressFeed()
        let task = Task(name: request.name, priority: priority) {
            let outcome = await outcome(of: request, feed: feed)
            await withCheckedContinuation { delivered in
                queue.async {
                    completion(outcome)
                    delivered.resume()
                }
            }
            return outcome
        }
        return RestTask(task, feed: feed, priority: priority)
    }
}
