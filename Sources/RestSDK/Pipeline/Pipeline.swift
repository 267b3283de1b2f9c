// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The way of every attempt: through the interceptors, outermost first, to the transport, and back.
struct Pipeline: Sendable {
    /// The app's own interceptors, which may ignore the end of a call.
    let interceptors: [any Interceptor]
    /// The SDK's steps, which return at once when their task is cancelled.
    let steps: [any Interceptor]
    let transport: any HTTPTransport
    let observer: Observer
    let clock: any MonotonicClock
    /// Gives the attempts their time, where a call has no policy of its own.
    let retryPolicy: RetryPolicy

    /// Sends the request of the call through every step.
    func run(_ request: HTTPRequest, of call: Call) async throws(RestError) -> HTTPResponse {
        let context = RequestContext(call: call)
        guard !interceptors.isEmpty else { return try await ownSteps(request, context) }
        do throws(RestError) {
            return try await call.unbound { () async throws(RestError) in try await enter(0, request, context) }
        } catch {
            throw error.supposing(call.reachedOutcome)
        }
    }

    /// The app's interceptor of this number and those behind it.
    private func enter(
        _ number: Int, _ request: HTTPRequest, _ context: RequestContext
    ) async throws(RestError) -> HTTPResponse {
        guard number < interceptors.count else {
            return try await context.call.bound { () async throws(RestError) in try await ownSteps(request, context) }
        }
        return try await interceptors[number].intercept(request, context: context) {
            (request) async throws(RestError) in try await enter(number + 1, request, context)
        }
    }

    /// All of the SDK's steps; what they come to is known, whatever the app's code makes of it.
    private func ownSteps(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        do throws(RestError) {
            let response = try await step(0, request, context)
            context.call.reached(nil)
            return response
        } catch {
            context.call.reached(error)
            throw error
        }
    }

    /// The SDK's step of this number and those behind it.
    private func step(
        _ number: Int, _ request: HTTPRequest, _ context: RequestContext
    ) async throws(RestError) -> HTTPResponse {
        guard number < steps.count else { return try await attempt(request, context.call) }
        return try await steps[number].intercept(request, context: context) {
            (request) async throws(RestError) in try await step(number + 1, request, context)
        }
    }

    /// One attempt, unless the call has ended or there is no time for it.
    private func attempt(_ request: HTTPRequest, _ call: Call) async throws(RestError) -> HTTPResponse {
        let start = clock.now
        let number = try call.beginAttempt(at: start)
        defer { call.attemptEnded() }
        let deadline = deadline(of: call, from: start)
        observer.report(.attemptStarted(number: number), call)
        let result: Result<HTTPResponse, RestError>
        do throws(TransportError) {
            result = .success(
                try await call.destination.answer(
                    to: request, from: transport, deadline: deadline, progress: observer.progress(call)))
        } catch {
            result = .failure(RestError(error, isWrite: call.request.isWrite))
        }
        observer.attemptEnded(number, result, since: start, call)
        return try result.get()
    }

    /// When an attempt ends at the latest.
    private func deadline(of call: Call, from start: ContinuousClock.Instant) -> ContinuousClock.Instant {
        // The body of a stream comes at its reader's pace, for as long as the call may take.
        guard call.destination.isStream else {
            let limit = (call.request.retryPolicy ?? retryPolicy).attemptTimeout
            return limit.map { min(start + $0.bounded, call.deadline) } ?? call.deadline
        }
        return call.request.streamTimeout.map { max(start + $0.bounded, call.deadline) } ?? call.deadline
    }
}
