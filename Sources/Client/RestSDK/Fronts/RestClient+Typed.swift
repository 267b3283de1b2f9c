// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import RestJSON

/// Answers as values of your own types, without an endpoint: a failure is a ``RestError``.
extension RestClient {
    /// Sends a request and gives its answer as a value of a type.
    ///
    /// A long answer is decoded off the caller's actor, and a call that ends meanwhile does not wait for that. Ask for
    /// ``RestResponse/Empty`` or an optional type where the answer may be empty.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    /// - Returns: the value.
    /// - Throws: ``RestError``; ``RestError/Code/decoding`` with the path of the first value that does not fit.
    public func send<Value: Decodable & SendableMetatype>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) async throws(RestError) -> Value {
        try await content(of: request) { (response) throws(RestError) in try response.decode(type, options: options) }
    }

    /// Sends a request and gives its answer as a value of a type that only its own actor can decode; the same as the
    /// other method, but that the answer is decoded where the caller is.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    /// - Returns: the value.
    /// - Throws: ``RestError``; ``RestError/Code/decoding`` with the path of the first value that does not fit.
    public func send<Value: Decodable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation()
    ) async throws(RestError) -> Value {
        let response = try await response(to: request)
        do throws(RestError) {
            return try response.decode(type, options: options)
        } catch {
            throw await runner.told(error, of: request).trimmed
        }
    }

    /// Sends a request and hands its answer as a value to a closure on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closure touches.
    ///   - completion: gets the outcome.
    /// - Returns: the call under way.
    @discardableResult
    public func send<Value: Decodable & Sendable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation(),
        priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        completion: @escaping (Result<Value, RestError>) -> Void
    ) -> CallTask<Value, RestError> {
        sending(request, as: type, options: options).start(priority, isolation: isolation, deliver: completion)
    }

    /// Sends a request and hands its answer as a value to a closure on a queue, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closure is called.
    ///   - completion: gets the outcome.
    /// - Returns: the call under way.
    @discardableResult
    public func send<Value: Decodable & Sendable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation(),
        priority: TaskPriority? = nil, on queue: DispatchQueue,
        completion: @escaping @Sendable (Result<Value, RestError>) -> Void
    ) -> CallTask<Value, RestError> {
        sending(request, as: type, options: options).start(priority, on: queue, deliver: completion)
    }

    /// Sends a request and calls one of two closures on the caller's actor, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - isolation: the caller's actor; a caller on none hears on a thread of the concurrency runtime, and names a
    ///     queue to have the compiler check what its closures touch.
    ///   - success: gets the value.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send<Value: Decodable & Sendable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation(),
        priority: TaskPriority? = nil, isolation: isolated (any Actor)? = #isolation,
        success: @escaping (Value) -> Void, failure: @escaping (RestError) -> Void
    ) -> CallTask<Value, RestError> {
        sending(request, as: type, options: options).start(priority, isolation: isolation) { $0.call(success, failure) }
    }

    /// Sends a request and calls one of two closures on a queue, once.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - type: what to read of the answer.
    ///   - options: how names, dates and decimals are read.
    ///   - priority: the priority of the work; `nil` takes the caller's.
    ///   - queue: where the closures are called.
    ///   - success: gets the value.
    ///   - failure: gets the error, also that of a call that was cancelled or timed out.
    /// - Returns: the call under way.
    @discardableResult
    public func send<Value: Decodable & Sendable>(
        _ request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation(),
        priority: TaskPriority? = nil, on queue: DispatchQueue,
        success: @escaping @Sendable (Value) -> Void, failure: @escaping @Sendable (RestError) -> Void
    ) -> CallTask<Value, RestError> {
        sending(request, as: type, options: options).start(priority, on: queue) { $0.call(success, failure) }
    }
}
