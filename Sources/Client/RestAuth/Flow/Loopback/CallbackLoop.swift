// SPDX-License-Identifier: Apache-2.0

import RestBase

/// Serves the browser's way back on one thread, many connections at a time, so that none of them can hold up the
/// browser.
struct CallbackLoop {
    private var listeners: [LoopbackSocket]
    private let pipe: WakePipe
    private let rules: CallbackRules
    private let patience: Duration
    private var connections: [CallbackConnection] = []
    private var isOver = false

    /// More than a browser opens; those that come later wait in the system's queue for the time of one request.
    static let connectionLimit = 32

    /// Takes over sockets that listen.
    ///
    /// A connection may take as long as `patience` says for its header, and for taking its answer.
    init(_ listeners: [LoopbackSocket], pipe: WakePipe, rules: CallbackRules, patience: Duration) {
        self.listeners = listeners
        self.pipe = pipe
        self.rules = rules
        self.patience = patience
    }

    /// Serves until the redirect has come, the deadline has passed or the pipe was woken; then the port is closed at
    /// once, and connections that are open get their answers for a moment more.
    ///
    /// `finish` is told the outcome, exactly once.
    mutating func run(until deadline: ContinuousClock.Instant, finish: (Result<String, OAuthError>) -> Void) {
        guard !listeners.isEmpty else {
            return finish(.failure(OAuthError(.invalidRequest, "the listener was used or closed before")))
        }
        while !isOver {
            if let outcome = turn(until: deadline) {
                isOver = true
                listeners = []
                finish(outcome)
            }
        }
        while !connections.isEmpty { _ = turn(until: deadline) }
    }

    /// Waits for something to happen, and handles it.
    private mutating func turn(until deadline: ContinuousClock.Instant) -> Result<String, OAuthError>? {
        let isAwake = wait(until: isOver ? nil : deadline)
        let now = ContinuousClock.now
        if !isOver {
            if isAwake { return .failure(OAuthError(.cancelled, "cancelled while waiting for the browser")) }
            accept(at: now)
        }
        let outcome = serve(at: now)
        if outcome == nil, !isOver, now >= deadline {
            return .failure(OAuthError(.timedOut, "the browser did not come back in time"))
        }
        return outcome
    }

    private mutating func accept(at now: ContinuousClock.Instant) {
        for listener in listeners {
            while connections.count < Self.connectionLimit, let socket = listener.accepted() {
                connections.append(CallbackConnection(socket, at: now, patience: patience))
            }
        }
    }

    private mutating func serve(at now: ContinuousClock.Instant) -> Result<String, OAuthError>? {
        var outcome: Result<String, OAuthError>?
        for index in connections.indices {
            let isLate = isOver || outcome != nil
            outcome = connections[index].advance(by: rules, isOver: isLate, at: now) ?? outcome
            connections[index].expire(at: now)
        }
        connections.removeAll { $0.phase == .closed }
        return outcome
    }

    /// Sleeps until a socket is ready or the next moment at which somebody's time is up.
    ///
    /// - Returns: whether the pipe was woken.
    private func wait(until deadline: ContinuousClock.Instant?) -> Bool {
        var entries = connections.map { entry($0.socket.descriptor, $0.isWriting ? POLLOUT : POLLIN) }
        if let deadline {
            entries.append(entry(pipe.descriptor, POLLIN))
            if connections.count < Self.connectionLimit {
                entries += listeners.map { entry($0.descriptor, POLLIN) }
            }
            _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds(until: deadline))
            return entries[connections.count].revents != 0
        }
        _ = unsafe poll(&entries, nfds_t(entries.count), milliseconds(until: nil))
        return false
    }

    private func entry(_ descriptor: Int32, _ event: Int32) -> pollfd {
        pollfd(fd: descriptor, events: Int16(event), revents: 0)
    }

    /// The time to the earliest limit, rounded up, so that the loop does not spin just before it.
    private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        let limits = connections.compactMap(\.limit) + (deadline.map { [$0] } ?? [])
        guard let next = limits.min() else { return 0 }
        let left = ContinuousClock.now.duration(to: next)
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = left.components
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(seconds * 1_000 + attoseconds / 1_000_000_000_000_000) + 1
    }
}

/// Wakes a thread that waits for sockets; once woken, it stays so.
final class WakePipe: Sendable {
    /// The end that becomes readable.
    let descriptor: Int32
    private let writing: Int32

    /// `nil` when the system has no descriptors left.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        (descriptor, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Wakes the thread; may be called from any thread, also before it waits.
    func wake() {
        var byte: UInt8 = 1
        _ = unsafe write(writing, &byte, 1)
    }
}
