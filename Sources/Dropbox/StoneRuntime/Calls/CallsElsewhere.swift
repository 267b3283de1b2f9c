// SPDX-License-Identifier: Apache-2.0

public import RestSDK
public import RestTransport

/// Calls that are sent by other means than their client, such as in the background by the system.
///
/// The request can be made in one launch of an app and the answer read in the next: make the same call again for it.
extension DownloadCall {
    /// The request with the token that is good now; a secret.
    ///
    /// - Throws: `RestError`, as when the call is sent.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// What an answer to such a request means, whose content went elsewhere.
    ///
    /// - Throws: ``CallError``, as when the call is sent.
    public func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.route.value(in: answer)
    }
}

extension RouteCall {
    /// The request with the token that is good now; a secret.
    ///
    /// - Throws: `RestError`, as when the call is sent.
    public func signedRequest() async throws(RestError) -> HTTPRequest {
        try await client.signedRequest(for: request.makeRequest())
    }

    /// What an answer to such a request means.
    ///
    /// - Throws: ``CallError``, as when the call is sent.
    public func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        try request.value(in: answer)
    }
}

extension RouteEndpoint {
    fileprivate func value(in answer: HTTPResponse) throws(CallError<Failure>) -> Output {
        guard (200..<300).contains(answer.head.status) else {
            let error = RestError(refusal: answer, isWrite: !info.isRead)
            throw routeError(from: error).map { .route($0, error) } ?? .rest(error)
        }
        do throws(RestError) {
            return try content(of: answer)
        } catch {
            throw .rest(error)
        }
    }

    private func content(of answer: HTTPResponse) throws(RestError) -> Output {
        if info.style == Download.name { return try content(from: answer.head) }
        do throws(JSONDecodingError) {
            return try decode(answer.body)
        } catch {
            throw RestError(.decoding, "\(error)", response: answer.head, body: answer.body, underlying: error)
        }
    }
}
