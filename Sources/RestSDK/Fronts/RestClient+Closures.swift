// SPDX-License-Identifier: Apache-2.0

public import Dispatch

extension RestClient {
    /// Sends a request and hands its outcome to a closure on the caller's actor, once.
    @discardableResult
    public func send(
        _ request: RestRequest, isolation: isolated any Actor = #isolation,
        completion: @escaping (Result<RestResponse, RestError>) -> Void
    ) -> RestTask {
        RestTask(
            Task(name: request.name) {
                _ = isolation  // the task stays on the caller's actor, and so does the closure
                let outcome = await outcome(of: request)
                completion(outcome)
                return outcome
            })
    }

    /// Sends a request and calls one of two closures on the caller's actor, once.
    @discardableResult
    public func send(
        _ request: RestRequest, isolation: isolated any Actor = #isolation,
        success: @escaping (RestResponse) -> Void, failure: @escaping (RestError) -> Void
    ) -> RestTask {
        send(request, isolation: isolation) { outcome in
            switch outcome {
            case .success(let response): success(response)
            case .failure(let error): failure(error)
            }
        }
    }

    /// Sends a request and hands its outcome to a closure on a queue, once, for callers that are on no actor.
    @discardableResult
    public func send(
        _ request: RestRequest, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<RestResponse, RestError>) -> Void
    ) -> RestTask {
        RestTask(
            Task(name: request.name) {
                let outcome = await outcome(of: request)
                await withCheckedContinuation { delivered in
                    queue.async {
                        completion(outcome)
                        delivered.resume()
                    }
                }
                return outcome
            })
    }
}
