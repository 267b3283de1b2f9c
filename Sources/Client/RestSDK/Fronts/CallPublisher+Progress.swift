// SPDX-License-Identifier: Apache-2.0

#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
public import RestJSON
public import RestTransport

extension RestClient {
    /// What a publisher of a transfer gives: progress any number of times, then the value.
    public enum TransferEvent<Update: Sendable, Value: Sendable>: Sendable {
        /// How far the transfer is. The newest progress replaces one that was not demanded yet, and the value replaces
        /// both.
        case progress(Update)
        /// The value of the transfer, after which the publisher finishes.
        case finished(Value)
    }

    /// A publisher of a transfer's progress and value, see ``CallPublisher``.
    ///
    /// The transfer starts with the first demand and then does not wait for any.
    public typealias TransferPublisher<Update: Sendable, Value: Sendable, Failure: Error> = CallPublisher<
        TransferEvent<Update, Value>, Failure
    >

    /// A publisher of the progress of a request's bodies, then of its response.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func transferPublisher(
        for request: RestRequest, isolation: isolated (any Actor)? = #isolation
    ) -> TransferPublisher<TransferProgress, RestResponse, RestError> {
        TransferPublisher(progressOf: sending(request), isolation: isolation)
    }

    /// A publisher of the progress of a request's bodies, then of its response as a value of a type.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - type: the type that the response is decoded as.
    ///   - options: how names, dates and decimals are read.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func transferPublisher<Value: Decodable & Sendable>(
        for request: RestRequest, as type: Value.Type, options: JSONDecodingOptions = .foundation(),
        isolation: isolated (any Actor)? = #isolation
    ) -> TransferPublisher<TransferProgress, Value, RestError> {
        TransferPublisher(progressOf: sending(request, as: type, options: options), isolation: isolation)
    }

    /// A publisher of the progress of an endpoint's bodies, then of its content.
    ///
    /// - Parameters:
    ///   - endpoint: the endpoint.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func transferPublisher<E: Endpoint>(
        for endpoint: E, isolation: isolated (any Actor)? = #isolation
    ) -> TransferPublisher<TransferProgress, E.Content, CallError<E.RouteError>> where E.Content: Sendable {
        TransferPublisher(progressOf: sending(endpoint), isolation: isolation)
    }

    /// A publisher of the progress of a download into a file, then of the response's head, see
    /// ``download(_:to:range:)``.
    ///
    /// - Parameters:
    ///   - request: a call that reads, such as ``RestRequest/blob(_:id:field:)``.
    ///   - path: the path of the file, which is replaced if it exists.
    ///   - range: the part of the resource, in bytes, or `nil` for all of it.
    ///   - isolation: the caller's actor.
    /// - Returns: a cold publisher.
    public func downloadPublisher(
        for request: RestRequest, to path: String, range: HTTPRequest.ByteRange? = nil,
        isolation: isolated (any Actor)? = #isolation
    ) -> TransferPublisher<TransferProgress, HTTPResponse.Head, RestError> {
        TransferPublisher(isolation: isolation) { (report) async throws(RestError) in
            try await self.download(request, to: path, range: range, progress: report, route: { _ in nil })
        }
    }
}

extension CallPublisher {
    /// Makes a publisher of a task that reports its progress.
    package init<Update: Sendable, Value: Sendable>(
        isolation: (any Actor)?,
        of task: @escaping @Sendable (_ report: @escaping @Sendable (Update) -> Void) async throws(Failure) -> Value
    ) where Output == RestClient.TransferEvent<Update, Value> {
        self.init(
            ColdSource(
                name: "transfer", progress: Output.progress, value: Output.finished, of: task), isolation: isolation)
    }

    fileprivate init<Value: Sendable>(progressOf sending: Sending<Value, Failure>, isolation: (any Actor)?)
    where Output == RestClient.TransferEvent<TransferProgress, Value> {
        self.init(
            ColdSource(progressOf: sending, progress: Output.progress, value: Output.finished), isolation: isolation)
    }
}
#endif
