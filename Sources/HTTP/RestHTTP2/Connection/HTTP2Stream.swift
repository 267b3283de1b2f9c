// SPDX-License-Identifier: Apache-2.0

package import RestTransport
import Synchronization

/// A stream of a connection, which one task reads and one task writes.
///
/// Cancelling a task that waits here resets the stream, and so does releasing the stream before both sides have
/// finished.
package final class HTTP2Stream: Sendable {
    private let core: StreamCore
    /// The connection, which lives as long as its streams.
    private let owner: HTTP2Connection?

    init(_ core: StreamCore, owner: HTTP2Connection?) {
        (self.core, self.owner) = (core, owner)
    }

    deinit { core.abandon() }

    package func response() async throws(HTTP2Error) -> HTTP2Response {
        try await core.wait(isReader: true) { $0.lookAtHead() }
    }

    /// Waits for bytes of the body, and returns all that have arrived, or `nil` at the end.
    ///
    /// The peer may send more when the bytes were taken.
    package func receive() async throws(HTTP2Error) -> [UInt8]? {
        let bytes = try await core.wait(isReader: true) { $0.take() }
        let credit = core.state.withLock { $0.takeCredit(window: core.loop.settings.streamWindow) }
        if credit > 0 { try? core.post { $0.consume($1, credit) } }
        return bytes
    }

    /// The headers after the body, or `nil` before its end or if there are none.
    package var trailers: HTTPFields? { core.state.withLock(\.trailers) }

    /// Sends the head of a server's response, which is the whole response if `isEnd` is `true`.
    package func respond(
        _ response: HTTP2Response = HTTP2Response(status: 200), isEnd: Bool = false
    ) throws(HTTP2Error) {
        if isEnd { try core.finish() }
        try core.post { [core] session, id in
            do throws(HTTP2Error) { try session.respond(id, response, isEnd: isEnd) } catch {
                core.fail(error)
                session.reset(id, .internalError)
            }
        }
    }

    /// Sends bytes, the last ones if `isEnd` is `true`, and waits while too many are queued.
    ///
    /// - Throws: `HTTP2Error` if the stream has failed or already finished sending.
    package func send(_ bytes: [UInt8], isEnd: Bool = false) async throws(HTTP2Error) {
        try await core.wait(isReader: false) { $0.reserve(bytes.count, isEnd: isEnd) }
        try core.post { $0.send($1, bytes, isEnd: isEnd) }
    }

    package func finish(trailers: HTTPFields) throws(HTTP2Error) {
        try core.finish()
        try core.post { $0.finish($1, trailers: trailers) }
    }

    /// Resets the stream, whose tasks then throw the error.
    package func cancel(_ code: HTTP2ErrorCode = .cancel, _ error: HTTP2Error = .cancelled) {
        core.cancel(code, error)
    }
}

/// The part of a stream that the loop of the connection uses.
final class StreamCore: Sendable {
    typealias State = StreamState<CheckedContinuation<Void, Never>>

    /// The stream's identifier, unchecked because only the loop's thread uses it.
    nonisolated(unsafe) var id: Int32 = 0
    let state = Mutex(State())
    /// The task of a server's handler, which ends with the stream.
    private let handler = Mutex<Task<Void, Never>?>(nil)
    let loop: HTTP2Loop
    private let role: HTTP2Session.Role

    init(loop: HTTP2Loop, role: HTTP2Session.Role) { (self.loop, self.role) = (loop, role) }

    /// Waits until the state is ready.
    ///
    /// - Throws: the stream's error, or `.cancelled` after it has reset the stream.
    func wait<Value: Sendable>(
        isReader: Bool, _ look: @Sendable (inout State) -> State.Look<Value>
    ) async throws(HTTP2Error) -> Value {
        var outcome = state.withLock { look(&$0) }
        while true {
            switch outcome {
            case .ready(let value): return value
            case .failed(let error): throw error
            case .wait: outcome = await nextLook(isReader: isReader, look)
            }
        }
    }

    /// Looks at the state, waits for a change if it is not ready, and returns what it saw before the change.
    private func nextLook<Value: Sendable>(
        isReader: Bool, _ look: @Sendable (inout State) -> State.Look<Value>
    ) async -> State.Look<Value> {
        await withTaskCancellationHandler {
            var outcome = State.Look<Value>.wait
            await withCheckedContinuation { waiter in
                outcome = state.withLock { state in
                    let outcome = look(&state)
                    guard case .wait = outcome else { return outcome }
                    return state.wait(waiter, isReader: isReader) ? .wait : .failed(Self.busy)
                }
                if case .wait = outcome { return }
                waiter.resume()
            }
            return outcome
        } onCancel: {
            cancel(.cancel, .cancelled)
        }
    }

    private static let busy = HTTP2Error(.invalidUse, "another task already waits for the stream")

    /// Marks this side as finished, for a last message that needs no room.
    func finish() throws(HTTP2Error) {
        if let error = state.withLock({ $0.finish() }) { throw error }
    }

    func post(_ command: HTTP2Loop.Command) throws(HTTP2Error) {
        guard !loop.post(command) else { return }
        fail(loop.ending)
        throw loop.ending
    }

    /// Passes the session and the stream's identifier to a command, on the thread of the connection.
    func post(_ command: @escaping @Sendable (HTTP2Session, Int32) -> Void) throws(HTTP2Error) {
        try post(.use { [self] session in unsafe command(session, id) })
    }

    func cancel(_ code: HTTP2ErrorCode, _ error: HTTP2Error) {
        guard !state.withLock(\.isOver) else { return }
        fail(error)
        try? post { $0.reset($1, code) }
    }

    /// Resets the stream if it is not over, because it has no user any more.
    ///
    /// The whole response of a server is still sent, after which its session stops the client.
    func abandon() {
        guard role == .client || !state.withLock(\.hasFinished) else { return }
        cancel(.cancel, HTTP2Error(.cancelled, "the stream was released"))
    }

    func fail(_ error: HTTP2Error) {
        for waiter in state.withLock({ $0.fail(error) }) { waiter.resume() }
        handler.withLock { $0.take() }?.cancel()
    }

    /// Stores the task of the handler, which is cancelled if the stream has already failed.
    func run(_ task: Task<Void, Never>) {
        handler.withLock { $0 = task }
        if state.withLock(\.error) != nil { handler.withLock { $0.take() }?.cancel() }
    }
}
