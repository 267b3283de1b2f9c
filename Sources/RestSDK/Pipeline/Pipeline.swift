// SPDX-License-Identifier: Apache-2.0

import RestTransport

/// The way of every request: through the interceptors, outermost first, to the transport, and back.
final class Pipeline: Sendable {
    /// The host's own steps, which are not trusted to heed a cancellation or the deadline.
    let hostSteps: [any Interceptor]
    let steps: [any Interceptor]
    let transport: any HTTPTransport
    let observer: Observer
    let clock: any MonotonicClock
    /// Gives the attempts their time, where a call has no policy of its own.
    let retryPolicy: RetryPolicy

    init(
        hostSteps: [any Interceptor], steps: [any Interceptor], transport: any HTTPTransport, observer: Observer,
        clock: any MonotonicClock, retryPolicy: RetryPolicy
    ) {
        self.hostSteps = hostSteps
        self.steps = steps
        self.transport = transport
        self.observer = observer
        self.clock = clock
        self.retryPolicy = retryPolicy
    }

    /// Sends the request through every step.
    func run(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        guard !hostSteps.isEmpty else { return try await run(request, context, from: 0) }
        // A call that was ended before is none of the host's business.
        if let ending = context.life.ending {
            throw RestError(ending, outcome: context.request.isWrite ? .notApplied : nil)
        }
        let outcome = await HostWork().outcome(in: context.life, until: context.deadline, clock: clock) { host in
            await self.result { () async throws(RestError) in try await self.run(request, context, from: 0, for: host) }
        }
        switch outcome {
        case .value(.success(let response)): return response
        case .value(.failure(let error)):
            throw error.supposing(context.request.isWrite ? context.life.reachedOutcome : nil)
        case .abandoned(let ending): throw context.life.abandoned(ending, isWrite: context.request.isWrite)
        }
    }

    /// The host's own steps, and then the SDK's.
    private func run(
        _ request: HTTPRequest, _ context: RequestContext, from step: Int,
        for host: HostWork<Result<HTTPResponse, RestError>>
    ) async throws(RestError) -> HTTPResponse {
        guard step < hostSteps.count else {
            host.stepsBegin()
            let result = await result { () async throws(RestError) in try await run(request, context, from: 0) }
            context.life.stepsEnded(result)
            host.stepsEnd()
            return try result.get()
        }
        return try await hostSteps[step].intercept(request, context: context) {
            (request, context) async throws(RestError) in
            try await run(request, context, from: step + 1, for: host)
        }
    }

    private func run(
        _ request: HTTPRequest, _ context: RequestContext, from step: Int
    ) async throws(RestError) -> HTTPResponse {
        guard step < steps.count else { return try await exchange(request, context) }
        return try await steps[step].intercept(request, context: context) {
            (request, context) async throws(RestError) in
            try await run(request, context, from: step + 1)
        }
    }

    private func result(
        of work: () async throws(RestError) -> HTTPResponse
    ) async -> Result<HTTPResponse, RestError> {
        do throws(RestError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    /// One attempt, unless the call has ended or there is no time for it.
    private func exchange(_ request: HTTPRequest, _ context: RequestContext) async throws(RestError) -> HTTPResponse {
        let now = clock.now
        if !context.hasTime(at: now) { context.life.end(.timedOut) }
        let number = try context.life.begin(isWrite: context.request.isWrite)
        defer { context.life.attemptEnded() }
        let limit = (context.request.retryPolicy ?? retryPolicy).attemptTimeout
        let deadline = limit.map { min(now + $0.bounded, context.deadline) } ?? context.deadline
        return try await observer.attempt(number, context) { () async throws(RestError) in
            do throws(TransportError) {
                return try await answer(to: request, deadline: deadline, context)
            } catch {
                throw RestError(error, isWrite: context.request.isWrite)
            }
        }
    }

    /// What the transport comes to; whatever ends the call from outside ends the transport's work too.
    private func answer(
        to request: HTTPRequest, deadline: ContinuousClock.Instant, _ context: RequestContext
    ) async throws(TransportError) -> HTTPResponse {
        let progress = observer.progress(context)
        let path = context.request.downloadPath
        return try await context.life.interruptible { () -> Result<HTTPResponse, TransportError> in
            do throws(TransportError) {
                return .success(
                    try await self.transport.answer(to: request, in: path, deadline: deadline, progress: progress))
            } catch {
                return .failure(error)
            }
        }.get()
    }
}

extension HTTPTransport {
    /// Sends the request in the way that fits where the answer goes and who wants to know how far it is.
    fileprivate func answer(
        to request: HTTPRequest, in path: String?, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        if let path { return try await download(request, to: path, deadline: deadline, progress: progress) }
        return try await send(request, deadline: deadline, progress: progress)
    }
}
