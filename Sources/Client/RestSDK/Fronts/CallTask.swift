// SPDX-License-Identifier: Apache-2.0

import Dispatch
import RestBase
package import RestJSON
public import RestTransport

/// A call under way that was started with a delegate or a closure.
public struct CallTask<Value: Sendable, Failure: Error>: Sendable {
    /// The priority that was asked for; `nil` takes the caller's.
    public let priority: TaskPriority?

    private let task: Task<Result<Value, Failure>, Never>
    private let feed: LatestValueFeed<TransferProgress>

    fileprivate init(
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

/// What a front sends, and what its caller hears: a request or an endpoint.
package struct Sending<Value: Sendable, Failure: Error>: Sendable {
    /// The call's kind, which names its task.
    let name: String
    /// Sends it and waits for the result.
    let outcome: @concurrent @Sendable (Call.Options) async -> Result<Value, Failure>

    /// Starts the call and hands its result to a function on the caller's actor, once; on a thread of the concurrency
    /// runtime for a caller on none.
    func start(
        _ priority: TaskPriority?, isolation: isolated (any Actor)?,
        deliver: @escaping (Result<Value, Failure>) -> Void
    ) -> CallTask<Value, Failure> {
        let feed = LatestValueFeed<TransferProgress>()
        let task = Task(name: name, priority: priority) {
            _ = isolation  // the task stays on the caller's actor, and so does the function
            let result = await result(telling: feed)
            deliver(result)
            return result
        }
        return CallTask(task, feed, priority)
    }

    /// Starts the call and hands its result to a function on a queue, once.
    func start(
        _ priority: TaskPriority?, on queue: DispatchQueue,
        deliver: @escaping @Sendable (Result<Value, Failure>) -> Void
    ) -> CallTask<Value, Failure> {
        let feed = LatestValueFeed<TransferProgress>()
        let task = Task(name: name, priority: priority) {
            let result = await result(telling: feed)
            await withCheckedContinuation { delivered in
                queue.async {
                    deliver(result)
                    delivered.resume()
                }
            }
            return result
        }
        return CallTask(task, feed, priority)
    }

    private func result(telling feed: LatestValueFeed<TransferProgress>) async -> Result<Value, Failure> {
        defer { feed.finish() }
        return await outcome(Call.Options(progress: { feed.report($0) }))
    }
}

extension RestClient {
    /// A request as the fronts send it.
    package func sending(_ request: RestRequest) -> Sending<RestResponse, RestError> {
        Sending(name: request.name) { options in
            do throws(RestError) {
                return .success(try await self.response(to: request, options))
            } catch {
                return .failure(error)
            }
        }
    }

    /// A request as the fronts send it, with its answer as a value of a type.
    package func sending<Value: Decodable & Sendable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions
    ) -> Sending<Value, RestError> {
        Sending(name: request.name) { call in
            do throws(RestError) {
                return .success(
                    try await self.content(
                        of: request, { (response) throws(RestError) in try response.decode(type, options: options) },
                        call))
            } catch {
                return .failure(error)
            }
        }
    }

    /// An endpoint as the fronts send it.
    package func sending<E: Endpoint>(_ endpoint: E) -> Sending<E.Content, CallError<E.RouteError>>
    where E.Content: Sendable {
        Sending(name: "\(E.self)") { options in
            do throws(CallError<E.RouteError>) {
                return .success(try await self.content(of: endpoint, options))
            } catch {
                return .failure(error)
            }
        }
    }
}
