// SPDX-License-Identifier: Apache-2.0

import CMicroHTTPD
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// One connection's socket and clock, shared by the thread that serves it and the watch that ends slow ones.
///
/// The descriptor is touched under the lock and only until `close`, which libmicrohttpd's thread calls before it closes
/// the descriptor itself (`MHD_CONNECTION_NOTIFY_CLOSED` comes first in its clean-up). So a descriptor that the system
/// has reused in the meantime is never written to or shut down.
final class ConnectionLink: Sendable {
    private enum Phase {
        case open
        /// Given up with this status; libmicrohttpd has yet to notice.
        case ended(status: Int?, lingers: Bool)
        case closed
    }

    private struct State {
        var phase = Phase.open
        var clock: RequestClock
    }

    private let descriptor: CInt
    /// What a client is told that took too long; empty where nothing can be written beside libmicrohttpd.
    private let refusal: [UInt8]
    private let state: Mutex<State>

    init(descriptor: CInt, refusal: [UInt8]) {
        self.descriptor = descriptor
        self.refusal = refusal
        state = Mutex(State(clock: RequestClock(at: .now)))
    }

    /// The clock as it is; `nil` for a connection that has ended.
    var clock: RequestClock? {
        state.withLock { state in
            guard case .open = state.phase else { return nil }
            return state.clock
        }
    }

    /// The status of an answer that was sent without libmicrohttpd, if there was one.
    var endStatus: Int? {
        state.withLock { if case .ended(let status, _) = $0.phase { status } else { nil } }
    }

    /// Goes on with the request; `false` when the connection was given up.
    func advance(_ step: (inout RequestClock) -> Void) -> Bool {
        state.withLock { state in
            guard case .open = state.phase else { return false }
            step(&state.clock)
            return true
        }
    }

    /// The request is over and the connection waits for the next one.
    func rest() {
        let descriptor = descriptor
        _ = advance { $0.rest(received: cmhd_received(descriptor), at: .now) }
    }

    /// Gives the connection up when its client has taken too long.
    func check(at now: ContinuousClock.Instant, _ limits: ServerLimits) {
        state.withLock { state in
            guard case .open = state.phase else { return }
            if state.clock.stage == .idle { state.clock.observe(received: cmhd_received(descriptor), at: now) }
            if let deadline = state.clock.deadline(limits), deadline <= now { expire(&state) }
        }
    }

    /// Closes the connection to make room for others.
    func evict() {
        state.withLock { state in
            if case .open = state.phase { expire(&state) }
        }
    }

    /// Answers a client that is still sending, and shuts the socket down, which makes libmicrohttpd close it.
    ///
    /// At these stages libmicrohttpd sends only refusals of its own, after which it closes the connection anyway.
    private func expire(_ state: inout State) {
        let isSending = state.clock.isSending
        if isSending { write(refusal) }
        state.phase = .ended(status: isSending ? 408 : nil, lingers: false)
        _ = shutdown(descriptor, CInt(SHUT_RDWR))
    }

    /// Answers before the request has been read, from the thread that serves the connection, which then lets
    /// libmicrohttpd close it.
    func answerEarly(_ bytes: [UInt8], status: Int) {
        state.withLock { state in
            guard case .open = state.phase else { return }
            write(bytes)
            state.phase = .ended(status: status, lingers: true)
        }
    }

    /// Writes a refusal, for which the socket has room because earlier answers have been sent.
    private func write(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        unsafe bytes.withUnsafeBytes { _ = unsafe cmhd_send(descriptor, $0.baseAddress, $0.count) }
    }

    /// The descriptor is about to be closed; what is returned is a second one, for a client that may still be sending.
    func close() -> CInt? {
        state.withLock { state in
            defer { state.phase = .closed }
            guard case .ended(_, lingers: true) = state.phase else { return nil }
            let second = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
            guard second >= 0 else { return nil }
            _ = shutdown(second, CInt(SHUT_WR))
            return second
        }
    }
}

extension ServerResponse {
    /// The answer as it stands on the wire when the connection ends behind it.
    var closingBytes: [UInt8] {
        let reason = unsafe MHD_get_reason_phrase_for(UInt32(clamping: status)).map { unsafe String(cString: $0) } ?? ""
        var head = "HTTP/1.1 \(status) \(reason)\r\nConnection: close\r\nContent-Length: \(body.count)\r\n"
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        return Array((head + "\r\n").utf8) + body
    }
}
