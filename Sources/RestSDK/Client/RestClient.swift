// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestTransport

/// Talks to one org as one account: sends ``RestRequest`` values and gives back ``RestResponse`` values.
///
/// Every calling style (async, closures, delegate, sequences) is a few lines over ``send(_:)``, so all of them sign, renew
/// tokens, time out, cancel and fail alike. A client is immutable and may be shared by any number of tasks and threads.
public final class RestClient: Sendable {
    let runner: CallRunner

    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the account's tokens.
    ///   - login: where calls go that need no login, as long as nobody is logged in.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, login: Origin? = nil, configuration: RestClientConfiguration = RestClientConfiguration()
    ) {
        let clock = configuration.clock
        let observer = Observer(sink: configuration.eventSink, clock: clock)
        let retrying = Retrying(
            policy: configuration.retryPolicy, budget: RetryBudget(), clock: clock, draw: { .random(in: 0..<1) })
        runner = CallRunner(
            timeout: configuration.timeout, clock: clock, tokens: tokens, login: login,
            builder: RequestBuilder(apiVersion: configuration.apiVersion, userAgent: configuration.userAgent),
            retrying: retrying,
            pipeline: Pipeline(
                interceptors: configuration.interceptors + [
                    retrying, Authorizing(tokens: tokens), Redirecting(policy: configuration.redirectPolicy),
                    StatusChecking(), Compositing(),
                ],
                transport: configuration.transport, observer: observer, clock: clock),
            observer: observer, handlers: ErrorHandlers())
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``RestError``. Cancelling the task ends the call with ``RestError/Code/cancelled``, passing its time limit with
    ///   ``RestError/Code/timedOut``.
    @concurrent
    public func send(_ request: RestRequest) async throws(RestError) -> RestResponse {
        try await runner.run(request) { $0 }
    }

    /// Sends a request, tells how far the bodies have come, and waits for the answer.
    ///
    /// - Parameters:
    ///   - request: what to ask.
    ///   - progress: is called by a thread of the transport's while an attempt runs and at its end; must return quickly.
    /// - Throws: ``RestError``, as ``send(_:)`` does.
    @concurrent
    public func send(
        _ request: RestRequest, progress: @escaping TransferProgress.Handler
    ) async throws(RestError) -> RestResponse {
        try await runner.run(request, progress: progress) { $0 }
    }
}
