// SPDX-License-Identifier: Apache-2.0

package import RestBase
import Synchronization

/// Accepts connections on 127.0.0.1 and serves each on its own thread, until it is stopped.
package final class ConnectionServer: Sendable {
    private struct State {
        var isStopping = false
        /// The number of threads, including the accepting thread, the last of which reports the end.
        var threads = 1
        var accepted = 0
        /// The open sockets by the number of their connection, so that stopping can interrupt them.
        var sockets: [Int: [Socket]] = [:]
    }

    /// Handles a connection, which is closed when the handler returns.
    package typealias Handler = @Sendable (_ server: ConnectionServer, _ index: Int, _ socket: Socket) -> Void

    private struct Reports: Sendable {
        let onOpen: @Sendable () -> Void
        let onStop: @Sendable () -> Void
        let handler: Handler
        let onClose: @Sendable (Int) -> Void
    }

    package let port: Int
    private let state = Mutex(State())

    /// Starts a server, which calls `onOpen` for each connection in order, and then `handler` on a separate thread.
    ///
    /// It calls `onStop` after it was stopped, its threads have finished and everything is closed.
    package init(
        onOpen: @escaping @Sendable () -> Void, onStop: @escaping @Sendable () -> Void, handler: @escaping Handler,
        onClose: @escaping @Sendable (Int) -> Void
    ) throws(Socket.Failure) {
        let reports = Reports(onOpen: onOpen, onStop: onStop, handler: handler, onClose: onClose)
        let listener = try Socket.listening()
        port = listener.port
        // The thread takes ownership of the listener, so that it is closed before `onStop` is called.
        let handover = Mutex<Socket?>(listener)
        let isStarted = WorkerThread.start { [self] in
            accept(on: handover.withLock { $0.take() }, reports)
            endThread(reports)
        }
        guard isStarted else { throw Socket.Failure(call: "pthread_create", code: EAGAIN) }
    }

    package var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Ends all blocking calls of all connections, now and later, and accepts no more.
    package func stop() {
        let sockets = state.withLock { state in
            state.isStopping = true
            return state.sockets.values.flatMap(\.self)
        }
        for socket in sockets {
            socket.interrupt()
        }
    }

    /// Adds a socket that stopping interrupts, or returns `false` if the server is already stopping.
    package func register(_ socket: Socket, for index: Int) -> Bool {
        state.withLock { state in
            if !state.isStopping { state.sockets[index, default: []].append(socket) }
            return !state.isStopping
        }
    }

    /// Waits for the duration, or until the server is stopped, and returns whether the duration has passed.
    @discardableResult
    package func pause(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isStopping {
            let left = end - .now
            guard left > .zero else { return true }
            let parts = min(left, .milliseconds(20)).components
            var wanted = timespec(tv_sec: Int(parts.seconds), tv_nsec: Int(parts.attoseconds / 1_000_000_000))
            unsafe nanosleep(&wanted, nil)
        }
        return false
    }

    private func accept(on listener: Socket?, _ reports: Reports) {
        while !isStopping {
            guard let index = admit(next(of: listener)) else { continue }
            reports.onOpen()
            let isStarted = WorkerThread.start { [self] in
                serve(index, reports)
                endThread(reports)
            }
            guard !isStarted else { continue }
            close(index, reports)
            endThread(reports)
        }
    }

    /// The next connection, or `nil` after a while without one.
    private func next(of listener: Socket?) -> Socket? {
        do {
            return try listener?.accepted(withinMilliseconds: 20)
        } catch {
            // The connection stays in the queue, so accepting again at once would spin.
            pause(.milliseconds(20))
            return nil
        }
    }

    private func admit(_ socket: Socket?) -> Int? {
        guard let socket else { return nil }
        return state.withLock { state in
            guard !state.isStopping else { return nil }
            defer { state.accepted += 1 }
            state.threads += 1
            state.sockets[state.accepted] = [socket]
            return state.accepted
        }
    }

    private func serve(_ index: Int, _ reports: Reports) {
        if let socket = state.withLock({ $0.sockets[index]?.first }) { reports.handler(self, index, socket) }
        close(index, reports)
    }

    private func close(_ index: Int, _ reports: Reports) {
        // The sockets are closed when they are released, after the lock.
        _ = state.withLock { $0.sockets.removeValue(forKey: index) }
        reports.onClose(index)
    }

    private func endThread(_ reports: Reports) {
        let isLast = state.withLock { state in
            state.threads -= 1
            return state.threads == 0
        }
        if isLast { reports.onStop() }
    }
}
