// SPDX-License-Identifier: Apache-2.0

public import RestAuth
public import RestTransport

/// Talks to one org as one account: sends ``RestRequest`` values and gives back ``RestResponse`` values.
///
/// Every calling style (async, closures, delegate, sequences) is a few lines over ``send(_:)->RestResponse``, so all of
/// them sign, renew tokens, time out, cancel and fail alike. A client is immutable and may be shared by any number of
/// tasks and threads.
public final class RestClient: Sendable {
    let runner: CallRunner

    /// Makes a client over the tokens of one account.
    ///
    /// - Parameters:
    ///   - tokens: the account's tokens.
    ///   - login: where calls go that need no login, as long as nobody is logged in.
    ///   - configuration: everything else.
    public init(
        tokens: TokenManager, login: Origin? = nil, configuration: RestClient.Configuration = RestClient.Configuration()
    ) {
        runner = CallRunner(tokens: tokens, login: login, configuration: configuration)
    }

    /// What the org told last of its daily allowance of API calls; `nil` before it told.
    public var allowance: APIAllowance? { runner.limiter.allowance }

    /// What times are measured on.
    package var clock: any MonotonicClock { runner.clock }

    /// The version of the API that its calls are of.
    package var apiVersion: APIVersion { runner.builder.apiVersion }

    /// Sends a request and waits for its answer.
    ///
    /// - Throws: ``RestError``. Cancelling the task ends the call with ``RestError/Code/cancelled``, passing its time
    ///   limit with ``RestError/Code/timedOut``.
    @concurrent
    public func send(_ request: RestRequest) async throws(RestError) -> RestResponse {
        try await response(to: request)
    }

    /// The answer to a request, for every front.
    func response(
        to request: RestRequest, _ options: Call.Options = Call.Options()
    ) async throws(RestError) -> RestResponse {
        try await content(of: request, { $0 }, options)
    }

    /// Sends a request and reads its answer, as one call, for modules over this one.
    package func answer<Content>(
        to request: RestRequest, _ read: @escaping @Sendable (RestResponse) throws(RestError) -> sending Content
    ) async throws(RestError) -> Content {
        try await content(of: request, read)
    }

    /// Sends a request and reads its answer, as one call.
    func content<Content>(
        of request: RestRequest, _ read: @escaping @Sendable (RestResponse) throws(RestError) -> sending Content,
        _ options: Call.Options = Call.Options(),
        route: @escaping @Sendable (RestError) -> (any Error)? = { _ in nil }
    ) async throws(RestError) -> Content {
        do throws(RestError) {
            return try await runner.run(request, options, route: route, read: read)
        } catch {
            throw error.trimmed
        }
    }
}
