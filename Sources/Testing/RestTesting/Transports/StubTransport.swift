// SPDX-License-Identifier: Apache-2.0

public import RestTransport
import Synchronization

/// A transport that returns scripted responses, without a network.
///
/// Each request takes the first unused answer whose condition is true, and each answer is used once. A request without
/// an answer fails with `.other`, so that a test never hangs.
public final class StubTransport: HTTPTransport {
    /// The outcome of a request.
    public enum Response: Sendable {
        /// A response.
        case response(HTTPResponse)
        /// An error.
        case failure(TransportError)
        /// No response until the deadline passes on the transport's clock, or the task is cancelled.
        case silence
    }

    private struct Entry: Sendable {
        let condition: @Sendable (HTTPRequest) -> Bool
        let response: Response
    }

    private struct State {
        var entries: [Entry] = []
        var requests: [HTTPRequest] = []
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    /// Creates a transport without answers.
    ///
    /// - Parameter clock: the clock for deadlines. Pass the client's clock, so that a test does not have to wait.
    public init(clock: any MonotonicClock = ContinuousClock()) {
        self.clock = clock
    }

    /// Adds an answer for the first request for which the condition is true.
    public func enqueue(_ response: Response, when condition: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true })
    {
        state.withLock { $0.entries.append(Entry(condition: condition, response: response)) }
    }

    /// Adds a response with this body.
    public func enqueue(status: Int = 200, fields: HTTPFields = [:], _ body: String = "") {
        let head = HTTPResponse.Head(status: status, fields: fields)
        enqueue(.response(HTTPResponse(head: head, body: Array(body.utf8))))
    }

    /// The requests so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The number of unused answers.
    public var unusedResponses: Int { state.withLock { $0.entries.count } }

    /// Returns the next answer for the request, as in `HTTPTransport`.
    public func send(
        _ request: HTTPRequest, to destination: HTTPResponse.Destination, deadline: ContinuousClock.Instant,
        progress: TransferProgress.Handler?
    ) async throws(TransportError) -> HTTPResponse {
        guard !Task.isCancelled else {
            throw TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: false)
        }
        switch try take(request) {
        case .response(let response):
            let size = Int64(response.body.count)
            progress?(TransferProgress(received: size, receivedTotal: size))
            return response
        case .failure(let error): throw error
        case .silence:
            let slept: Void? = try? await clock.sleep(until: deadline, tolerance: nil)
            throw slept == nil
                ? TransportError(.cancelled, "the task was cancelled", mayHaveReachedServer: true)
                : TransportError(.timedOut, "the deadline passed", mayHaveReachedServer: true)
        }
    }

    /// Makes later calls fail with `.shutDown`.
    public func shutdown() async {
        state.withLock { $0.isShutDown = true }
    }

    private func take(_ request: HTTPRequest) throws(TransportError) -> Response {
        let (isShutDown, response) = state.withLock { state -> (Bool, Response?) in
            guard !state.isShutDown else { return (true, nil) }
            state.requests.append(request)
            guard let index = state.entries.firstIndex(where: { $0.condition(request) }) else { return (false, nil) }
            return (false, state.entries.remove(at: index).response)
        }
        if isShutDown { throw TransportError(.shutDown, "the transport was shut down", mayHaveReachedServer: false) }
        guard let response else {
            throw TransportError(
                .other, "the stub has no response for this request; enqueue one", mayHaveReachedServer: false)
        }
        return response
    }
}
