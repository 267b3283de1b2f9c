// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestTransport

/// Talks to one org as one account: sends ``RestRequest`` values and gives back ``RestResponse`` values.
///
/// Every calling style (async, closures, delegate, sequences) is a few lines over ``send(_:)``, so all of them sign, renew
/// tokens, time out, cancel and fail alike. A client is immutable and may be shared by any number of tasks and threads.
public final class RestClient: Sendable {
    private let configuration: RestClientConfiguration
    private let tokens: TokenManager
    private let builder: RequestBuilder
    private let pipeline: Pipeline
    private let observer: Observer
    private let login: Origin?

    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the account's tokens.
    ///   - login: where calls go that need no login, as long as nobody is logged in.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, login: Origin? = nil, configuration: RestClientConfiguration = RestClientConfiguration()
    ) {
        self.login = login
        self.configuration = configuration
        self.tokens = tokens
        builder = RequestBuilder(apiVersion: configuration.apiVersion, userAgent: configuration.userAgent)
        observer = Observer(sink: configuration.eventSink, clock: configuration.clock)
        pipeline = Pipeline(
            interceptors: configuration.interceptors + [
                Retrying(
                    policy: configuration.retryPolicy, budget: RetryBudget(), clock: configuration.clock,
                    draw: { .random(in: 0..<1) }),
                Authorizing(tokens: tokens),
                Redirecting(policy: configuration.redirectPolicy),
                StatusChecking(),
                Compositing(),
            ],
            transport: configuration.transport, observer: observer)
    }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``RestError``. Cancelling the task ends the call with ``RestError/Code/cancelled``, passing its time limit with
    ///   ``RestError/Code/timedOut``.
    @concurrent
    public func send(_ request: RestRequest) async throws(RestError) -> RestResponse {
        let context = RequestContext(
            request: request, call: observer.nextCall(),
            deadline: configuration.clock.now + (request.timeout ?? configuration.timeout))
        return try await observer.call(context) { () async throws(RestError) in
            let http = try builder.request(for: request, instance: await instance(context))
            let summary = RequestSummary(name: request.name, method: http.method, path: http.url.path)
            do throws(RestError) {
                let response = try await pipeline.run(http, context)
                return try RestResponse(response, expecting: request.expectation, isWrite: request.isWrite)
            } catch {
                throw error.about(summary)
            }
        }
    }

    /// The instance that the account's token belongs to; logs in first if there is no token yet.
    private func instance(_ context: RequestContext) async throws(RestError) -> Origin {
        if !context.request.isAuthorized, let login, !tokens.hasCredential { return login }
        do {
            return try await tokens.credential(deadline: context.deadline).credential.instance
        } catch {
            throw RestError(error, isWrite: context.request.isWrite)
        }
    }
}
