// SPDX-License-Identifier: Apache-2.0

public import RestTransport
import Synchronization

/// A transport that answers from a script, without a network.
///
/// Each request takes the first unused answer whose condition fits, and every answer is used once. A request without an
/// answer fails with `.other`, so that a test never hangs.
public final class StubTransport: HTTPTransport {
    /// What a request gets back.
    public enum Answer: Sendable {
        /// A response.
        case response(HTTPResponse)
        /// A failure.
        case failure(TransportError)
        /// No answer until the deadline passes on the transport's clock, or the task is cancelled.
        case silence
    }

    private struct Entry: Sendable {
        let condition: @Sendable (HTTPRequest) -> Bool
        let answer: Answer
    }

    private struct State {
        var entries: [Entry] = []
        var requests: [HTTPRequest] = []
        var isShutDown = false
    }

    private let state = Mutex(State())
    private let clock: any MonotonicClock

    /// Makes a transport without answers.
    ///
    /// - Parameter clock: measures the time without an answer; pass the client's clock, so that a test need not wait.
    public init(clock: any MonotonicClock = ContinuousClock()) {
        self.clock = clock
    }

    /// Adds an answer for the first request that fulfils the condition.
    public func enqueue(_ answer: Answer, when condition: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }) {
        state.withLock { $0.entries.append(Entry(condition: condition, answer: answer)) }
    }

    /// Adds a response whose body is this text.
    public func enqueue(status: Int = 200, fields: HTTPFields = [:], _ body: String = "") {
        let head = HTTPResponse.Head(status: status, fields: fields)
        enqueue(.response(HTTPResponse(head: head, body: Array(body.utf8))))
    }

    /// The requests received so far, in order.
    public var requests: [HTTPRequest] { state.withLock { $0.requests } }

    /// The number of answers that have not been used yet.
    public var unusedAnswers: Int { state.withLock { $0.entries.count } }

    /// Answers from the script; see `HTTPTransport`.
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

    private func take(_ request: HTTPRequest) throws(TransportError) -> Answer {
        let (isShutDown, answer) = state.withLock { state -> (Bool, Answer?) in
            guard !state.isShutDown else { return (true, nil) }
            state.requests.append(request)
            guard let index = state.entries.firstIndex(where: { $0.condition(request) }) else { return (false, nil) }
            return (false, state.entries.remove(at: index).answer)
        }
        if isShutDown { throw TransportError(.shutDown, "the transport was shut down", mayHaveReachedServer: false) }
        guard let answer else {
            throw TransportError(.other, "no answer left for this request", mayHaveReachedServer: false)
        }
        return answer
    }
}
