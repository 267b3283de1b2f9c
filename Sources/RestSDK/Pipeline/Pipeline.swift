// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The way of every request: through the interceptors, outermost first, to the transport, and back.
struct Pipeline: Sendable {
    let interceptors: [any Interceptor]
    let transport: any HTTPTransport
    let observer: Observer
    let clock: any MonotonicClock

    /// Sends the request through every step.
    func run(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        try await run(request, context, from: 0)
    }

    private func run(
        _ request: HTTPRequest, _ context: RequestContext, from step: Int
    ) async throws(RestError) -> HTTPResponse {
        guard step < interceptors.count else { return try await exchange(request, context) }
        return try await interceptors[step].intercept(request, context: context) {
            (request, context) async throws(RestError) in
            try await run(request, context, from: step + 1)
        }
    }

    /// One attempt, unless the call has ended.
    private func exchange(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        if clock.now >= context.deadline { context.life.end(.timedOut) }
        let number = try context.life.begin(isWrite: context.request.isWrite)
        defer { context.life.attemptEnded() }
        return try await observer.attempt(number, context) { () async throws(RestError) in
            do throws(TransportError) {
                guard let progress = observer.progress(context) else {
                    return try await transport.send(request, deadline: context.deadline)
                }
                return try await transport.send(request, deadline: context.deadline, progress: progress)
            } catch {
                throw RestError(error, isWrite: context.request.isWrite)
            }
        }
    }
}
